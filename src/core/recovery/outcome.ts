/**
 * How a trial ended: completion, duplicates and losses by the external ledger, model calls made again (R95, R100, R136).
 *
 * Invariant: an execution is what a service recorded, joined to commands and process lives; the engine's own journal decides nothing.
 * Without records of the service duplicates and losses are "not known", which is not zero. A hole in the ledger undoes nothing that
 * stands in it: what was executed twice was, at least so often.
 */
import type { EffectCommand } from '../projections/effects/ledger.ts';
import type { Execution as LedgerExecution } from '../projections/effects/verdict.ts';
import { type Completion, computeCompletion } from './completion.ts';
import { gapsOf, gapsToText } from './ledger-gaps.ts';
import { isLeftOpen, openToClauses } from '../projections/effects/open-words.ts';
import { strayCommitments, straysToText, toLoss, whyPerhapsAgain } from './lost-effects.ts';
import { findUnreadOf } from './missing-records.ts';
import { computeModels } from './model-cost.ts';
import type { Comparison, EffectOutcome, Execution, Outcome } from './report.ts';
import { effectsNotInLedger, toldToText } from './told-effects.ts';
import type { TrialRecords } from './trial-records.ts';

/** The control, where one may be compared with. */
export interface ControlRecords {
  readonly trial: TrialRecords;
  readonly outcome: Outcome;
}

export function computeOutcome(
  trial: TrialRecords,
  control: ControlRecords | undefined,
  comparisons: readonly Comparison[],
): Outcome {
  const completion = computeCompletion(trial);
  const { completed } = completion;
  const judged = trial.ledger.commands.map((command) => toEffect(trial, command, completion));
  const expected = control?.outcome.effects.filter(({ executions }) => executions.length > 0) ?? [];
  const absent = expected.filter(({ effect }) => !judged.some((one) => one.effect === effect && isDone(one)));
  const lacksWork = completion.lacksWork === true;
  // Nothing that is here asked for anything: that may be what is missing.
  const isNothing = lacksWork && judged.length === 0;
  const isKnown = !completion.isCutOff && !isNothing;
  const isWhole = isKnown && judged.every((one) => one.duplicates !== undefined && !isAtLeast(one));
  const isLossKnown = isKnown && !lacksWork && judged.every((one) => one.lost !== undefined);
  const lost = new Set(judged.filter((one) => one.lost === true).map(({ effect }) => effect));
  if (completed === true) for (const { effect } of absent) lost.add(effect);
  const effects = judged.map((one) => (one.lost !== undefined && lost.has(one.effect) ? { ...one, lost: true } : one));
  const pending =
    completed !== true
      ? [...new Set([...effects.filter((one) => !isDone(one)), ...absent].map(({ effect }) => effect))].filter(
          (effect) => !lost.has(effect),
        )
      : [];
  return {
    completed,
    completedBy: completed === true ? completion.by?.id : undefined,
    completionText: completion.text,
    effects,
    ...countOf(completion.isCutOff ? 0 : effects.reduce((sum, { duplicates = 0 }) => sum + duplicates, 0), isWhole),
    losses: isLossKnown ? lost.size : undefined,
    pending,
    comparisons,
    models: computeModels(trial, control?.outcome.models),
  };
}

/** Nothing seen where something may be missing is not known; something seen is a lower bound. */
function countOf(seen: number, isWhole: boolean): Pick<EffectOutcome, 'duplicates' | 'duplicatesAtLeast'> {
  if (isWhole) return { duplicates: seen };
  return seen === 0 ? { duplicates: undefined } : { duplicates: seen, duplicatesAtLeast: true };
}

/** "5", "at least 5", "not known". */
export function duplicatesToText(outcome: Pick<Outcome, 'duplicates' | 'duplicatesAtLeast'>): string {
  return seenToText({ count: outcome.duplicates, isAtLeast: isAtLeast(outcome) });
}

/** A number of records, where some may not be there: undefined where none is. */
export interface SeenCount {
  readonly count: number | undefined;
  readonly isAtLeast: boolean;
}

/** Model calls made again. Where some may be missing those that are seen are a lower bound, and none are not known. */
export function extraCallsOf({ models: { extraCalls, unseen } }: Pick<Outcome, 'models'>): SeenCount {
  return seenOf(extraCalls, unseen !== undefined);
}

export function modelCallsOf({ models: { calls, callsAtLeast, unseen } }: Pick<Outcome, 'models'>): SeenCount {
  return seenOf(calls, unseen !== undefined || callsAtLeast === true);
}

function seenOf(seen: number, isMore: boolean): SeenCount {
  if (!isMore) return { count: seen, isAtLeast: false };
  return { count: seen === 0 ? undefined : seen, isAtLeast: seen > 0 };
}

/** "5", "at least 5", "not known". */
export function seenToText({ count, isAtLeast }: SeenCount): string {
  return count === undefined ? 'not known' : `${isAtLeast ? 'at least ' : ''}${count}`;
}

export function isAtLeast({ duplicatesAtLeast }: Pick<EffectOutcome, 'duplicatesAtLeast'>): boolean {
  return duplicatesAtLeast === true;
}

function isDone({ executions, verdict, duplicates }: EffectOutcome): boolean {
  return executions.length > 0 || verdict === 'executed once' || duplicates === undefined;
}

function toEffect(
  trial: TrialRecords,
  command: EffectCommand,
  { completed, isCutOff, text }: Completion,
): EffectOutcome {
  const { attempts, executions, hasServiceRecords } = command;
  const loss = toLoss(trial, command, completed === true);
  const strays = strayCommitments(trial, command);
  const twice = countDuplicates(executions);
  const hole = whyHole(trial, command) ?? (isCutOff ? text.replace(/\.$/, '') : undefined);
  const isToldOfMore = toldBeside(command).length > 0;
  const perhaps = twice > 0 ? undefined : whyPerhapsAgain(trial, command);
  const isOne = strays.length === 0 && perhaps === undefined;
  const isCounted = hasServiceRecords && hole === undefined && (twice > 0 || isOne);
  const idsOf = (pick: 'deduplicated' | 'refused'): readonly string[] =>
    attempts.flatMap(({ records }) => records[pick].map(({ id }) => String(id)));
  return {
    effect: command.path,
    tool: command.tool,
    service: command.service,
    verdict: twice > 0 ? 'executed twice' : verdictByLedger(command, isCounted),
    executions: executions.map(toExecution),
    // Of records that stop nothing is counted: what comes after them is no hole between others.
    ...countOf(isCutOff || !hasServiceRecords ? 0 : twice, isCounted),
    // What was executed is not lost, whatever else is missing of the ledger.
    lost: hole === undefined || (executions.length > 0 && !isToldOfMore && !isCutOff) ? loss.lost : undefined,
    whyNotKnown: hole ?? loss.whyNotKnown ?? (isCounted ? undefined : (perhaps ?? straysToText(strays))),
    savedAnswers: idsOf('deduplicated'),
    refused: idsOf('refused'),
    late: [...command.late],
  };
}

/** A ledger that is whole at the end of a trial leaves no request open: what it does not have was not executed. */
function verdictByLedger({ verdict, executions }: EffectCommand, isCounted: boolean): EffectCommand['verdict'] {
  return verdict === 'uncertain' && isCounted && executions.length > 0 ? 'executed once' : verdict;
}

/** Why the ledger that is here is not the whole one. Where it has nothing at all of the command, what a caller was told of is missing. */
function whyHole(trial: TrialRecords, command: EffectCommand): string | undefined {
  const gaps = gapsOf(trial.gaps, command);
  if (gaps.length > 0) return gapsToText(gaps);
  const told = toldBeside(command);
  if (told.length > 0) return toldToText(told);
  const unread = findUnreadOf(trial, /^effect\./);
  if (unread !== undefined) return unread.text;
  return isLeftOpen(command) ? openToClauses(command).join('; ') : undefined;
}

function toldBeside(command: EffectCommand): ReturnType<typeof effectsNotInLedger> {
  return command.verdict === 'missing' ? [] : effectsNotInLedger(command);
}

function toExecution({ effectId, kind, attempt, records }: LedgerExecution): Execution {
  const [first] = records;
  return {
    effectId,
    kind,
    life: attempt.life?.label,
    attempt: attempt.number,
    basis: (first === undefined ? undefined : attempt.basis.get(first.id)) ?? 'no recorded request',
    events: records.map(({ id }) => id),
  };
}

/**
 * Beyond the first of each kind, for one act may leave two kinds of things behind; and beyond the first request that was carried out,
 * for whoever was asked twice and did something twice executed it twice, however it calls what it made.
 */
function countDuplicates(executions: readonly LedgerExecution[]): number {
  const kinds = new Set(executions.map(({ kind }) => (kind ?? '').toLowerCase()));
  const requests = new Set(executions.flatMap(({ attempt }) => (attempt.isUnassigned === true ? [] : [attempt])));
  return Math.max(executions.length - kinds.size, requests.size - 1, 0);
}
