/**
 * Which observations a pass will deliver, foreseen from the record alone, so that they can cross into the sandbox together.
 *
 * A guess and nothing more: the pass confirms every one of them by the numbered rules before its acts count, and a run that goes another
 * way is run again. So nothing here decides anything, and the rules stand in `pass.ts` alone. Used by `pass.ts`.
 */
import { computeInhabitedScopes, ranElsewhere } from './child-runs.ts';
import type { JournalEntry } from './journal-types.ts';
import { type Observations, isDeliverable } from './observations.ts';
import type { PassObservation, PassRequest } from './pass-types.ts';
import type { SandboxDelivery } from './sandbox-port.ts';

/** Commands are numbered in the sandbox as they are issued; what has no position of issue was issued just before it was delivered. */
export function computePrediction(request: PassRequest, observations: Observations): readonly SandboxDelivery[] {
  const acts = toActs(request);
  const inhabited = computeInhabitedScopes(request.journal.entries);
  const ids = new Map<JournalEntry, number>();
  const out: SandboxDelivery[] = [];
  let vt = request.info.start;
  for (const { entry, delivers } of acts) {
    if (!delivers) {
      ids.set(entry, ids.size);
      continue;
    }
    // A child that ran inside is not delivered by the driver.
    if (entry.kind === 'child' && !ranElsewhere(entry, inhabited)) continue;
    const id = ids.get(entry);
    const edit = request.edits.get(entry.path);
    const observation = edit?.observation ?? observationOf(entry, request, observations);
    if (id === undefined || observation === undefined) break;
    vt = Math.max(vt, entry.vt ?? vt);
    out.push({ id, observation: observations.toDelivered(observation), vt });
    // What the program does with another value is not on record.
    if (edit !== undefined) break;
  }
  return out;
}

function observationOf(
  entry: JournalEntry,
  { lenient, suspects }: PassRequest,
  observations: Observations,
): PassObservation | undefined {
  const { observation } = entry;
  if (observations.isWithheld(observation) || (!lenient && suspects.has(entry.path))) return undefined;
  return isDeliverable(observation) ? observations.resolve(observation) : undefined;
}

interface Act {
  readonly at: number;
  readonly entry: JournalEntry;
  readonly delivers: boolean;
}

const awaitedKinds: ReadonlySet<string> = new Set(['model', 'read', 'write', 'timer', 'signal', 'child']);

/** In order of positions. Those of a branch have parts; what is foreseen ends before the first of them. */
function toActs({ journal }: PassRequest): readonly Act[] {
  const acts: Act[] = [];
  let end = Infinity;
  const add = (position: string | undefined, entry: JournalEntry, delivers: boolean): void => {
    if (position === undefined) return;
    const at = Number(position);
    if (position.includes('.')) end = Math.min(end, Math.floor(at));
    else acts.push({ at, entry, delivers });
  };
  for (const entry of journal.entries) {
    if (!awaitedKinds.has(entry.kind)) continue;
    add(entry.issued ?? entry.delivered, entry, false);
    add(entry.delivered, entry, true);
  }
  acts.sort((a, b) => a.at - b.at || Number(a.delivers) - Number(b.delivers));
  return acts.filter((act) => act.at <= end);
}
