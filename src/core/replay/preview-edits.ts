/** Preview of an edit file on a branch of a run: what would fall, without running anything. Called by the worker. */
import { type Result, ok } from '../base/result.ts';
import type { EventId, HindcastEvent } from '../model/index.ts';
import type { EditFile } from './edit-file.ts';
import { type PreviewReport, type PreviewStatus, type PreviewedEvent, computePreview } from './preview.ts';
import type { ReplayBase } from './replay-base.ts';
import { resolveEdits } from './resolve-edits.ts';

/** Another program is an edit of what the whole run began with. */
export function previewEdits(
  { infos, journals, visible }: ReplayBase,
  file: EditFile,
  programChanged: boolean,
): Result<PreviewReport, string> {
  const eventsById = new Map<EventId, HindcastEvent>(visible.map((event) => [event.id, event]));
  const resolved = resolveEdits(file, { journals, infos, eventsById, programChanged });
  if (!resolved.ok) return resolved;
  const targets = new Set(resolved.value.targetEvents);
  if (programChanged) for (const { event } of infos) targets.add(event);
  return ok(mergePreviews(journals.map((journal) => computePreview(visible, journal, targets))));
}

/** Weakest first: an event seen in two segments keeps the strongest answer. */
const weights: readonly PreviewStatus[] = ['unknown', 'may-fall', 'falls', 'edited'];

/** One preview per segment, told as one. */
export function mergePreviews(parts: readonly PreviewReport[]): PreviewReport {
  const counts = { edited: 0, falls: 0, 'may-fall': 0, unknown: 0, stands: 0 };
  for (const part of parts) for (const item of part.items) counts[item.status]++;
  const events = new Map<EventId, PreviewedEvent>();
  for (const part of parts) {
    for (const one of part.events) {
      const known = events.get(one.event);
      if (known === undefined || weights.indexOf(one.status) > weights.indexOf(known.status))
        events.set(one.event, one);
    }
  }
  return {
    items: parts.flatMap((part) => part.items),
    events: [...events.values()],
    holding: mergeHolding(parts, events),
    counts,
    insufficient: parts.some((part) => part.insufficient),
  };
}

/** What falls in one segment is no start that stands in another. */
function mergeHolding(
  parts: readonly PreviewReport[],
  fallen: ReadonlyMap<EventId, PreviewedEvent>,
): PreviewReport['holding'] {
  const all = new Map(parts.flatMap(({ holding }) => holding).map((one) => [one.event, one]));
  return [...all.values()].filter(({ event }) => !fallen.has(event));
}
