/**
 * A run whose last request cannot be answered: its key stands for another body, which the service had carried out, so a service that keeps
 * to keys refuses it for ever (R111, R128). That the run did not complete then rests on records of the worker and the service, also
 * where nobody recorded the end of the trial.
 *
 * Invariant: both bodies are on record by their digests, the service told of the key itself and did nothing for the second request, and
 * nothing of the process stands behind it. Called by completion.ts.
 */
import type { HindcastEvent } from '../model/index.ts';
import type { Attempt } from '../projections/effects/attempt.ts';
import { isProcessKill } from './fault-records.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

export interface DeadEnd {
  readonly asked: HindcastEvent;
  readonly executed: HindcastEvent;
}

export function findDeadEnd(trial: TrialRecords): DeadEnd | undefined {
  const life = trial.workers.at(-1);
  if (life === undefined || life.injections.length > 0 || isMoreToCome(trial)) return undefined;
  const asked = trial.ofLife(life).at(-1);
  const attempts = trial.ledger.commands.flatMap((command) => command.attempts);
  const last = attempts.find(({ records }) => records.dispatched.some(({ id }) => id === asked?.id));
  if (asked === undefined || last?.key === undefined || !isLeft(last)) return undefined;
  const executed = attempts.flatMap((one) => executionsUnder(one, last.key, bodyOf(asked)))[0];
  return executed === undefined ? undefined : { asked, executed };
}

/** A kill that was planned or armed and has not been sent, or a start of which the process has written nothing. */
function isMoreToCome(trial: TrialRecords): boolean {
  const kills = trial.ofType('fault.injected').filter(isProcessKill).length;
  if (trial.ofType('fault.armed').length > kills) return true;
  const lives = trial.workers.filter(({ started }) => started !== undefined).length;
  return trial.ofType('worker.spawned').length > lives;
}

/** It came to the service, and neither of the two records what became of it, but for a refusal. */
function isLeft({ records }: Attempt): boolean {
  const { requested, refused, committed, deduplicated, dropped, reconciled } = records;
  return requested.length + refused.length > 0 && [committed, deduplicated, dropped, reconciled].flat().length === 0;
}

/** What the service executed and told under the key, of a request with another body than this one. */
function executionsUnder(
  { records }: Attempt,
  key: string | undefined,
  body: string | undefined,
): readonly HindcastEvent[] {
  const [first] = records.dispatched;
  const own = first === undefined ? undefined : bodyOf(first);
  if (own === undefined || body === undefined || own === body) return [];
  return records.committed.filter(({ data }) => textIn(data, 'idempotency_key') === key);
}

function bodyOf({ data }: HindcastEvent): string | undefined {
  return textIn(data, 'input_digest');
}
