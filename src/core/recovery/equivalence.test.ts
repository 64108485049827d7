/** A faulted run beside its control, where a record contradicts itself, lacks a digest, or stands in a copy. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { digest } from '../model/index.ts';
import { compareWithControl } from './equivalence.ts';
import { control, incident, objectIn, recordsOf, trialOf } from './testing/altered-trials.ts';
import type { TrialRecords } from './trial-records.ts';

type Records = readonly JsonObject[];

/** The last record of the type, with another payload. */
function alterLast(records: Records, type: string, alter: (data: JsonObject) => JsonObject): Records {
  const at = records.findLastIndex((record) => record['type'] === type);
  return records.map((record, i) => (i === at ? { ...record, data: alter(objectIn(record, 'data')) } : record));
}

function withResult(records: Records, result: JsonObject): Records {
  return alterLast(records, 'run.completed', (data) => ({ ...data, result, digest: digest(result) }));
}

function withoutDigest(records: Records): Records {
  return alterLast(records, 'run.completed', ({ digest: _, ...data }) => data);
}

function compared(trial: Records, beside: Records, what: string): readonly (string | undefined)[] {
  const found = compareWithControl(recordsOf(trial), recordsOf(beside)).find((one) => one.what === what);
  return [found?.verdict, found?.text];
}

const output = 'output of the run';
const same = { ticket: 1 };

describe('a digest is believed only with the value beside it', () => {
  const equal = [withResult(incident, same), withResult(control, same)] as const;

  it('R92 equal digests of equal values are equal', () => {
    expect(compared(...equal, output)).toEqual(['equal', 'the digests are equal']);
  });

  it.each([
    ['run.completed', 'result', output, 0],
    ['run.completed', 'result', output, 1],
  ] as const)(
    'R92 R93 a %s whose %s was altered beside its digest decides nothing (side %#)',
    (type, member, what, side) => {
      const altered = alterLast(equal[side], type, (data) => ({ ...data, [member]: { ticket: 2 } }));
      const files = side === 0 ? ([altered, equal[1]] as const) : ([equal[0], altered] as const);
      const where = side === 0 ? '' : 'in the control, ';
      expect(compared(...files, what)).toEqual([
        'not comparable',
        `${where}its record contradicts itself: its data.result is not what the digest in data.digest says`,
      ]);
    },
  );

  it('R92 R93 so does a state', () => {
    const found = compared(
      alterLast(incident, 'state.transitioned', (data) => ({ ...data, value: { stage: 'other' } })),
      control,
      'final state "case"',
    );
    expect(found[0]).toBe('not comparable');
    expect(found[1]).toContain('its data.value is not what the digest in');
  });
});

describe('without digests', () => {
  it('R92 whole values are compared themselves', () => {
    const [a, b] = [withoutDigest(withResult(incident, same)), withoutDigest(withResult(control, same))];
    expect(compared(a, b, output)).toEqual(['equal', 'the values are equal']);
    expect(compared(a, withoutDigest(withResult(control, { ticket: 2 })), output)).toEqual([
      'differs',
      'the values differ',
    ]);
  });

  it('R93 a value of which part is withheld is not', () => {
    const holes = withoutDigest(withResult(control, { ticket: { $hole: 'h1' } }));
    expect(compared(withoutDigest(withResult(incident, same)), holes, output)[0]).toBe('not comparable');
  });
});

it('R92 R93 the invariant that rests on a record that contradicts itself is not checked', () => {
  const altered = alterLast(incident, 'run.completed', (data) => ({ ...data, result: { ticket: 2 } }));
  const of = (records: Records): string | undefined =>
    trialOf(records, control).invariants.find(({ id }) => id === 'output-equals-control')?.verdict;
  expect([of(incident), of(altered)]).toEqual(['violated', 'not checked']);
});

describe('copies that were made apart', () => {
  const asCopy = (records: Records, trace: string): TrialRecords => {
    const made = recordsOf(records);
    return { ...made, input: { ...made.input, traces: [trace], copy: { hasStandIns: true, named: new Map() } } };
  };
  const toVerdicts = (trial: TrialRecords, beside: TrialRecords): Readonly<Record<string, string>> =>
    Object.fromEntries(
      compareWithControl(trial, beside).map(({ what, verdict, text }) => [what, `${verdict}: ${text}`]),
    );

  it('R74 R93 differ by their stand-ins, which says nothing; numbers of executions are compared', () => {
    const found = toVerdicts(asCopy(incident, 'a'), asCopy(control, 'b'));
    const nothing = 'not comparable: stand-ins of copies that were made apart differ, so this difference says nothing';
    expect([found[output], found['final state "case"']]).toEqual([nothing, nothing]);
    expect(found['effects executed']).toBe('differs: executions by effect: 1, 1 in the control, 2, 1 here');
    expect(toVerdicts(asCopy(control, 'a'), asCopy(control, 'b'))['effects executed']).toMatch(
      /^not comparable: as many/,
    );
  });

  it('R74 R92 of one copy the stand-ins are the same', () => {
    const found = toVerdicts(asCopy(incident, 'a'), asCopy(control, 'a'));
    expect(found[output]).toBe('differs: the digests differ');
  });
});
