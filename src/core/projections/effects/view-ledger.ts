/**
 * The ledger of one branch: chooses the records it needs from a view, so that a trace full of calls without outside effect does
 * not have its bodies decoded.
 */
import { type EventId, type HindcastEvent, isContentReference } from '../../model/index.ts';
import type { TraceView } from '../trace-view.ts';
import { payloadOf } from '../../causal/index.ts';
import { type CopyAnswers, joinCopies, readCopyAnswers } from '../copy-records.ts';
import { isExternalDispatch } from './external.ts';
import { type EffectLedger, computeLedger } from './ledger.ts';
import { type Lives, computeLives } from './lives.ts';
import { viewEvent } from './view-event.ts';

const callAnswers = ['acknowledged', 'completed', 'failed', 'timed_out', 'cancelled', 'result_persisted'].map(
  (end) => `tool_call.${end}`,
);
const processTypes = [
  'fault.scheduled',
  'fault.armed',
  'fault.injected',
  'fault.witnessed',
  'worker.spawned',
  'worker.started',
  'worker.exited',
];

export function viewToLedger(view: TraceView): EffectLedger {
  const declared = view.ofType('stream.declared');
  const requests = view.ofType('tool_call.dispatched').filter((position) => isExternalDispatch(view, position));
  const effects = view.positions.filter((position) => view.index.family(position) === 'effect');
  const chosen = new Set<number>([...declared, ...view.ofType(...processTypes), ...firstOfLogs(view)]);
  for (const position of requests) chosen.add(position);
  for (const position of effects) chosen.add(position);
  if (requests.length > 0) addAnswers(view, requests, chosen);
  addRequestless(view, chosen);
  const positions = [...chosen].sort((a, b) => view.rowOf(a) - view.rowOf(b));
  return computeLedger({
    events: positions.map((position) => withAnswer(view, viewEvent(view, position))),
    precedes: (a, b) => idPrecedes(view, a, b),
    originalOf: (id) => originalId(view, id),
    copy: viewToCopy(view),
  });
}

function viewToCopy({ index, event }: TraceView): CopyAnswers | undefined {
  const declared = [...index.ofType('share.declared')];
  return joinCopies(
    declared.flatMap((position) => readCopyAnswers('share.declared', payloadOf(event(position))) ?? []),
  );
}

/** What was answered tells of effects also where its value is stored apart. */
function withAnswer(view: TraceView, event: HindcastEvent): HindcastEvent {
  if (event.type === 'tool_call.acknowledged' && isContentReference(event.data.response))
    return { ...event, data: { ...event.data, response: view.resolve(event.data.response) } };
  if (event.type === 'tool_call.completed' && isContentReference(event.data.result))
    return { ...event, data: { ...event.data, result: view.resolve(event.data.result) } };
  return event;
}

/** The lives alone, without the calls: what ended, and what told of it. */
export function viewToLives(view: TraceView): Lives {
  const chosen = new Set<number>([...view.ofType(...processTypes), ...firstOfLogs(view)]);
  for (const position of view.positions) if (view.index.family(position) === 'effect') chosen.add(position);
  const positions = [...chosen].sort((a, b) => view.rowOf(a) - view.rowOf(b));
  return computeLives(positions.map((position) => viewEvent(view, position)));
}

/** One record of each life, so that a life without any outside call is known too. */
function firstOfLogs(view: TraceView): ReadonlySet<number> {
  const firsts = new Map<number, number>();
  for (const position of view.positions) {
    const log = view.index.logNumber(position);
    if (!firsts.has(log)) firsts.set(log, position);
  }
  return new Set(firsts.values());
}

/** Answers of those calls: by cause or by command; those that name neither may still share a call id. */
function addAnswers(view: TraceView, requests: readonly number[], chosen: Set<number>): void {
  const paths = new Set(requests.map((position) => view.index.command(position)));
  for (const position of view.ofType('approval.denied')) {
    if (view.causesOf(position).some((edge) => chosen.has(edge.from))) chosen.add(position);
  }
  for (const position of view.ofType(...callAnswers)) {
    const path = view.index.command(position);
    const causes = view.causesOf(position);
    const isOurs =
      path === undefined
        ? causes.length === 0 || causes.some((edge) => chosen.has(edge.from)) || paths.has(undefined)
        : paths.has(path);
    if (isOurs) chosen.add(position);
  }
}

/**
 * Answers of calls whose dispatch is not here, as far as columns tell; the ledger asks whether their call reached outside. Those
 * that name no command may share a call id with a dispatch that names none, so these come with them.
 */
function addRequestless(view: TraceView, chosen: Set<number>): void {
  const dispatched = view.ofType('tool_call.dispatched');
  const asked = new Set(dispatched.map((position) => commandKey(view, position)));
  let needsCalls = false;
  for (const position of view.ofType(...callAnswers)) {
    const key = commandKey(view, position);
    if (chosen.has(position) || (key !== undefined && asked.has(key))) continue;
    if (view.causesOf(position).some((edge) => edge.as === 'result_of')) continue;
    chosen.add(position);
    needsCalls = true;
  }
  if (!needsCalls) return;
  for (const position of dispatched) if (view.index.command(position) === undefined) chosen.add(position);
}

function commandKey({ index }: TraceView, position: number): string | undefined {
  const path = index.command(position);
  return path === undefined ? undefined : `${index.run(position)}|${path}`;
}

/** The recorded id of a record that is shown under a number after it. */
function originalId({ index, event }: TraceView, id: EventId): EventId {
  const position = index.find(id);
  return position >= 0 && index.has(position, 'repeat') ? event(position).id : id;
}

export function idPrecedes(view: TraceView, a: EventId, b: EventId): boolean {
  const before = view.index.find(a);
  const after = view.index.find(b);
  return before >= 0 && after >= 0 && view.order.precedes(before, after);
}
