/** Lives of processes beside the kill, in a shipped trial that is altered in one of them. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { checkOf, control, incident, objectIn, trialOf } from './testing/altered-trials.ts';
import { alter } from './testing/opened-trials.ts';
import { labCheck, labReport, labTrial } from './testing/lab-trial.ts';

function find(id: string): JsonObject {
  return incident.find((record) => record['id'] === id) ?? {};
}

function withData(id: string, data: JsonObject): readonly JsonObject[] {
  return incident.map((record) =>
    record['id'] === id ? { ...record, data: { ...objectIn(record, 'data'), ...data } } : record,
  );
}

const serviceEnd = {
  ...find('harness-1:7'),
  id: 'service-end',
  seq: 1000,
  data: {
    code: null,
    signal: 'SIGKILL',
    worker: { component: 'ticket-service', instance: 'ticket-service-a', incarnation: 1 },
  },
};

describe('the intended kill, and no other', () => {
  it('R110 the shipped trial has no other', () => {
    const { checks, validity } = trialOf(incident, control);
    expect(validity).toBe('valid');
    expect(checks.find(({ id }) => id === 'no-other-kill')?.status).toBe('holds');
  });

  it.each([
    [
      'the last life by SIGKILL',
      withData('harness-1:7', { code: null, signal: 'SIGKILL' }),
      'worker 2 ended by SIGKILL',
    ],
    [
      'the last life by SIGTERM',
      withData('harness-1:7', { code: null, signal: 'SIGTERM' }),
      'worker 2 ended by SIGTERM',
    ],
    [
      'the last life by a signal told as a code',
      withData('harness-1:7', { code: 137 }),
      'worker 2 ended with code 137',
    ],
    ['a service', [...incident, serviceEnd], 'ticket-service ended by SIGKILL'],
  ])('R110 an end of %s that no fault tells of makes the trial invalid', (_, records, told) => {
    const trial = trialOf(records);
    expect(checkOf(trial, 'no-other-kill')).toMatchObject({ status: 'violated', text: expect.stringContaining(told) });
    expect(trial.validity).toBe('invalid');
  });

  it('R110 a life that ended by itself and was started again is told', () => {
    const [first, second] = [find('harness-1:6'), find('worker-2:0')];
    const third = { component: 'worker', instance: 'worker-a', incarnation: 3 };
    const records = [
      ...incident,
      {
        ...first,
        id: 'again',
        seq: 1000,
        mono: '1090404400001',
        causes: [{ event: 'harness-1:7', as: 'caused_by' }],
        data: { ...objectIn(first, 'data'), worker: third },
      },
      {
        ...second,
        id: 'worker-3:0',
        seq: 0,
        mono: '1090404400002',
        causes: [{ event: 'again', as: 'caused_by' }],
        source: { ...objectIn(second, 'source'), ...third, pid: 4200 },
      },
    ];
    expect(checkOf(trialOf(records), 'restart-told-worker 3')?.text).toContain('worker 2 ended with code 0');
    expect(trialOf(records).validity).toBe('not established');
  });
});

describe('the number of a kill', () => {
  const numbered = (ordinal: number, points: readonly string[]): string | undefined => {
    const records = ['fault.armed', 'fault.injected'].reduce(
      (list, type) => alter(list, type, () => ({ ordinal })),
      incident,
    );
    const cell = { effect: '/write:tickets.create#0', points: [...points] };
    return checkOf(trialOf(alter(records, 'trial.started', () => ({ cell }))), 'kills-in-turn')?.status;
  };

  it('R103 is not known where others before it are missing, or more were planned', () => {
    expect(numbered(1, ['3'])).toBeUndefined();
    expect(numbered(2, ['3'])).toBe('not established');
    expect(numbered(1, ['3', '3'])).toBe('not established');
  });
});

describe('one life after the other', () => {
  it('R110 a process writes nothing after its end', () => {
    const late = { ...find('worker-1:100'), id: 'late', seq: 2000, mono: '188414000000', causes: [] };
    const trial = trialOf([...incident, late]);
    expect(checkOf(trial, 'silent-after-end-worker 1')).toMatchObject({
      status: 'violated',
      events: ['harness-1:5', 'late'],
    });
    expect(trialOf([...incident, { ...late, mono: '188400000000' }]).validity).toBe('valid');
  });

  it('R110 the next one is started after the end of the one before', () => {
    const early = incident.map((record): JsonObject =>
      record['id'] === 'harness-1:6' ? { ...record, mono: '188000000000', causes: [], seq: 3.5 } : record,
    );
    const records = early.map((record): JsonObject =>
      objectIn(record, 'source')['component'] === 'harness' ? { ...record, seq: Number(record['seq']) * 2 } : record,
    );
    expect(checkOf(trialOf(records), 'one-life-at-a-time-worker 2')?.status).toBe('violated');
  });

  it('R109 a kill is not armed after it was sent', () => {
    const late = incident.map((record) =>
      record['id'] === 'harness-1:2' ? { ...record, mono: '188413000000' } : record,
    );
    expect(checkOf(trialOf(late), 'armed-before-1')?.status).toBe('not established');
  });
});

describe('the process that was killed', () => {
  it.each([
    ['a kill of another process', 'harness-1:4', 4242, 'was sent to process 4242'],
    ['the end of another process', 'harness-1:5', 4242, 'is confirmed by the end of process 4242'],
    ['a kill of the second life', 'harness-1:4', 4108, 'was sent to process 4108'],
  ])('R110 %s confirms nothing', (_, id, pid, told) => {
    const trial = trialOf(withData(id, { pid }));
    expect(checkOf(trial, 'killed-process-1')).toMatchObject({
      status: 'not established',
      text: expect.stringContaining(`${told}, and worker 1 is process 4102`),
    });
    expect(trial.validity).toBe('not established');
  });

  it('R110 the number that the starter gives counts before the one that a process has for itself', async () => {
    const inContainer = labTrial().map((record) =>
      record['eid'] === 'worker.i.a:0' ? { ...record, data: { ...record.data, pid: 1 } } : record,
    );
    const report = await labReport({ a: inContainer });
    expect([labCheck(report, 'killed-process-1'), report.validity]).toEqual([undefined, 'valid']);
  });
});

describe('what else is told of the trial', () => {
  it('R109 a witness that saw another point contradicts the label', () => {
    const trial = trialOf(alter(incident, 'fault.witnessed', () => ({ kill_point: '4' })));
    expect([trial.placements[0]?.verdict, trial.validity]).toEqual(['contradicted', 'invalid']);
  });

  it('R24 two records of its start that differ leave open which trial it was', () => {
    const other = { ...find('harness-1:1'), id: 'start-again', seq: 1000 };
    const differing = { ...other, data: { ...objectIn(other, 'data'), arm: 'control' } };
    expect(checkOf(trialOf([...incident, other]), 'one-start')).toBeUndefined();
    expect(checkOf(trialOf([...incident, differing]), 'one-start')?.text).toContain('differ in arm');
  });
});
