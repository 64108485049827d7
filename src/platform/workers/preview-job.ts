/**
 * The preview of an edit over a stored trace: what falls by the declared edges alone. No code runs.
 *
 * Works also where nothing can be replayed: a trace without commands (a foreign format) is previewed over its events and their causes.
 */
import { type Result, err, ok } from '../../core/base/result.ts';
import { type EventId, type HindcastEvent, eventId } from '../../core/model/index.ts';
import type { Edit } from '../../core/replay/edit-file.ts';
import { computeJournal } from '../../core/replay/journal.ts';
import { type PreviewReport, computePreview } from '../../core/replay/preview.ts';
import { previewEdits } from '../../core/replay/preview-edits.ts';
import { readBase } from '../../core/replay/replay-base.ts';
import type { Opener } from './open-traces.ts';
import { openedToEvents, requestToEditFile } from './replay-input.ts';
import type { Preview, ReplayFailure, ReplayRequest } from './replay-methods.ts';

export async function previewTrace(opener: Opener, request: ReplayRequest): Promise<Result<Preview, ReplayFailure>> {
  const opened = await opener.open(request.trace);
  if (!opened.ok) return opened;
  const events = openedToEvents(opened.value);
  const base = readBase(events, request.run, request.base);
  const hasCommands = base.ok && base.value.journals.some(({ entries }) => entries.length > 0);
  const preview = hasCommands
    ? previewEdits(base.value, requestToEditFile(request), request.program !== undefined)
    : previewEvents(events, request);
  return preview.ok ? preview : err({ code: 'refused', message: preview.error });
}

function previewEvents(
  events: readonly HindcastEvent[],
  { edits, base }: ReplayRequest,
): Result<PreviewReport, string> {
  const visible = events.filter(({ branch }) => branch === base);
  const targets = new Set<EventId>();
  for (const { target } of edits) {
    const event = targetToEvent(target, visible);
    if (!event.ok) return event;
    targets.add(event.value);
  }
  return ok(computePreview(visible, computeJournal([], { run: '', segment: 0 }), targets));
}

function targetToEvent(target: Edit['target'], events: readonly HindcastEvent[]): Result<EventId, string> {
  if ('path' in target)
    return err(`This trace records no commands, so it has none at ${target.path}; choose an event.`);
  const found = events.find(({ id, type }) =>
    'event' in target ? id === eventId(target.event) : type === 'run.started',
  );
  if (found !== undefined) return ok(found.id);
  return err(
    'event' in target ? `There is no event ${target.event} on this branch.` : 'The start of the run is not recorded.',
  );
}
