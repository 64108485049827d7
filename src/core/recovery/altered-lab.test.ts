/** One whole trial of typed trial records, altered as somebody might who wants another verdict: needs nothing beside the project. */
import { describe, expect, it } from 'vitest';
import { change, labCheck, labReport, labTrial, type LabRecord } from './testing/lab-trial.ts';

const trial = labTrial();
function report(records: readonly LabRecord[]): ReturnType<typeof labReport> {
  return labReport({ 'a.jsonl': records });
}

describe('what ended the process', () => {
  const at = trial.findIndex(({ type }) => type === 'kill_sent');
  const [sent, exited] = trial.slice(at, at + 2) as [LabRecord, LabRecord];
  const places = ['seq', 'eid', 'prev', 'mono_ns'];
  const placedAs = (record: LabRecord, other: LabRecord): LabRecord => ({
    ...record,
    ...Object.fromEntries(places.map((name) => [name, other[name]])),
  });

  it('R110 a process that had ended before the kill was sent was not killed by it', async () => {
    const turned = [...trial.slice(0, at), placedAs(exited, sent), placedAs(sent, exited), ...trial.slice(at + 2)];
    const found = await report(turned);
    expect([found.validity, labCheck(found, 'exit-by-signal-1')?.text]).toEqual([
      'invalid',
      'Kill 1 was sent when the process had ended already: something else ended it.',
    ]);
    expect(labCheck(await report(trial), 'exit-by-signal-1')?.status).toBe('holds');
  });

  it('R110 where the clock alone says so, the two contradict each other', async () => {
    const early = String(BigInt(String(exited['mono_ns'])) - 1_500_000n);
    const byClock = trial.map((record) => (record === exited ? { ...record, mono_ns: early } : record));
    expect(labCheck(await report(byClock), 'exit-by-signal-1')).toMatchObject({
      status: 'not established',
      text: 'Kill 1: by the order of the records the process ended after it was sent, and by their clock before.',
    });
  });
});

describe('how the end is told', () => {
  const ended = (data: LabRecord['data']): Promise<Awaited<ReturnType<typeof report>>> =>
    report(change(trial, 'process_exited', data));
  const byCode = (limits: readonly string[]): readonly string[] =>
    limits.filter((text) => text.includes('rests on its exit code'));

  it('R89 R110 a code of 137 alone tells SIGKILL, and a limit says that a process may end with it by itself', async () => {
    const found = await ended({ signal: null, code: 137 });
    expect(found.validity).toBe('valid');
    expect(byCode(found.limits)).toEqual([
      'That kill 1 ended the process rests on its exit code (137), with which a shell and a container tell a signal, and no record names the signal: a process may end with this code by itself.',
    ]);
    expect(byCode((await report(trial)).limits)).toEqual([]);
  });

  it.each([0, 1, 9, 136, 143, 265])('R110 a code of %i makes it invalid', async (code) => {
    const found = await ended({ signal: null, code });
    expect([found.validity, byCode(found.limits)]).toEqual(['invalid', []]);
  });
});

describe('harnesses of other habits', () => {
  const beside = (type: string, data: LabRecord['data']): readonly LabRecord[] => {
    const at = trial.findIndex((record) => record.type === 'process_exited') + 1;
    const before = trial[at - 1];
    const record = { ...before, eid: 'harness.i.h:900', seq: 900, prev: null, type, data };
    return [...trial.slice(0, at), record, ...trial.slice(at)];
  };

  it.each([
    ['harness_heartbeat', {}],
    ['fd_leaks_checked', { leaks: 0 }],
    ['fd_leaks_checked', { leaked: [], hints: 'none' }],
    ['probe', { injected: false, hints: [], recovery: {}, handed: null, supplied: 'No' }],
  ])('R114 a record %s with %j of the harness hands nothing over', async (type, data) => {
    expect((await report(beside(type, data))).validity).toBe('valid');
  });

  it.each([
    ['hint_passed', {}],
    ['fd_leaks_checked', { leaked: { ticket: '8421' } }],
    ['state_written', { supplied: '8421' }],
  ])('R114 a record %s with %j is told', async (type, data) => {
    const found = await report(beside(type, data));
    expect([found.validity, labCheck(found, 'no-leaked-state')?.status]).toEqual(['invalid', 'violated']);
  });
});

describe('a later process under other names', () => {
  /** What the second life asks for is the next of its name, and the service made it. */
  const renamed = trial.map((record) => {
    const isOfSecond = JSON.stringify([record['eid'], record['causes'] ?? []]).includes('worker.i.b');
    const isAnswer = record.type === 'tool_result_acknowledged';
    const own = isOfSecond || record.type === 'effect_deduplicated' || isAnswer ? { cmd: 'make#1' } : {};
    const moved = record['cmd'] === 'make#0' ? { ...record, ...own } : record;
    if (record.type === 'effect_deduplicated')
      return { ...moved, type: 'effect_committed', data: { effect: { kind: 't', id: '9' } } };
    return isAnswer ? { ...moved, data: { effect_id: '9' } } : moved;
  });

  it('R100 whether the second command is the first made again is not known', async () => {
    const { outcome, invariants } = await report(renamed);
    expect(outcome.effects.map(({ executions }) => executions.length)).toEqual([1, 1]);
    expect(outcome.duplicates).toBeUndefined();
    expect(outcome.effects[0]?.whyNotKnown).toContain('no record says whether it is the same effect');
    expect(invariants.find(({ id }) => id === 'no-duplicate-effect')?.verdict).toBe('not checked');
    expect((await report(trial)).outcome.duplicates).toBe(0);
  });
});

describe('what a trial was started with', () => {
  it('R129 a word that says that nothing is known is no entry of the envelope', async () => {
    const missingOf = async (members: LabRecord['data']): Promise<number> => {
      const records = trial.map((record) =>
        record.type === 'trial_envelope'
          ? { ...record, data: { envelope: { engine: 'journal', engine_version: '1', ...members } } }
          : record,
      );
      return (await report(records)).envelope.missing.length;
    };
    const told = await missingOf({ input_rate: '1 a second', resource_limits: '2 cores', checkpoint_interval: 'none' });
    for (const word of ['unknown', 'n/a', 'N.A.', 'TBD', '-', '?', ' ', 'not recorded']) {
      const members = { input_rate: word, resource_limits: [word], checkpoint_interval: { ms: word } };
      expect([word, await missingOf(members)]).toEqual([word, told + 3]);
    }
  });
});

describe('what is told in sentences', () => {
  it('R96 a time of recovery in a sentence of the harness is a claim that names no records', async () => {
    const told = async (note: string): Promise<readonly string[]> =>
      (await report(change(trial, 'trial_finished', { note }))).findings.map(({ text }) => text);
    expect((await told('MTTR 0.4 seconds; p99 12ms')).join(' ')).toContain(
      'tells 0.4 seconds, 12ms in a sentence and names no start and end record',
    );
    expect(await told('killed once, restarted by the harness')).toEqual([]);
    expect(await told('waited 30 s for the service')).toEqual([]);
  });
});
