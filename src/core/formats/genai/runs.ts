/**
 * What belongs to a run and to no record: its beginning, what wrote its records, and its end where one span stands for it all.
 */
import type { JsonObject } from '../../base/json.ts';
import { eventId } from '../../model/index.ts';
import { runToPrefix } from '../draft.ts';
import type { BatchBuilder } from '../batch.ts';
import { type Draft, draftToEvent } from './envelope.ts';
import type { Links } from './link.ts';
import type { TraceInfo } from './trace-info.ts';
import { textAt, withoutUndefined } from './values.ts';

/** Rules `run-of-trace` and `end-of-root`. A run that carries its own events has these itself. */
export function addRuns(links: Links, batch: BatchBuilder, format: string, file: string): void {
  for (const trace of links.survey.traces.values()) {
    if (links.survey.carried.has(trace.trace)) continue;
    const origin = { format, trace: trace.trace, place: { file, offset: 0 }, emitter: undefined };
    for (const draft of [startOf(links, trace), ...resourcesOf(trace), ...endOf(links, trace)]) {
      const made = draftToEvent(origin, draft);
      if (made.ok) batch.derived(made.value);
    }
  }
}

function startOf(links: Links, trace: TraceInfo): Draft {
  const program = trace.service === undefined ? undefined : { name: trace.service, version: trace.version };
  return {
    id: links.runOf(trace.trace),
    type: 'run.started',
    time: trace.start,
    session: trace.session,
    causes: [],
    data: withoutUndefined({ program: program === undefined ? undefined : withoutUndefined(program) }),
    extra: { rule: 'run-of-trace' },
  };
}

/** The resources of the records, whole, under the fingerprints by which events name them. */
function resourcesOf(trace: TraceInfo): readonly Draft[] {
  if (trace.resources.size === 0) return [];
  const producers = [...trace.resources]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([print, resource]): JsonObject => ({
      component: textAt(resource, 'service.name') ?? 'not named',
      resource: print,
      attributes: resource,
    }));
  return [
    {
      id: eventId(`${runToPrefix(trace.trace)}/stream`),
      type: 'stream.declared',
      causes: [],
      data: { producers },
      extra: { rule: 'run-of-trace' },
    },
  ];
}

function endOf(links: Links, trace: TraceInfo): readonly Draft[] {
  const [root, second] = links.rootsOf(trace.trace);
  if (root?.info.end === undefined || second !== undefined || root.role === 'input') return [];
  return [
    {
      id: eventId(`${runToPrefix(trace.trace)}/run:end`),
      type: root.info.failed ? 'run.failed' : 'run.completed',
      time: root.info.end,
      session: trace.session,
      causes: [{ event: links.endOf(root.info), as: 'caused_by', rule: 'end-of-root' }],
      data: {},
      extra: { rule: 'end-of-root' },
    },
  ];
}
