import { describe, expect, it } from 'vitest';
import type { TraceId } from '../../data/index.ts';
import {
  branchesToWords,
  failureToAdvice,
  failureToRisk,
  findArrived,
  progressToFacts,
  progressToShare,
  traceToSizes,
} from './import-words.ts';

const reading = {
  phase: 'reading',
  bytesRead: 24_000_000,
  bytesTotal: 372_000_000,
  rate: 8_000_000,
  secondsLeft: 43.5,
  events: 12_345,
  problems: 1,
} as const;

describe('an import under way', () => {
  it('says how far, how fast and how long still, and counts what it found', () => {
    expect(progressToFacts(reading)).toEqual([
      '24.0 MB of 372 MB',
      '8.00 MB a second',
      '44 s left',
      '12,345 events',
      '1 problem',
    ]);
    expect(progressToFacts({ ...reading, secondsLeft: 0.2, problems: 2 }).slice(2)).toEqual([
      'under 1 s left',
      '12,345 events',
      '2 problems',
    ]);
    expect(progressToShare(reading)).toBeCloseTo(24 / 372);
  });

  it('says nothing it does not know: no size, no rate, no problem', () => {
    const begun = { phase: 'reading', bytesRead: 0, events: 0, problems: 0 } as const;
    expect(progressToFacts(begun)).toEqual(['0 B', '0 events']);
    expect([progressToShare(begun), progressToShare({ ...begun, bytesTotal: 0 })]).toEqual([undefined, undefined]);
  });

  it('looking: how far, and nothing of events, which are not read yet', () => {
    const looking = { ...reading, phase: 'looking', events: 0, problems: 0 } as const;
    expect(progressToFacts(looking)).toEqual(['24.0 MB of 372 MB']);
    expect(progressToShare(looking)).toBeCloseTo(24 / 372);
  });

  it.each(['indexing', 'storing'] as const)('%s: no time left, which was that of reading', (phase) => {
    const read = { ...reading, phase, bytesRead: reading.bytesTotal, secondsLeft: 0, problems: 0 };
    expect(progressToFacts(read)).toEqual(['372 MB of 372 MB', '12,345 events']);
    expect(progressToShare(read)).toBeUndefined();
  });
});

describe('what could not be opened', () => {
  it.each(['future-version', 'archive-too-large'])('%s: the advice names the button that goes on', (code) => {
    const verb = failureToRisk(code)?.verb ?? 'no button';
    expect(failureToAdvice(code)).toBe(`To go on, press “${verb}”.`);
  });

  it('has advice for this page where the format is not known, and none where nothing helps', () => {
    expect(failureToAdvice('unknown-format')).toMatch(/What it reads.*folder/);
    expect(['archive-refused', 'archive-damaged', 'empty', 'cut-off'].map(failureToAdvice)).toEqual(
      Array(4).fill(undefined),
    );
  });
});

describe('what another tab is importing', () => {
  /** Cast: the brand factory is in platform/storage, which views do not import. */
  const id = (text: string) => text as TraceId;
  const request = { files: [{ path: 'run.jsonl', blob: new Blob([]) }] };

  it('has arrived when a trace of these files came after it was refused, and not by any other', () => {
    const old = { id: id('t-1'), name: 'old', files: ['run.jsonl'] };
    const before = new Set([old.id]);
    expect(findArrived(request, before, [old])).toBeUndefined();
    expect(findArrived(request, before, [old, { id: id('t-2'), name: 'other', files: ['b'] }])).toBeUndefined();
    const made = { id: id('t-3'), name: 'made', files: ['run.jsonl'] };
    expect(findArrived(request, before, [made, old])).toBe(made);
  });

  it('can be tried again', () => {
    expect(failureToRisk('busy')).toEqual({ verb: 'Try again', accept: {} });
    expect(failureToAdvice('busy')).toBe('Where it was cancelled there, press “Try again”.');
  });
});

it('counts lines of work: stops of a replay that was continued stand apart', () => {
  expect(branchesToWords({ branches: 0 }, 0)).toBeUndefined();
  expect(branchesToWords({ branches: 1 }, 0)).toBe('1 branch');
  expect(branchesToWords({ branches: 3 }, 0)).toBe('3 branches');
  expect(branchesToWords({ branches: 4 }, 2)).toBe('2 branches and 2 earlier stops');
});

it('a size says what it is of', () => {
  expect(traceToSizes({ sourceBytes: 11_900_000, storedBytes: 2_100_000 })).toEqual(['11.9 MB read', '2.10 MB kept']);
});
