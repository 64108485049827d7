import { describe, expect, it } from 'vitest';
import { eventId } from '../../core/model/index.ts';
import type { CommandReport, RecordReport } from '../../core/replay/report-types.ts';
import { isRowOf, reportToRows, rowsToCounts } from './align.ts';

function record(path: string, status: RecordReport['status']): RecordReport {
  return { path, kind: 'read', name: path, event: eventId(`e${path}`), status, reasons: [] };
}

function command(path: string, status: CommandReport['status'], of?: string): CommandReport {
  return {
    path,
    kind: 'read',
    name: path,
    status,
    reasons: [],
    flags: [],
    issued: '0',
    ...(of === undefined ? {} : { event: eventId(`e${of}`) }),
  };
}

const ended = { status: 'completed', equalsRecorded: false } as const;
const waits = { status: 'open', equalsRecorded: false } as const;

describe('rows of a comparison', () => {
  it('stand in the order of the branch, with what only the original has behind what it followed', () => {
    const rows = reportToRows({
      commands: [command('/a', 'reused', '/a'), command('/new', 'inserted'), command('/c', 'changed', '/c')],
      records: [
        record('/first', 'removed'),
        record('/a', 'retained'),
        record('/b', 'removed'),
        record('/c', 'changed'),
      ],
      orphanEffects: [],
      outcome: ended,
      preview: undefined,
    });
    expect(rows.map(({ path, status }) => `${status} ${path}`)).toEqual([
      'removed /first',
      'reused /a',
      'removed /b',
      'inserted /new',
      'changed /c',
    ]);
    expect(rows[4]?.record?.path).toBe('/c');
  });

  it('hold every record once, also when two commands name it', () => {
    const rows = reportToRows({
      commands: [command('/a', 'reused', '/a'), command('/twin', 'pending', '/a')],
      records: [record('/a', 'retained')],
      orphanEffects: [],
      outcome: ended,
      preview: undefined,
    });
    expect(rows.filter((row) => row.record !== undefined)).toHaveLength(1);
  });

  it('count an effect the world keeps beside the status, and find it again', () => {
    const gone = record('/w', 'removed');
    const rows = reportToRows({
      commands: [],
      records: [gone],
      orphanEffects: [
        {
          path: gone.path,
          kind: 'write',
          name: gone.name,
          event: gone.event,
          reasons: [],
          record: 'removed',
          effects: [],
        },
      ],
      outcome: ended,
      preview: undefined,
    });
    expect([...rowsToCounts(rows)]).toEqual([
      ['removed', 1],
      ['orphan effect', 1],
    ]);
    expect(rows.filter((row) => isRowOf(row, 'orphan effect'))).toHaveLength(1);
    expect(rows.filter((row) => isRowOf(row, 'reused'))).toHaveLength(0);
  });

  it('tell the declared path where re-execution knows none (R39)', () => {
    const undeclared = { event: eventId('edit'), as: 'undeclared' };
    const declared = { event: eventId('e/between'), as: 'consumed' };
    const [row] = reportToRows({
      commands: [{ ...command('/child', 'changed', '/child'), reasons: [undeclared] }],
      records: [record('/child', 'changed')],
      orphanEffects: [],
      outcome: ended,
      preview: {
        items: [{ ...record('/child', 'changed'), status: 'falls', reasons: [declared] }],
        events: [],
        holding: [],
        counts: { edited: 0, falls: 1, 'may-fall': 0, unknown: 0, stands: 0 },
        insufficient: false,
      },
    });
    expect(row?.reasons).toEqual([declared]);
  });

  it('call a suspect what waits because what it reads was touched', () => {
    const [row] = reportToRows({
      commands: [{ ...command('/r', 'pending', '/r'), waitsFor: 'suspect' }],
      records: [record('/r', 'suspect')],
      orphanEffects: [],
      outcome: ended,
      preview: undefined,
    });
    expect(row?.status).toBe('suspect');
  });

  it('call what the run ended before it was answered not reached, with its own word (D9)', () => {
    const [row] = reportToRows({
      commands: [{ ...command('/r', 'pending', '/r'), waitsFor: 'suspect', isOpen: true }],
      records: [{ ...record('/r', 'suspect'), isOpen: true }],
      orphanEffects: [],
      outcome: ended,
      preview: undefined,
    });
    expect([row?.status, row?.exactly]).toEqual(['not reached', 'open']);
  });

  it('call what a branch that waits has not come to not reached, and what was asked for elsewhere moved', () => {
    const moved = { ...command('/b=k', 'reused', '/b'), rule: 'M5' } as const;
    const report = {
      commands: [moved],
      records: [record('/b', 'retained'), record('/c', 'removed')],
      orphanEffects: [],
      preview: undefined,
    };
    const told = (outcome: typeof ended | typeof waits): readonly string[] =>
      reportToRows({ ...report, outcome }).map(({ status }) => status);
    expect(told(ended)).toEqual(['moved', 'removed']);
    expect(told(waits)).toEqual(['moved', 'not reached']);
  });
});
