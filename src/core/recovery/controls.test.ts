/** Controls of shipped trials, the control that must fail, effects that are not in the ledger, and verdicts of producers. */
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { analyseRecovery } from './index.ts';
import type { CampaignReport } from './report.ts';
import { campaignOf, control, incident, keyed, objectIn, textIn, trialOf } from './testing/altered-trials.ts';
import { alter, readSample, toTrace, toWhole } from './testing/opened-trials.ts';

describe('what the ledger does not have', () => {
  const path = '/write:tickets.create#0';
  const isOfWrite = (record: JsonObject): boolean => objectIn(record, 'command')['path'] === path;
  const asked = incident.find((record) => isOfWrite(record) && record['type'] === 'tool_call.dispatched') ?? {};
  const isFirstLife = (record: JsonObject): boolean =>
    JSON.stringify(objectIn(record, 'source')) === JSON.stringify(objectIn(asked, 'source'));
  /** Killed when the service held the request, which it dropped; the later life completes without asking again. */
  const unmade = (['fault.injected', 'fault.armed', 'fault.witnessed'] as const)
    .reduce<readonly JsonObject[]>((list, type) => alter(list, type, () => ({ kill_point: '2' })), incident)
    .filter((record) => !isOfWrite(record) || (record['type'] === 'tool_call.dispatched' && isFirstLife(record)))
    .filter(
      (record) => !['effect.committed', 'duplicate.detected'].includes(textIn(record, 'type')) || !isAbout(record),
    )
    .map((record): JsonObject =>
      record['type'] === 'trial.started'
        ? { ...record, data: { ...objectIn(record, 'data'), cell: { effect: path, points: ['2'] } } }
        : record,
    );

  function isAbout(record: JsonObject): boolean {
    return /"842[12]"/.test(JSON.stringify(record));
  }

  it('R95 R100 an effect that was asked for, never answered and is not in the ledger is lost when the run completes', () => {
    const campaign = campaignOf([toWhole(unmade)]);
    const [trial] = campaign.trials;
    expect([trial?.validity, trial?.placements[0]?.point, trial?.outcome.completed]).toEqual(['valid', '2', true]);
    expect([trial?.outcome.duplicates, trial?.outcome.losses]).toEqual([0, 1]);
    expect(trial?.invariants.find(({ id }) => id === 'no-missing-effect')).toMatchObject({ verdict: 'violated' });
    expect(campaign.strategies[0]?.statement).toContain('missing in 1 of 1;');
    expect(campaign.strategies[0]?.grid.find(({ effect, point }) => effect === path && point === '2')).toMatchObject({
      withLosses: 1,
    });
  });

  it('R95 an answer by which the program knows that nothing was made is no loss, and a run that goes on has lost nothing yet', () => {
    const told = { ...asked, id: 'told', seq: 1000, type: 'tool_call.failed', data: { executed: false } };
    const answered = { ...told, causes: [{ event: asked['id'] ?? '', as: 'result_of' }] };
    expect(trialOf(toWhole([...unmade, answered])).outcome.losses).toBe(0);
    expect(trialOf(toWhole(unmade.filter(({ type }) => type !== 'run.completed'))).outcome).toMatchObject({
      losses: 0,
      pending: [path],
    });
  });

  it('R95 is not known where a later life executed the same tool under another path: commands may be numbered anew', () => {
    const later = incident
      .filter((record) => isOfWrite(record) && !isFirstLife(record) && textIn(record, 'id').startsWith('worker-2'))
      .map((record): JsonObject => ({
        ...record,
        command: { ...objectIn(record, 'command'), path: '/write:tickets.create#7' },
      }));
    const dispatched = later.find(({ type }) => type === 'tool_call.dispatched') ?? {};
    const commit = incident.find((record) => record['type'] === 'effect.committed' && isAbout(record)) ?? {};
    const made = {
      ...commit,
      id: 'made',
      seq: 1000,
      command: objectIn(dispatched, 'command'),
      causes: [{ event: textIn(dispatched, 'id'), as: 'result_of' }],
    };
    const { outcome, invariants } = trialOf(toWhole([...unmade, dispatched, made]));
    expect([outcome.duplicates, outcome.losses]).toEqual([0, undefined]);
    expect(invariants.find(({ id }) => id === 'no-missing-effect')).toMatchObject({
      verdict: 'not checked',
      reason: expect.stringContaining('/write:tickets.create#7 executed the same tool later'),
    });
  });
});

describe('control, negative control, claims of producers', () => {
  it('R91 refuses a control of another configuration and names the difference; the trial stays valid', () => {
    const other = alter(control, 'trial.started', (data) => ({
      envelope: { ...objectIn(data, 'envelope'), retry_policy: 'none' },
    }));
    const trial = trialOf(incident, other);
    expect(trial.control).toMatchObject({ status: 'refused', differences: [{ field: 'retry_policy' }] });
    expect(trial.validity).toBe('valid');
    expect(trial.invariants.find(({ id }) => id === 'output-equals-control')?.verdict).toBe('not checked');
    expect(trialOf(incident, control).control.status).toBe('compared');
    expect(trialOf(incident).control.status).toBe('absent');
  });

  it.each([
    ['another program', 'worker.spawned', { versions: { worker: '1.0', program: '9.9' } }, 'process: versions.program'],
    ['another worker', 'worker.spawned', { versions: { worker: '9.9', program: '3.2' } }, 'process: versions.worker'],
    ['another way to go on', 'worker.spawned', { resume: 'none' }, 'process: resume'],
    ['another variable', 'worker.spawned', { env: { IDEM: '1' } }, 'process: env.IDEM'],
    ['another sandbox', 'worker.started', { versions: { sandbox: 'other' } }, 'worker: versions.sandbox'],
    ['another version of the run', 'run.started', { engine: { name: 'other' } }, 'run: engine.digest'],
    ['another case', 'run.started', { input: { case: 'CASE-9' } }, 'run: input.case'],
    ['another commit', 'trial.started', { commit: 'deadbeef' }, 'commit'],
  ])('R91 refuses a control of %s, by the records of its starts', (_, type, data, field) => {
    const { control: report, validity } = trialOf(
      incident,
      alter(control, type, () => data),
    );
    expect([report.status, validity]).toEqual(['refused', 'valid']);
    expect(report.differences.map((difference) => difference.field)).toContain(field);
  });

  it('R93 R137 what equals the control names the records of the trial, and those of the control apart', () => {
    const { trials } = campaignOf([incident, control]);
    const [trial, other] = ['ticket-incident', 'clean-control'].map((name) => trials.find((one) => one.name === name));
    if (trial === undefined || other === undefined) throw new Error('a trial and its control');
    const compared = trial.invariants.filter(({ id }) => id.endsWith('-control'));
    expect(compared.length).toBe(3);
    const completions = [incident, control].map(
      (records) => records.find(({ type }) => type === 'run.completed')?.['id'],
    );
    const output = compared.find(({ id }) => id === 'output-equals-control');
    expect([output?.events, output?.controlEvents]).toEqual(completions.map((id) => [id]));
    const ids = [incident, control].map((records) => new Set<unknown>(records.map(({ id }) => id)));
    for (const { events, controlEvents = [] } of compared) {
      expect([...events].every((id) => ids[0]?.has(id))).toBe(true);
      expect(controlEvents.every((id) => ids[1]?.has(id))).toBe(true);
    }
    expect(trial.control.trial).toBe(other.id);
  });

  it('R91 a control of another program text is refused and named, whatever digest stands beside it', () => {
    const texts = (change: (source: string) => JsonValue) => (data: JsonObject) => {
      const program = objectIn(data, 'program');
      return { program: { ...program, source: change(textIn(program, 'source')) } };
    };
    const other = trialOf(
      incident,
      alter(
        control,
        'run.started',
        texts((source) => `${source}\n// patched`),
      ),
    );
    expect(other.control.status).toBe('refused');
    expect(other.control.differences.map(({ field }) => field)).toEqual(['run: program.source']);
    expect(other.control.text).toMatch(/program\.source: "text of sha256:\w{12}", here "text of sha256:\w{12}"/);
    expect(other.outcome.comparisons).toEqual([]);
    const both = alter(control, 'run.started', (data) => ({
      program: { ...objectIn(data, 'program'), source: 'other', digest: `sha256:${'0'.repeat(64)}` },
    }));
    const named = trialOf(incident, both).control.differences.map(({ field }) => field);
    expect(named).toEqual(['run: program.digest']);
    // Left out, it is none.
    const bare = alter(control, 'run.started', (data) => {
      const { source: _left, name, ...rest } = objectIn(data, 'program');
      return { program: { name: name ?? '', ...rest } };
    });
    expect(trialOf(incident, bare).control.status).toBe('compared');
  });

  it.each<readonly [string, JsonValue | undefined]>([
    ['kill_points', undefined],
    ['kill_points', null],
    ['kill_points', 'none: this is the control'],
    ['injector', undefined],
  ])('R91 R94 a control whose envelope says %s: %j is compared, as one of the same design', (name, value) => {
    const bare = alter(control, 'trial.started', (data) => {
      const { [name]: _left, ...rest } = objectIn(data, 'envelope');
      return { envelope: value === undefined ? rest : { ...rest, [name]: value } };
    });
    expect(objectIn(objectIn(control[1] ?? {}, 'data'), 'envelope')[name]).toBeDefined();
    const campaign = campaignOf([incident, bare]);
    expect(campaign.trials.find(({ arm }) => arm === 'faulted')?.control.status).toBe('compared');
    expect(campaign.strategies).toHaveLength(1);
  });

  it('R91 R131 a control of another injector, and one that leaves out what is no matter of the fault, is refused', () => {
    const changed = (change: (envelope: JsonObject) => JsonObject): string =>
      trialOf(
        incident,
        alter(control, 'trial.started', (data) => ({ envelope: change(objectIn(data, 'envelope')) })),
      ).control.status;
    expect(changed((envelope) => ({ ...envelope, injector: 'another 2' }))).toBe('refused');
    expect(changed(({ metrics: _left, ...rest }) => rest)).toBe('refused');
    const redefined = alter(keyed, 'trial.started', (data) => ({
      envelope: { ...objectIn(data, 'envelope'), kill_points: 'another definition' },
    }));
    expect(
      campaignOf([keyed, redefined.map((record) => ({ ...record, run: 'a'.repeat(32) }))]).strategies,
    ).toHaveLength(2);
  });

  it('R91 refuses a control of which a process failed', () => {
    const failed = alter(control, 'worker.exited', () => ({ code: 1 }));
    expect(trialOf(incident, failed).control).toMatchObject({
      status: 'refused',
      text: expect.stringContaining('ended with code 1'),
    });
  });

  it('R93 a control without records of the service has not executed nothing: its effects are not comparable', () => {
    const blind = alter(control, 'stream.declared', () => ({ producers: [] })).filter(
      (record) => !textIn(record, 'type').startsWith('effect.'),
    );
    const [effects] = trialOf(incident, blind).outcome.comparisons.filter(({ what }) => what === 'effects executed');
    expect(effects ?? { verdict: 'not comparable' }).toMatchObject({ verdict: 'not comparable' });
    expect(trialOf(incident, blind).invariants.find(({ id }) => id === 'effects-equal-control')?.verdict).toBe(
      'not checked',
    );
  });

  it('R115 a naive control that passes after a commitment makes the campaign suspect, with the three causes', () => {
    const passing = alter(keyed, 'trial.started', () => ({ arm: 'negative-control' }));
    const campaign = campaignOf([passing, incident, control]);
    expect(campaign).toMatchObject({
      suspect: true,
      negativeControl: { status: 'passes', passing: [{ points: ['3'] }] },
    });
    expect(campaign.negativeControl.causes).toHaveLength(3);
    const failing = campaignOf([alter(incident, 'trial.started', () => ({ arm: 'negative-control' })), control]);
    expect(failing).toMatchObject({ suspect: false, negativeControl: { status: 'fails as it must' } });
    expect(campaignOf([incident, control]).negativeControl.status).toBe('absent');
  });

  it('R89 R115 where it passed, each statement says first that it must not be quoted, and no claim holds; what failed stays failed', () => {
    const passing = alter(keyed, 'trial.started', () => ({ arm: 'negative-control' }));
    const failing = alter(keyed, 'trial.started', () => ({ arm: 'faulted' }));
    const judged = (metric: string, beside: readonly JsonObject[]): CampaignReport => {
      const clauses = [{ id: 'own', text: 'own', metric, predicate: '= 0' }];
      const whole = { fault: { points: ['3' as const] }, protects: 'a ticket', continuation: 'the end', clauses };
      return campaignOf([beside, incident, control], { claim: whole });
    };
    const verdictOf = ({ claims }: CampaignReport): string | undefined =>
      claims.find(({ strategy }) => strategy.includes('without'))?.verdict;
    const suspect = judged('losses', passing);
    expect(suspect.strategies).toHaveLength(2);
    for (const { statement } of suspect.strategies)
      expect(statement).toMatch(
        /^This must not be quoted: the control that must fail passed, so that [^.]+\. In 1 valid/,
      );
    expect(suspect.claims.map(({ verdict, text }) => [verdict, text])).toEqual([
      ['not established', expect.stringContaining(': the control that must fail passed, so that')],
    ]);
    expect(verdictOf(judged('losses', failing))).toBe('holds in the tested trials');
    expect(verdictOf(judged('duplicates', passing))).toBe('failed');
  });

  it('R89 R115 where none is there, or none was struck after a commitment, a statement says at its end what is not shown', () => {
    const told = (...files: readonly (readonly JsonObject[])[]): readonly (string | undefined)[] =>
      campaignOf(files).strategies.map(({ statement }) => statement.split('That duplicates would have been seen')[1]);
    expect(told(incident)).toEqual([' is not shown: no control that must fail is among the trials.']);
    const unjudged = alter(
      alter(keyed, 'trial.started', () => ({ arm: 'negative-control' })),
      'fault.injected',
      () => ({ kill_point: '1' }),
    );
    expect(told(unjudged, incident).at(-1)).toMatch(
      /^ is not shown: no kill after a commitment in a valid trial .*\.$/,
    );
    expect(told(alter(incident, 'trial.started', () => ({ arm: 'negative-control' })))).toEqual([undefined]);
  });

  it('R115 is judged by the effect that was struck: that another was executed twice does not count for it', () => {
    const made = incident.filter(({ type }) => type === 'effect.committed');
    const isSecond = (record: JsonObject): boolean => JSON.stringify(record).includes('"8422"');
    const mail = made.find((record) => objectIn(record, 'command')['path'] === '/write:mail.send#0') ?? {};
    const twice = { ...mail, id: 'mail-again', seq: 1000, data: { effect: { kind: 'mail.send', id: 'again' } } };
    const isGone = (record: JsonObject): boolean =>
      record['type'] === 'duplicate.detected' || (record['type'] === 'effect.committed' && isSecond(record));
    const once = incident.filter((record) => !isGone(record));
    const toldFirst: unknown = JSON.parse(JSON.stringify(toWhole([...once, twice])).replaceAll('8422', '8421'));
    const records = Array.isArray(toldFirst) ? toldFirst.filter(isJsonObject) : [];
    const campaign = campaignOf([alter(records, 'trial.started', () => ({ arm: 'negative-control' }))]);
    expect(campaign.trials[0]?.outcome.duplicates).toBe(1);
    expect(campaign).toMatchObject({ suspect: true, negativeControl: { status: 'passes' } });
    expect(campaign.negativeControl.text).toContain('/write:tickets.create#0 was not executed again');
  });

  it.each([
    ['Naive', 'fails as it must'],
    ['naive-restart', 'fails as it must'],
    ['naive_nokey', 'fails as it must'],
    ['NaiveRestart', 'fails as it must'],
    ['naive-idem', 'absent'],
    ['naive key', 'absent'],
    ['journal', 'absent'],
  ])('R115 the name %s of an engine: the control that must fail %s', (engine, status) => {
    const records = alter(incident, 'trial.started', (data) => ({
      arm: null,
      cell: null,
      engine,
      envelope: { ...objectIn(data, 'envelope'), idempotency_key: false },
    })).map((record) => {
      const data = Object.entries(objectIn(record, 'data')).filter(([, value]) => value !== null);
      return record['type'] === 'trial.started' ? { ...record, data: Object.fromEntries(data) } : record;
    });
    const { negativeControl } = campaignOf([records]);
    expect(negativeControl.status).toBe(status);
    expect(negativeControl.text).not.toContain('looks like one');
  });

  it('R115 a name that is like that of a naive engine is told, and declares nothing', () => {
    const records = alter(incident, 'trial.started', () => ({ cell: { strategy: 'baseline' } }));
    const { negativeControl, suspect } = campaignOf([records]);
    expect([negativeControl.status, suspect]).toEqual(['absent', false]);
    expect(negativeControl.text).toContain('"baseline" looks like one');
  });

  it('R96 a number without two records is found and stands nowhere as a measurement', () => {
    const bare = alter(incident, 'trial.finished', () => ({ recovery_ms: 120 }));
    const trial = trialOf(bare);
    expect(trial.findings).toMatchObject([
      { code: 'unanchored-number', text: expect.stringContaining('"recovery_ms"') },
    ]);
    expect(JSON.stringify(trial.metrics)).not.toContain('120');
    const wrong = alter(incident, 'trial.finished', () => ({
      recovery: { total_ms: 120, start: 'harness-1:4', end: 'worker-2:57' },
    }));
    expect(trialOf(wrong).findings.map(({ code }) => code)).toEqual(['anchors-disagree']);
  });

  it('verdicts of producers are compared and told', () => {
    const boast = alter(
      alter(incident, 'trial.finished', () => ({ completed: false, duplicates: 0 })),
      'invariant.checked',
      () => ({ verdict: 'holds' }),
    );
    expect(trialOf(boast).findings.map(({ text }) => text)).toEqual([
      expect.stringContaining('"one-ticket-per-case" is holds'),
      expect.stringContaining('completed: false; the records say true'),
      expect.stringContaining('duplicates: 0; the records say 1'),
    ]);
    expect(trialOf(boast).outcome).toMatchObject({ completed: true, duplicates: 1 });
  });

  it('what a harness says of tickets is compared with the tickets, whatever else was executed twice', () => {
    const isMail = (record: JsonObject): boolean => objectIn(record, 'command')['path'] === '/write:mail.send#0';
    const made = keyed.find((record) => record['type'] === 'effect.committed' && isMail(record)) ?? {};
    const own = keyed.filter((record) => textIn(record, 'id').startsWith('ticket-service-1:'));
    const seq = Math.max(...own.map((record) => Number(record['seq']))) + 1;
    const data = { ...objectIn(made, 'data'), effect: { kind: 'mail.send', id: 'mail-302' } };
    const trial = trialOf([...keyed, { ...made, id: `ticket-service-1:${String(seq)}`, seq, data }]);
    expect(trial.outcome.duplicates).toBe(1);
    expect(trial.findings.filter(({ text }) => text.includes('one-ticket-per-case'))).toEqual([]);
    const boast = alter(incident, 'invariant.checked', () => ({ verdict: 'holds' }));
    expect(trialOf(boast).findings[0]?.text).toContain('violated, the ledger has 2 tickets');
  });

  it('R133 designs of different workloads are not compared', () => {
    const working = (workload: string): readonly JsonObject[] =>
      alter(keyed, 'trial.started', (data) => ({ envelope: { ...objectIn(data, 'envelope'), workload } }));
    expect(campaignOf([incident, keyed]).comparison.allowed).toBe(true);
    const { comparison } = campaignOf([incident, working('9 payments')]);
    expect(comparison).toMatchObject({ allowed: false, text: expect.stringContaining('"9 payments"') });
    expect(campaignOf([incident, working('')]).comparison).toMatchObject({
      allowed: false,
      text: expect.stringContaining('not on record'),
    });
  });

  it('R103 a kill with another number than its place keeps its place', () => {
    const trial = trialOf(alter(incident, 'fault.injected', () => ({ ordinal: 4 })));
    expect(trial.placements[0]).toMatchObject({ ordinal: 1, recordedOrdinal: 4 });
    expect(trial.validity).toBe('not established');
    expect(trial.findings.map(({ code }) => code)).toContain('ordinal-contradicted');
  });

  it('R112 a random kill does not count as one placed on purpose', () => {
    const random = alter(incident, 'trial.started', () => ({ design: 'random' }));
    const [strategy] = campaignOf([random, control]).strategies;
    const cell = strategy?.grid.find(({ effect, point }) => effect === '/write:tickets.create#0' && point === '3');
    expect(cell).toMatchObject({ fixed: [], random: [expect.any(String)] });
    expect(strategy?.uncovered).toHaveLength(12);
  });

  it('R129 R132 names what the envelope lacks and what has changed since', () => {
    const poor = alter(incident, 'trial.started', (data) => {
      const { topology: _topology, input_rate: _rate, ...rest } = objectIn(data, 'envelope');
      return { envelope: { ...rest, metrics: {} } };
    });
    const trial = trialOf(poor);
    expect(trial.envelope.missing).toEqual(['topology', 'input rate', 'definition of the metrics']);
    expect(trial.validity).toBe('valid');
    const { strategies } = campaignOf([incident], { present: { persistence: 'batched', topology: 'two hosts' } });
    expect(strategies[0]?.stale.map(({ field }) => field)).toEqual(['persistence']);
    expect(strategies[0]?.staleText).toMatch(/^Stale: persistence/);
  });

  it('tells of runs that belong to no trial', () => {
    const { campaigns, unmatched } = analyseRecovery([toTrace('warranty', readSample('wrong-observation'))]);
    expect(campaigns).toEqual([]);
    expect(unmatched).toMatchObject([{ trace: 'warranty' }]);
  });
});
