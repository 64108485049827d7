/**
 * Whether an effect that was asked for is missing, and which commitments no recorded request explains (R95, R100).
 *
 * Invariant: "not lost" needs an execution in the ledger, or an answer by which the program knows that there is none; a commitment that
 * may be the one in question makes it not known, which is not zero.
 */
import { type Attempt, isRequested } from '../projections/effects/attempt.ts';
import type { EffectCommand } from '../projections/effects/ledger.ts';
import { lifeKey } from '../projections/effects/lives.ts';
import { attemptToStop } from '../projections/effects/stopped.ts';
import type { HindcastEvent } from '../model/index.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

/** Commitments without a request and without the name of a command: they may be of any command that asked this service. */
export function strayCommitments(trial: TrialRecords, command: EffectCommand): readonly HindcastEvent[] {
  if (!command.attempts.some(isRequested)) return [];
  return trial.ledger.unmatched.filter(
    (event) =>
      event.type === 'effect.committed' &&
      event.command === undefined &&
      event.run === command.run &&
      (command.service === undefined || command.service === event.source.component),
  );
}

/** Records of the command that may belong to any of its attempts. */
export function unassignedRecords({ attempts }: Pick<EffectCommand, 'attempts'>): readonly HindcastEvent[] {
  return attempts
    .filter(({ isUnassigned }) => isUnassigned === true)
    .flatMap(({ records }) => [...records.committed, ...records.deduplicated]);
}

interface Loss {
  readonly lost: boolean | undefined;
  readonly whyNotKnown?: string | undefined;
}

/** Of a run that is not completed nothing is lost but what a caller was told of: the rest is pending. */
export function toLoss(trial: TrialRecords, command: EffectCommand, isCompleted: boolean): Loss {
  if (!command.hasServiceRecords) return { lost: undefined, whyNotKnown: 'no records of the service that was asked' };
  if (command.executions.length > 0) return { lost: false };
  const strays = strayCommitments(trial, command);
  const isMissing = command.verdict === 'missing';
  if (!isMissing && (!isCompleted || !isUnanswered(command))) return { lost: false };
  if (strays.length > 0) return { lost: undefined, whyNotKnown: straysToText(strays) };
  const other = isMissing ? undefined : laterLikeness(trial, command);
  if (other === undefined) return { lost: true };
  return {
    lost: undefined,
    whyNotKnown: `${command.path} was never answered, and ${other.path} executed the same tool later: no record says whether it is the same effect`,
  };
}

/**
 * Why one execution may be two: it was made for a life that ended before the result was durable, no later life knows of the command, and
 * another command of the tool was executed by one. Commands may be numbered anew, and the second one is perhaps the first made again.
 */
export function whyPerhapsAgain(trial: TrialRecords, command: EffectCommand): string | undefined {
  const { attempts, executions, path, run } = command;
  if (executions.length === 0 || attempts.some(({ life }) => life === undefined)) return undefined;
  const isDurable = attempts.some(({ records }) =>
    records.persisted.some(({ data }) => !/memory/i.test(textIn(data, 'where') ?? '')),
  );
  const other = isDurable ? undefined : laterLikeness(trial, command);
  if (other === undefined) return undefined;
  const lives = new Set(attempts.map((attempt) => attempt.lifeKey));
  const workers = new Set(trial.workers.map(({ key }) => key));
  const isKnownLater = trial.events.some(
    (event) =>
      event.run === run &&
      event.command?.path === path &&
      workers.has(lifeKey(event.source)) &&
      !lives.has(lifeKey(event.source)),
  );
  if (isKnownLater) return undefined;
  return `${path} was executed and its result never became durable, and ${other.path} executed the same tool for a later process: no record says whether it is the same effect`;
}

export function straysToText(strays: readonly HindcastEvent[]): string {
  const ids = strays.map(({ id }) => id).join(', ');
  return `no record says which request the ${strays.length === 1 ? 'commitment' : 'commitments'} ${ids} ${strays.length === 1 ? 'answers' : 'answer'}`;
}

/** Asked for last, and the program never learned what became of it: whoever completes all the same goes on without the effect. */
function isUnanswered({ attempts, stopped, executions }: EffectCommand): boolean {
  const last = attempts.filter(isRequested).at(-1);
  const isTold = attempts.some((attempt) => attempt.isUnassigned === true && isAnswered(attempt));
  return last !== undefined && executions.length === 0 && stopped === undefined && !isTold && !isAnswered(last);
}

function isAnswered(attempt: Attempt): boolean {
  const { dispatched: _asked, requested: _held, dropped: _dropped, committed: _made, ...answers } = attempt.records;
  if (Object.values(answers).some((records) => records.length > 0)) return true;
  return attemptToStop(attempt) !== undefined || attempt.reemitted.some(({ type }) => type !== 'tool_call.dispatched');
}

/** Another command of the same tool that was first asked for later, by another life, and executed: commands may be numbered anew. */
function laterLikeness({ ledger }: TrialRecords, command: EffectCommand): EffectCommand | undefined {
  const at = ledger.commands.indexOf(command);
  const lives = new Set(command.attempts.map((attempt) => attempt.lifeKey));
  return ledger.commands.find(
    (other, i) =>
      i > at &&
      other.run === command.run &&
      other.tool === command.tool &&
      other.executions.length > 0 &&
      other.attempts.every((attempt) => !lives.has(attempt.lifeKey)),
  );
}
