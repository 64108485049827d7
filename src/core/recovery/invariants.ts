/**
 * The invariants of a trial, one by one, each with the records it rests on (R125 to R128, R137, R138).
 *
 * "Not checked" says what is missing. Withholding of actions and invisibility downstream are judged only where a claim names them (R90).
 */
import type { HindcastEvent } from '../model/index.ts';
import type { EffectCommand } from '../projections/effects/ledger.ts';
import type { Kill } from './kills.ts';
import { findMissing, type Missing } from './missing-records.ts';
import { extraCallsOf, seenToText } from './outcome.ts';
import type { Comparison, Invariant, Outcome, Section } from './report.ts';
import { effectsNotInLedger } from './told-effects.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

type Verdict = Pick<Invariant, 'verdict' | 'reason' | 'events' | 'controlEvents'>;

export function computeInvariants(
  trial: TrialRecords,
  kills: readonly Kill[],
  outcome: Outcome,
  whyNoControl: string | undefined,
): readonly Invariant[] {
  const { commands } = trial.ledger;
  const missing = findMissing(trial);
  const compared = (match: (what: string) => boolean): Verdict =>
    comparisonsToVerdict(outcome.comparisons, match, whyNoControl);
  const ofAll = (verdict: Verdict): Verdict => (verdict.verdict === 'holds' ? orOpen(verdict, missing) : verdict);
  return [
    invariant(
      'no-duplicate-effect',
      'correctness',
      'No effect was executed twice for one command.',
      duplicates(outcome),
    ),
    invariant('no-missing-effect', 'correctness', 'No effect is missing that the run builds on.', losses(outcome)),
    invariant('run-completed', 'correctness', 'The run completed.', completed(outcome)),
    invariant('model-called-once', 'cost', 'No model was asked again because of a kill.', models(outcome)),
    invariant('one-execution-per-key', 'correctness', 'One idempotency key, one execution.', ofAll(perKey(commands))),
    invariant('key-stable', 'correctness', 'The attempts of one command carry one key.', ofAll(keyStable(commands))),
    invariant('key-of-one-command', 'correctness', 'One key belongs to one command.', ofAll(keyOfOne(commands))),
    invariant('key-with-one-body', 'correctness', 'One key goes with one request body.', ofAll(keyBody(commands))),
    invariant(
      'answer-is-in-ledger',
      'correctness',
      'Every effect a caller was told of is in the ledger.',
      orOpen(answered(commands), missing),
    ),
    invariant(
      'no-effect-without-request',
      'correctness',
      'Every execution has a recorded request.',
      orOpen(requested(trial), missing),
    ),
    invariant('state-versions-once', 'correctness', 'No state version was made twice.', ofAll(versions(trial))),
    invariant(
      'replay-completed',
      'correctness',
      'Every replay of the engine that began after a restart came to its end, or was killed.',
      replays(trial, kills),
    ),
    invariant(
      'output-equals-control',
      'correctness',
      'The output is that of the control.',
      compared((what) => what.startsWith('output')),
    ),
    invariant(
      'state-equals-control',
      'correctness',
      'The final states are those of the control.',
      compared((what) => what.startsWith('final state')),
    ),
    invariant(
      'effects-equal-control',
      'correctness',
      'The effects are those of the control.',
      compared((what) => what.startsWith('effects')),
    ),
  ];
}

function invariant(id: string, section: Section, text: string, verdict: Verdict): Invariant {
  return { id, section, text, ...verdict };
}

function verdictOf(bad: readonly string[], good: string, events: readonly string[]): Verdict {
  return bad.length === 0
    ? { verdict: 'holds', reason: good, events }
    : { verdict: 'violated', reason: bad.join('; '), events };
}

function notChecked(reason: string): Verdict {
  return { verdict: 'not checked', reason, events: [] };
}

/** That something is there once, or not there at all, is known where no record is known to be missing. */
function orOpen(verdict: Verdict, missing: Missing | undefined): Verdict {
  return missing === undefined || verdict.verdict === 'not checked'
    ? verdict
    : { ...notChecked(missing.text), events: missing.events };
}

function duplicates({ effects, duplicates: total }: Outcome): Verdict {
  if (effects.length === 0) return notChecked('no outside effect is recorded');
  // That the ledger has holes undoes nothing that it shows.
  const twice = effects.filter(({ duplicates: n, verdict }) =>
    n === undefined ? verdict === 'executed twice' : n > 0,
  );
  if (total === undefined && twice.length === 0) return notChecked(whyNotKnown(effects));
  const events = (twice.length > 0 ? twice : effects).flatMap(({ executions }) =>
    executions.flatMap((one) => one.events),
  );
  const bad = twice.map(
    ({ effect, executions, duplicatesAtLeast }) =>
      `${effect} was executed ${duplicatesAtLeast === true ? 'at least ' : ''}${executions.length} times`,
  );
  return verdictOf(bad, 'the ledger has one execution a command at most', events);
}

function losses({ effects, losses: total, pending, completed: isCompleted }: Outcome): Verdict {
  if (effects.length === 0) return notChecked('no outside effect is recorded');
  const missing = effects.filter(({ lost }) => lost === true).map(({ effect }) => effect);
  if (total === undefined && missing.length === 0) return notChecked(whyNotKnown(effects));
  const events = effects.flatMap(({ executions }) => executions.flatMap((one) => one.events));
  const count = Math.max(total ?? 0, missing.length);
  if (count > 0)
    return verdictOf([`${count} missing${missing.length === 0 ? '' : `: ${missing.join(', ')}`}`], '', events);
  if (isCompleted !== true && pending.length > 0)
    return notChecked(`the run did not complete; not executed so far: ${pending.join(', ')}`);
  return verdictOf([], 'the ledger has every effect the run builds on', events);
}

function whyNotKnown(effects: Outcome['effects']): string {
  return effects.flatMap((effect) => effect.whyNotKnown ?? [])[0] ?? 'no records of the service that was asked';
}

function completed({ completed: isCompleted, completedBy, completionText }: Outcome): Verdict {
  // A reason stands within sentences.
  const reason = completionText.charAt(0).toLowerCase() + completionText.slice(1).replace(/\.$/, '');
  if (isCompleted === undefined) return notChecked(reason);
  return verdictOf(isCompleted ? [] : [reason], reason, completedBy === undefined ? [] : [completedBy]);
}

function models(outcome: Outcome): Verdict {
  const { calls, extraCalls, extraEvents, unseen } = outcome.models;
  const again = extraCallsOf(outcome);
  if (again.count === undefined) return { ...notChecked(unseen?.why ?? ''), events: unseen?.events ?? [] };
  if (calls === 0) return notChecked('no model call is recorded');
  return verdictOf(
    extraCalls === 0 ? [] : [`${seenToText(again)} asked again`],
    calls === 1 ? 'one call, not asked again' : `${calls} calls, none asked again`,
    extraEvents,
  );
}

/** What was asked, and what the service said of it, by idempotency key, over all commands: a refusal tells of a body as well. */
function byKey(
  commands: readonly EffectCommand[],
): ReadonlyMap<string, readonly { readonly command: EffectCommand; readonly event: HindcastEvent }[]> {
  const keys = new Map<string, { readonly command: EffectCommand; readonly event: HindcastEvent }[]>();
  for (const command of commands) {
    for (const { records } of command.attempts) {
      const { dispatched, requested: came, committed, deduplicated, refused } = records;
      for (const event of [...dispatched, ...came, ...committed, ...deduplicated, ...refused]) {
        const key = textIn(event.data, 'idempotency_key');
        if (key !== undefined) keys.set(key, [...(keys.get(key) ?? []), { command, event }]);
      }
    }
  }
  return keys;
}

function perKey(commands: readonly EffectCommand[]): Verdict {
  const bad: string[] = [];
  const events: string[] = [];
  for (const [key, uses] of byKey(commands)) {
    const made = uses.filter(({ event }) => event.type === 'effect.committed');
    const ids = new Set(made.map(({ event }) => textIn(event.data?.['effect'] ?? event.data, 'id') ?? event.id));
    if (ids.size > 1) bad.push(`${ids.size} executions under key ${key}`);
    events.push(...made.map(({ event }) => event.id));
  }
  return byKey(commands).size === 0
    ? notChecked('no key was sent')
    : verdictOf(bad, 'no key has a second execution', events);
}

function keyStable(commands: readonly EffectCommand[]): Verdict {
  const keyed = commands.filter(({ attempts }) => attempts.some(({ key }) => key !== undefined));
  if (keyed.length === 0) return notChecked('no key was sent');
  const bad = keyed.filter(({ attempts }) => keysSent(attempts).size > 1);
  const events = keyed.flatMap(({ attempts }) =>
    attempts.flatMap(({ records }) => records.dispatched.map(({ id }) => id)),
  );
  return verdictOf(
    bad.map(({ path }) => `${path} was asked under several keys`),
    'every attempt carried the same key',
    events,
  );
}

/**
 * Of attempts whose request is recorded, and as the service tells that they came; the empty text stands for a request that names no key.
 */
function keysSent(attempts: EffectCommand['attempts']): ReadonlySet<string> {
  const sent = attempts.filter(({ records }) => records.dispatched.length > 0);
  const came = sent.flatMap(({ records }) =>
    [...records.requested, ...records.committed, ...records.deduplicated].flatMap(
      (event) => textIn(event.data, 'idempotency_key') ?? [],
    ),
  );
  return new Set([...sent.map(({ key }) => key ?? ''), ...came]);
}

function keyOfOne(commands: readonly EffectCommand[]): Verdict {
  const keys = byKey(commands);
  if (keys.size === 0) return notChecked('no key was sent');
  const bad = [...keys].filter(
    ([, uses]) => new Set(uses.map(({ command }) => `${command.run}|${command.path}`)).size > 1,
  );
  const events = bad.flatMap(([, uses]) => uses.map(({ event }) => event.id));
  return verdictOf(
    bad.map(([key]) => `key ${key} was used by several commands`),
    'no key is shared',
    events,
  );
}

/** By what the service computed of the body; else by the digest of what the caller says it sent. */
function keyBody(commands: readonly EffectCommand[]): Verdict {
  const keys = byKey(commands);
  if (keys.size === 0) return notChecked('no key was sent');
  const bad: string[] = [];
  const events: string[] = [];
  for (const [key, uses] of keys) {
    const bodies = new Map<string, string>();
    const before = events.length;
    for (const { event } of uses) {
      for (const name of ['request_digest', 'input_digest']) {
        const digest = textIn(event.data, name);
        if (digest === undefined) continue;
        const first = bodies.get(name);
        if (first !== undefined && first !== digest) events.push(event.id);
        bodies.set(name, first ?? digest);
      }
    }
    if (events.length > before) bad.push(`key ${key} came with another body`);
  }
  return verdictOf([...new Set(bad)], 'no key came with a second body', events);
}

function answered(commands: readonly EffectCommand[]): Verdict {
  const told = commands.filter(({ hasServiceRecords }) => hasServiceRecords);
  if (told.length === 0) return notChecked('no records of the service that was asked');
  const bad: string[] = [];
  const events: string[] = [];
  for (const command of told) {
    const { path, attempts, verdict } = command;
    if (verdict === 'missing') bad.push(`${path}: a caller was answered and the ledger has nothing`);
    for (const { records } of attempts) for (const { id } of records.acknowledged) events.push(id);
    for (const { id } of effectsNotInLedger(command)) bad.push(`${path}: effect ${id} is not in the ledger`);
  }
  return verdictOf([...new Set(bad)], 'the ledger has what callers were told', events);
}

function requested({ ledger }: TrialRecords): Verdict {
  const made = ledger.unmatched.filter(({ type }) => type === 'effect.committed');
  return verdictOf(
    made.map(({ id }) => `${id} answers no recorded request`),
    'each execution answers a request',
    made.map(({ id }) => id),
  );
}

function versions(trial: TrialRecords): Verdict {
  const made = trial.ofType('state.transitioned').filter(({ replayed }) => replayed !== true);
  if (made.length === 0) return notChecked('no state transition is recorded');
  const seen = new Map<string, string>();
  const bad: string[] = [];
  for (const { id, run, data } of made) {
    const version = `${run}|${data.name ?? ''}|${String(data.to)}`;
    if (data.to !== undefined && seen.has(version))
      bad.push(`version ${String(data.to)} of ${data.name ?? 'the state'} was made twice`);
    seen.set(version, id);
  }
  return verdictOf(
    bad,
    'every version was made once',
    made.map(({ id }) => id),
  );
}

function replays(trial: TrialRecords, kills: readonly Kill[]): Verdict {
  const begun = trial.ofType('recovery.replay_started');
  if (begun.length === 0) return notChecked('no replay of the engine is recorded');
  const killed = new Set(kills.flatMap(({ life }) => life?.key ?? []));
  const silent: string[] = [];
  for (const life of trial.workers) {
    const own = trial.ofLife(life);
    const hasBegun = own.some(({ type }) => type === 'recovery.replay_started');
    const hasEnded = own.some(({ type }) => type === 'recovery.replay_completed');
    if (hasBegun && !hasEnded && !killed.has(life.key)) silent.push(life.label);
  }
  const ended = trial.ofType('recovery.replay_completed');
  const events = [...begun, ...ended].map(({ id }) => id);
  if (silent.length > 0)
    return { ...notChecked(`${silent.join(', ')}: the engine records no end of its replay`), events };
  return verdictOf([], `${ended.length} of ${begun.length} came to an end, the others were killed`, events);
}

function comparisonsToVerdict(
  comparisons: readonly Comparison[],
  match: (what: string) => boolean,
  whyNot: string | undefined,
): Verdict {
  if (whyNot !== undefined) return notChecked(whyNot);
  const chosen = comparisons.filter(({ what }) => match(what));
  const events = chosen.flatMap(({ faulted }) => faulted);
  const controlEvents = chosen.flatMap(({ control }) => control);
  const evidence = { events, ...(controlEvents.length === 0 ? {} : { controlEvents }) };
  const bad = chosen.filter(({ verdict }) => verdict === 'differs').map(({ what, text }) => `${what}: ${text}`);
  const open = chosen.filter(({ verdict }) => verdict === 'not comparable').map(({ what, text }) => `${what}: ${text}`);
  if (bad.length === 0 && (open.length > 0 || chosen.length === 0))
    return { ...notChecked(open.join('; ') || 'nothing recorded to compare'), ...evidence };
  return { ...verdictOf(bad, 'equal', events), ...evidence };
}
