/**
 * One body of a view as the ledger and the rules read it. Invariant: no two records have one id.
 */
import type { HindcastEvent } from '../../model/index.ts';
import type { TraceView } from '../trace-view.ts';

/**
 * The body under the id the index shows: a repeated record has one of its own (R20). Causes, and what it supersedes, stand under the ids of the records that
 * they mean: where two runs number alike, an id alone would mean the record of either.
 */
export function viewEvent(view: TraceView, position: number): HindcastEvent {
  const { index } = view;
  const event = view.event(position);
  if (!index.hasRepeats) return event;
  const id = index.id(position);
  const causes = event.causes?.map((cause) => {
    const means = index.named(position, cause.event);
    const shown = means < 0 ? cause.event : index.id(means);
    return shown === cause.event ? cause : { ...cause, event: shown };
  });
  const replaced = index.supersedes(position);
  const supersedes = replaced < 0 ? event.supersedes : index.id(replaced);
  const isSame = event.id === id && event.supersedes === supersedes;
  if (isSame && (causes ?? []).every((cause, n) => cause === event.causes?.[n])) return event;
  return {
    ...event,
    id,
    ...(causes === undefined ? {} : { causes }),
    ...(supersedes === undefined ? {} : { supersedes }),
  };
}
