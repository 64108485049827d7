/** Real trials of the shared streams and of the samples, altered in one thing as somebody might who wants another verdict. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { Claim } from './claim-schema.ts';
import type { TrialReport } from './report.ts';
import { readSample } from './testing/opened-trials.ts';
import { campaignOf, checkOf, keyed, objectIn, trialOf } from './testing/altered-trials.ts';
import {
  analyseRecords,
  bootOf,
  bootsOf,
  causesOf,
  changeType,
  componentOf,
  dataOf,
  hasShared,
  later,
  placedAs,
  readShared,
  textIn,
  trialOfRecords,
  withData,
} from './testing/shared-records.ts';

const skipped = hasShared ? '' : ' (skipped: no shared traces beside the project)';

describe('one key, one body', () => {
  it('R128 a request that the service refused because its key came with another body violates it', () => {
    const verdictOf = (records: readonly JsonObject[]): string | undefined =>
      trialOf(records).invariants.find(({ id }) => id === 'key-with-one-body')?.verdict;
    const refused = keyed.map((record) => {
      if (record['type'] !== 'effect.deduplicated') return record;
      const data = { ...objectIn(record, 'data'), request_digest: `sha256:${'0'.repeat(64)}`, http_status: 422 };
      return { ...record, type: 'effect.refused', data };
    });
    expect(refused).not.toEqual(keyed);
    expect([verdictOf(keyed), verdictOf(refused)]).toEqual(['holds', 'violated']);
  });
});

describe('records of verdicts of producers', () => {
  const verdicts = ['trial.finished', 'invariant.checked', 'duplicate.detected'];
  const names = [
    ...['ticket-incident', 'ticket-with-key'],
    ...['naive-kill-3', 'naive-kill-5', 'journal-kill-3', 'journal-kill-5', 'journal-key-five-kills-4'].map(
      (name) => `campaign/one-ticket-${name}`,
    ),
  ];

  it.each(names)('R100 taken out of %s, with the holes that they leave, they change no verdict', (name) => {
    const records = readSample(name);
    const kept = records.filter((record) => !verdicts.includes(textIn(record, 'type')));
    expect(kept.length).toBeLessThan(records.length);
    const told = (list: readonly JsonObject[]): readonly unknown[] => {
      const { validity, outcome } = trialOf(list);
      return [validity, outcome.completed, outcome.duplicates, outcome.losses, outcome.models.extraCalls];
    };
    expect(told(kept)).toEqual(told(records));
  });

  it('R88 R100 what is at least so many decides a clause where more would decide it alike', () => {
    const records = readSample('ticket-incident').map((record) =>
      // Two records are missing: an execution may stand there.
      textIn(record, 'id').startsWith('ticket-service-1:') && Number(record['seq']) > 2
        ? { ...record, seq: Number(record['seq']) + 2 }
        : record,
    );
    const clause = (predicate: string): Claim => ({
      ...{ fault: 'SIGKILL of the worker', protects: 'tickets.create', continuation: 'completes' },
      clauses: [{ id: 'a', text: predicate, metric: 'duplicates', predicate }],
    });
    const verdictOf = (predicate: string): string | undefined =>
      campaignOf([records], { claim: clause(predicate) }).claims[0]?.clauses[0]?.verdict;
    expect(trialOf(records).outcome.duplicatesAtLeast).toBe(true);
    expect(['= 0', '>= 1', '= 1', '<= 5'].map(verdictOf)).toEqual(['failed', 'holds', 'not testable', 'not testable']);
  });
});

describe.runIf(hasShared)(`what ended the process${skipped}`, () => {
  const kill = (records: readonly JsonObject[]): number => records.findIndex(({ type }) => type === 'kill_sent');

  it('R110 a process that had ended before the kill was sent was not killed by it', async () => {
    const records = readShared('restate-kp3');
    const at = kill(records);
    const [sent, exited] = [records[at] ?? {}, records[at + 1] ?? {}];
    expect(exited['type']).toBe('process_exited');
    const turned = [...records.slice(0, at), placedAs(exited, sent), placedAs(sent, exited), ...records.slice(at + 2)];
    const byClock = changeType(records, 'process_exited', (record, n) => (n === 0 ? later(record, -50) : record));
    for (const [altered, validity, text] of [
      [turned, 'invalid', 'Kill 1 was sent when the process had ended already: something else ended it.'],
      [
        byClock,
        // What the process wrote in between by its own clock.
        'invalid',
        'Kill 1: by the order of the records the process ended after it was sent, and by their clock before.',
      ],
    ] as const) {
      const trial = await trialOfRecords(altered);
      expect([trial.validity, checkOf(trial, 'exit-by-signal-1')?.text]).toEqual([validity, text]);
    }
    expect((await trialOfRecords(records)).validity).toBe('valid');
  });
});

describe.runIf(hasShared)(`times${skipped}`, () => {
  const records = hasShared ? readShared('restate-idem-kp4_4_4_4_4') : [];
  const timesOf = async (altered: readonly JsonObject[], id: string): Promise<readonly (number | undefined)[]> =>
    (await trialOfRecords(altered)).metrics.filter((metric) => metric.id === id).map(({ ms }) => ms);

  it('R96 R101 a record that was read before an earlier one of its log gives no time, and says why', async () => {
    const forged = changeType(records, 'tool_result_acknowledged', (record) => later(record, -400));
    const before = await timesOf(records, 'next-acknowledged');
    expect(before.slice(0, 4).every((ms) => ms !== undefined && ms > 500)).toBe(true);
    expect(await timesOf(forged, 'next-acknowledged')).toEqual(before.map(() => undefined));
    const { metrics } = await trialOfRecords(forged);
    expect(metrics.find(({ id }) => id === 'next-acknowledged')?.whyNot).toMatch(
      /^the clock of ".+" and of ".+" contradict the order of the two records$/,
    );
    const early = changeType(records, 'run_completed', (record) => later(record, -290));
    expect(await timesOf(early, 'completion')).toEqual(before.map(() => undefined));
  });

  it('R96 R101 nor does a kill that was read after the end that it brought', async () => {
    const moved = changeType(records, 'kill_sent', (record, n) => (n === 0 ? later(record, 500) : record));
    const [first, ...others] = await timesOf(moved, 'next-acknowledged');
    const [, ...before] = await timesOf(records, 'next-acknowledged');
    expect([first, others]).toEqual([undefined, before]);
  });
});

describe.runIf(hasShared)(`harnesses of other habits${skipped}`, () => {
  const names = ['naive-control', 'restate-kp3', 'naive-kp4_4_4_4_4'];
  const beside = (records: readonly JsonObject[], type: string, data: JsonObject): readonly JsonObject[] => {
    const at = records.findIndex((record) => record['type'] === 'kill_sent');
    const [before] = records.filter((record) => componentOf(record) === 'harness').slice(-1);
    const last = at < 0 ? records.length : at + 2;
    const mono = later(records[last - 1] ?? {}, 0)['mono_ns'] ?? '0';
    const record = { ...before, eid: 'harness.h1.22cac6:9000', seq: 9000, prev: null, mono_ns: mono, type, data };
    return [...records.slice(0, last), record, ...records.slice(last)];
  };
  const habits: readonly (readonly [string, JsonObject])[] = [
    ['harness_heartbeat', {}],
    ['harness_log', { harness_version: '0.1' }],
    ['fd_leaks_checked', { leaks: 0 }],
    ['fd_leaks_checked', {}],
    ['probe', { injected: false, hints: [] }],
  ];

  it.each(habits)('R114 a record %s with %j of the harness hands nothing over', async (type, data) => {
    for (const name of names) {
      const trial = await trialOfRecords(beside(readShared(name), type, data));
      expect([name, trial.validity]).toEqual([name, 'valid']);
    }
  });

  it.each([
    ['hint_passed', {}],
    ['fd_leaks_checked', { leaked: { ticket: '8421' } }],
    ['state_written', { supplied: '8421' }],
  ])('R114 a record %s with %j is told still', async (type, data) => {
    const trial = await trialOfRecords(beside(readShared('restate-kp3'), type, data));
    expect([trial.validity, checkOf(trial, 'no-leaked-state')?.status]).toEqual(['invalid', 'violated']);
  });

  it('R103 kills that are numbered from none are in turn', async () => {
    const numbered = (name: string, change: (ordinal: number) => number): readonly JsonObject[] =>
      readShared(name).map((record) => {
        const { ordinal } = dataOf(record);
        return typeof ordinal === 'number' ? withData(record, { ordinal: change(ordinal) }) : record;
      });
    for (const name of ['restate-kp3', 'naive-kp4_4_4_4_4']) {
      const trial = await trialOfRecords(numbered(name, (ordinal) => ordinal - 1));
      expect([name, trial.validity, trial.findings]).toEqual([name, 'valid', []]);
    }
    const holed = numbered('naive-kp4_4_4_4_4', (ordinal) => (ordinal < 3 ? ordinal - 1 : ordinal));
    expect((await trialOfRecords(holed)).validity).toBe('not established');
  });

  it('R110 the process that was struck is known by its start where no record of its own carries its number', async () => {
    for (const name of ['restate-kp3', 'naive-kp4_4_4_4_4', 'dbos-idem-kp4']) {
      const records = readShared(name).map((record) => {
        const { pid: _pid, ...producer } = objectIn(record, 'producer');
        return { ...record, producer };
      });
      const [trial, whole] = [await trialOfRecords(records), await trialOfRecords(readShared(name))];
      const points = ({ placements }: TrialReport): readonly unknown[] =>
        placements.map(({ point, effect, verdict, life }) => [point, effect, verdict, life]);
      expect([trial.validity, points(trial), trial.outcome]).toEqual(['valid', points(whole), whole.outcome]);
    }
  });
});

describe.runIf(hasShared)(`a later process under other names${skipped}`, () => {
  /** Records of the second life, and of the service about it, under another command. */
  function renumbered(name: string): readonly JsonObject[] {
    const records = readShared(name);
    const [, second = ''] = bootsOf(records);
    const isOfSecond = (record: JsonObject): boolean =>
      bootOf(record) === second || causesOf(record).some((cause) => cause.includes(`.${second}:`));
    return records.map((record) =>
      record['cmd'] === 'create-ticket#0' && isOfSecond(record) ? { ...record, cmd: 'create-ticket#1' } : record,
    );
  }

  it.each(['langgraph-exit-kp4', 'restate-kp3', 'restate-kp4', 'journal-jsonl-nokey-kp3', 'naive-kp3'])(
    'R100 %s: whether the second command is the first made again is not known',
    async (name) => {
      const { outcome, invariants } = await trialOfRecords(renumbered(name));
      expect(outcome.duplicates).toBeUndefined();
      expect(outcome.effects[0]?.whyNotKnown).toContain('no record says whether it is the same effect');
      expect(invariants.find(({ id }) => id === 'no-duplicate-effect')?.verdict).toBe('not checked');
      expect((await trialOfRecords(readShared(name))).outcome.duplicates).toBe(1);
    },
  );

  it('R136 without records of the model, that a request was not sent again is the word of the process', async () => {
    const records = readShared('naive-kp3').filter(({ type }) => type !== 'model_served');
    const [, second = ''] = bootsOf(records);
    const marked = records.map((record) => {
      const isModel = textIn(record, 'type').startsWith('model_call');
      const { causes: _causes, ...rest } = record;
      return isModel ? { ...rest, ...(bootOf(record) === second ? { replayed: true } : {}) } : record;
    });
    const trial = await trialOfRecords(marked);
    expect(trial.outcome.models).toMatchObject({
      extraCalls: 0,
      unseen: { events: [expect.stringContaining(second)] },
    });
    expect(trial.invariants.find(({ id }) => id === 'model-called-once')?.verdict).toBe('not checked');
    expect(trial.limits.join(' ')).toContain('a request marked as replayed may have been sent');
    expect((await trialOfRecords(readShared('naive-kp3'))).outcome.models.unseen).toBeUndefined();
  });
});

describe.runIf(hasShared)(`records under the run of a stranger${skipped}`, () => {
  it.each(['restate-kp3', 'restate-kp4'])(
    'R100 R117 %s: an execution that names a request of this trial may be one of it, whatever run it stands under',
    async (name) => {
      const records = readShared(name).map((record) => {
        const { effect_id: _id, ...data } = dataOf(record);
        return record['type'] === 'tool_result_acknowledged' ? { ...record, data } : record;
      });
      const isSecond = (record: JsonObject, at: number): boolean =>
        record['type'] === 'effect_committed' &&
        records.findLastIndex(({ type }) => type === 'effect_committed') === at;
      const moved = records.map((record, at) => (isSecond(record, at) ? { ...record, run: 'f'.repeat(32) } : record));
      const stranger = moved.filter(({ run }) => run === 'f'.repeat(32));
      const kept = moved.filter(({ run }) => run !== 'f'.repeat(32));
      expect(stranger).toHaveLength(1);
      const control = readShared('journal-jsonl-idem-control');
      for (const files of [[kept, stranger], [kept, [...control, ...stranger]], [[...kept, ...control, ...stranger]]]) {
        const trial = await trialOfRecordsOf(files, textIn(records[0] ?? {}, 'run'));
        expect([trial.validity, trial.outcome.duplicates]).toEqual(['not established', undefined]);
        expect(checkOf(trial, 'records-whole')?.text).toContain('of this trial as its cause');
      }
      expect((await trialOfRecords(readShared(name), control)).validity).toBe('valid');
    },
  );

  async function trialOfRecordsOf(files: readonly (readonly JsonObject[])[], run: string): Promise<TrialReport> {
    const trials = (await analyseRecords(...files)).campaigns.flatMap((campaign) => campaign.trials);
    const found = trials.find(({ id }) => id === run);
    if (found === undefined) throw new Error('no trial');
    return found;
  }
});

describe.runIf(hasShared)(`what a trial was started with${skipped}`, () => {
  const [faulted, control] = hasShared
    ? [readShared('journal-jsonl-idem-kp3'), readShared('journal-jsonl-idem-control')]
    : [[], []];
  const names = [
    ...['git_commit', 'gitCommit', 'sha', 'source_revision', 'code', 'release', 'image_digest', 'engine_options'],
    ...['commit_sha', 'worker_version', 'program_digest', 'build_id', 'package_lock'],
  ];

  it.each(names)('R91 a control of another %s is refused, wherever that is told', async (name) => {
    // The code of a process is that of its end.
    for (const type of name === 'code' ? ['trial_started'] : ['trial_started', 'worker_spawned']) {
      const of = (value: string) => (record: JsonObject) => withData(record, { [name]: value });
      const statusOf = async (one: string, other: string): Promise<string> =>
        (await trialOfRecords(changeType(faulted, type, of(one)), changeType(control, type, of(other)))).control.status;
      expect([type, await statusOf('aaa1', 'bbb2')]).toEqual([type, 'refused']);
      expect([type, await statusOf('aaa1', 'aaa1')]).toEqual([type, 'compared']);
    }
  });

  it('R129 a word that says that nothing is known is no entry of the envelope', async () => {
    const filled = { input_rate: '1 a second', resource_limits: '2 cores', checkpoint_interval: 'none' };
    const missingOf = async (members: JsonObject): Promise<readonly string[]> => {
      const records = changeType(faulted, 'trial_envelope', (record) =>
        withData(record, { envelope: { ...objectIn(dataOf(record), 'envelope'), ...members } }),
      );
      return (await trialOfRecords(records)).envelope.missing;
    };
    const told = await missingOf(filled);
    for (const word of ['unknown', 'n/a', 'N.A.', 'TBD', '-', '?', ' ', 'not recorded']) {
      const missing = await missingOf({ input_rate: word, resource_limits: [word], checkpoint_interval: { ms: word } });
      expect([word, missing.length]).toEqual([word, told.length + 3]);
    }
  });

  it('R110 the code by which a shell or a container tells SIGKILL is one', async () => {
    const of = (code: number) => (record: JsonObject, at: number) =>
      at === 0 ? withData(record, { signal: null, code }) : record;
    const killed = await trialOfRecords(changeType(faulted, 'process_exited', of(137)));
    expect([killed.validity, checkOf(killed, 'exit-by-signal-1')?.text]).toEqual([
      'valid',
      'Kill 1: the process ended with code 137, which tells SIGKILL, as intended.',
    ]);
    const limit = 'rests on its exit code (137), with which a shell and a container tell a signal';
    expect(killed.limits.join(' ')).toContain(limit);
    expect((await trialOfRecords(faulted)).limits.join(' ')).not.toContain(limit);
    for (const code of [143, 0, 1]) {
      expect((await trialOfRecords(changeType(faulted, 'process_exited', of(code)))).validity).toBe('invalid');
    }
  });
});

describe.runIf(hasShared)(`what is told in sentences${skipped}`, () => {
  it('R96 a time of recovery in a sentence of the harness is a claim that names no records', async () => {
    const told = async (note: string): Promise<readonly string[]> => {
      const records = changeType(readShared('restate-kp3'), 'trial_finished', (record) => withData(record, { note }));
      return (await trialOfRecords(records)).findings.map(({ text }) => text);
    };
    const [claim = ''] = await told('MTTR 0.4 seconds; p99 12ms');
    expect(claim).toContain('tells 0.4 seconds, 12ms in a sentence and names no start and end record');
    expect(await told('killed once, restarted by the harness')).toEqual([]);
    expect(await told('waited 30 s for the service')).toEqual([]);
  });
});
