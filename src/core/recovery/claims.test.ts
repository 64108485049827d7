/** Claims about shipped trials: what decides, what is not testable, and what concerns nothing. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { createEventCounter } from './claim-events.ts';
import { parseClaim } from './claim-text.ts';
import { judgeClaim } from './claims.ts';
import { analyseRecovery } from './index.ts';
import type { CampaignReport } from './report.ts';
import { campaignOf, control, incident, keyed, recordsOf, textIn, trialOf } from './testing/altered-trials.ts';
import { alter, toTrace } from './testing/opened-trials.ts';

describe('claims', () => {
  const nothing = { whyNot: () => undefined, count: () => ({ events: [], open: 0 }) };
  const base = { fault: { points: ['3'] }, protects: 'one ticket per case', continuation: 'the run completes' };

  function judge(clauses: readonly JsonObject[], more: JsonObject = {}): CampaignReport {
    const claim = parseClaim({ ...base, ...more, clauses });
    if (!claim.ok) throw new Error(claim.error);
    return campaignOf([incident, control, keyed], { claim: claim.value });
  }

  it('R87 a claim without one of its parts cannot be evaluated', () => {
    for (const part of ['fault', 'protects', 'continuation', 'clauses']) {
      const whole: JsonObject = { ...base, clauses: [{ id: 'a', text: 'a' }] };
      const rest = Object.fromEntries(Object.entries(whole).filter(([key]) => key !== part));
      const read = parseClaim(rest);
      expect(read.ok ? '' : read.error).toContain(`"${part}"`);
    }
  });

  it('judges each design by itself: one duplicates, the other does not', () => {
    const { claims } = judge([
      { id: 'once', text: 'no second ticket', metric: 'duplicates', predicate: '= 0' },
      { id: 'done', text: 'the run ends', event: { type: 'run.completed', after: 'fault' }, predicate: 'once' },
      { id: 'held', text: 'the key is stable', metric: 'no-missing-effect', predicate: 'holds' },
    ]);
    expect(claims.map(({ strategy, verdict }) => [strategy, verdict])).toEqual([
      ['journal, without idempotency key', 'failed'],
      ['journal, with idempotency key', 'holds in the tested trials'],
    ]);
    const [failed] = claims[0]?.clauses ?? [];
    expect(failed).toMatchObject({
      id: 'once',
      verdict: 'failed',
      trials: [{ holds: false, observed: 'duplicates 1' }],
    });
    expect(failed?.trials[0]?.events).toEqual(expect.arrayContaining(['ticket-service-1:1', 'ticket-service-1:4']));
  });

  it.each([
    ['bound to nothing', { id: 'x', text: 'it recovers gracefully' }, /no event and no metric/],
    ['no predicate', { id: 'x', text: 'x', metric: 'duplicates' }, /no predicate/],
    ['orchestration', { id: 'x', text: 'x', metric: 'orchestration', predicate: '< 500' }, /not a recovery/],
    ['explanatory', { id: 'x', text: 'x', metric: 'queueDepth', predicate: '< 5' }, /explains/],
    ['pooled', { id: 'x', text: 'x', metric: 'mean-completion', predicate: '< 5' }, /pools/],
    ['unknown', { id: 'x', text: 'x', metric: 'happiness', predicate: '> 5' }, /nothing called/],
    ['unmeasured', { id: 'x', text: 'x', metric: 'completion', predicate: '< 5' }, /not measured/],
    ['a verdict of the producer', { id: 'x', text: 'x', event: 'trial.finished', predicate: 'once' }, /verdict/],
    ['its name in a stream', { id: 'x', text: 'x', event: 'effect_duplicate_detected', predicate: 'never' }, /verdict/],
    [
      'a misspelt type',
      { id: 'x', text: 'x', event: 'tool_call.dispatchedd', predicate: 'never' },
      /no type of record/,
    ],
    ['a type of nobody', { id: 'x', text: 'x', event: { type: 'foo.bar' }, predicate: 'never' }, /no type of record/],
  ])('R88 R97 R99 %s is not testable, and never passed', (_name, clause, reason) => {
    const { claims } = judge([clause]);
    for (const { verdict, clauses } of claims) {
      expect(verdict).toBe('not established');
      expect(clauses[0]?.verdict).toBe('not testable');
      expect(clauses[0]?.reason).toMatch(reason);
    }
    expect(claims).toHaveLength(2);
  });

  it('R88 counts records by the names that streams give them, and by types that these records alone have', () => {
    const clause = (event: string, predicate: JsonValue): JsonObject => ({ id: event, text: 'x', event, predicate });
    const own = [...incident, { ...(incident.at(-1) ?? {}), id: 'own', seq: 999, type: 'foo.bar', data: {} }];
    const claim = parseClaim({
      ...base,
      clauses: [
        clause('effect_committed', 'never'),
        clause('effect.committed', 'never'),
        clause('run_completed', 'once'),
        clause('kill_point_reached', 'once'),
        clause('kill_point_escaped', 'never'),
        clause('foo.bar', 'once'),
      ],
    });
    if (!claim.ok) throw new Error(claim.error);
    const [verdict] = campaignOf([own], { claim: claim.value }).claims;
    expect(verdict?.clauses.map((one) => one.verdict)).toEqual([
      'failed',
      'failed',
      'holds',
      'holds',
      'holds',
      'holds',
    ]);
  });

  it('R31 R88 that no effect was committed is not known where its service has no records', () => {
    const blind = alter(
      incident.filter((record) => !textIn(record, 'type').startsWith('effect.')),
      'stream.declared',
      () => ({ producers: [] }),
    );
    const clauses = [{ id: 'x', text: 'x', event: 'effect.committed', predicate: 'never' }];
    const claim = parseClaim({ ...base, fault: 'any', clauses });
    if (!claim.ok) throw new Error(claim.error);
    const trial = { ...trialOf(blind), validity: 'valid' as const };
    const counter = createEventCounter(new Map([[trial.id, recordsOf(blind)]]));
    expect(judgeClaim(claim.value, { name: 'one' }, [trial], counter).verdict).toBe('not established');
  });

  it('R88 records of which no one says whether they came after the fault decide nothing', () => {
    const clause = { id: 'x', text: 'x', event: { type: 'run.failed', after: 'fault' }, predicate: 'never' };
    const claim = parseClaim({ ...base, clauses: [clause] });
    if (!claim.ok) throw new Error(claim.error);
    const unordered = { whyNot: () => undefined, count: () => ({ events: [], open: 1 }) };
    const [judged] = judgeClaim(claim.value, { name: 'one' }, [trialOf(incident)], unordered).clauses;
    expect(judged).toMatchObject({ verdict: 'not testable', trials: [{ holds: undefined }] });
  });

  it('R88 points and predicates are read as people and streams write them', () => {
    const read = (claim: JsonObject): unknown => {
      const parsed = parseClaim({ ...base, clauses: [{ id: 'x', text: 'x' }], ...claim });
      return parsed.ok ? parsed.value : parsed.error;
    };
    expect(read({ fault: { points: ['2-late', '2_LATE', 3, '2late'] } })).toMatchObject({
      fault: { points: ['2late', '2late', '3', '2late'] },
    });
    expect(read({ fault: { points: ['6'] } })).toMatch(/must be one of 1, 2, 2late, 3, 4, 5/);
    expect(read({ clauses: [] })).toMatch(/"clauses" must have at least one clause, and is an empty list\. /);
    const zeros = [0, '0', '== 0', '= 0', { op: '==', value: 0 }, { op: '===', value: 0 }];
    const verdicts = zeros.flatMap((predicate, i) =>
      judge([{ id: `c${String(i)}`, text: 'x', metric: 'duplicates', predicate }]).claims.map(({ verdict }) => verdict),
    );
    expect(verdicts).toEqual(zeros.flatMap(() => ['failed', 'holds in the tested trials']));
  });

  it('a claim that concerns nothing says so, and names what there is', () => {
    const { claims, claimNote } = judge([{ id: 'x', text: 'x', metric: 'duplicates', predicate: 0 }], {
      strategy: 'another design',
    });
    expect(claims).toEqual([]);
    expect(claimNote).toMatch(/concerns nothing.*"another design"; there are "journal, without idempotency key",/);
    const claim = parseClaim({ ...base, clauses: [{ id: 'x', text: 'x' }] });
    if (!claim.ok) throw new Error(claim.error);
    expect(analyseRecovery([toTrace('control', control)], { claim: claim.value }).claimNote).toMatch(/no trial with a/);
    expect(analyseRecovery([], { claim: claim.value }).claimNote).toMatch(/no trial among these files/);
    expect(judge([{ id: 'x', text: 'x' }]).claimNote).toBeUndefined();
  });

  it.each(['holds', '= 1', '>= 1', '!= false', '= TRUE', '> 0'])(
    'R88 an invariant that holds meets the predicate %s, and not its opposite',
    (predicate) => {
      const clause = { id: 'x', text: 'x', metric: 'no-missing-effect' };
      const [claim] = judge([
        { ...clause, predicate },
        { ...clause, id: 'y', predicate: '< 1' },
      ]).claims;
      expect(claim?.clauses.map(({ trials }) => trials.map(({ holds }) => holds))).toEqual([[true], [false]]);
    },
  );

  it('R88 a time that one of the kills never came to is not established; one that came too late fails all the same', () => {
    const trial = trialOf(incident);
    const known = trial.metrics.find(({ id }) => id === 'first-dispatch');
    if (known === undefined) throw new Error('the trial says nothing of its first dispatch');
    // Clocks of samples are made alike, so the time is put in; the anchors are those of the trial.
    const measured = { ...known, ordinal: 1, ms: 400, end: known.start, whyNot: undefined };
    const never = { ...known, ordinal: 2, ms: undefined, end: undefined, whyNot: 'no worker came after it' };
    const twice = { ...trial, metrics: [measured, never] };
    const verdictOf = (limit: number): JsonValue => {
      const clauses = [{ id: 't', text: 't', metric: measured.id, predicate: `<= ${String(limit)}` }];
      const claim = parseClaim({ ...base, clauses });
      if (!claim.ok) throw new Error(claim.error);
      const [clause] = judgeClaim(claim.value, { name: 'one' }, [twice], nothing).clauses;
      return {
        verdict: clause?.verdict ?? '',
        told: clause?.trials[0]?.observed.includes('no worker came after it') ?? false,
      };
    };
    expect(verdictOf(measured.ms)).toEqual({ verdict: 'not testable', told: true });
    expect(verdictOf(measured.ms - 1)).toEqual({ verdict: 'failed', told: false });
  });

  it('is about what was struck: another point has no trial', () => {
    const { claims } = judge([{ id: 'once', text: 'x', metric: 'duplicates', predicate: '= 0' }], {
      fault: { points: ['5'] },
    });
    expect(claims.map(({ clauses }) => clauses[0]?.reason)).toEqual([
      'no valid trial of this fault',
      'no valid trial of this fault',
    ]);
  });
});
