/**
 * What an agent is called in lines: a name as it is recorded; of an agent that has only an id, what it was started for, with the
 * beginning of the id behind it.
 *
 * Invariant: the agent of an event stays what was recorded, for filters and for the inspector; only what is shown is named here, and by
 * the branch's own records. Called by rows, graph, transcript, lanes and headline.
 */
import type { JsonObject, JsonValue } from '../base/json.ts';
import { lineToShown } from '../base/shown-text.ts';
import { memberOf, payloadOf, textAt } from '../causal/index.ts';
import type { HindcastEvent } from '../model/index.ts';
import { messageToLine } from './message-line.ts';
import { agentToText, cut, isOpaqueId, shortId } from './title-words.ts';
import { eventToTitle } from './titles.ts';
import type { TraceView } from './trace-view.ts';
import { withCalls } from './chosen-calls.ts';
import { workerName } from './worker-names.ts';

const longestPurpose = 44;

const namesByView = new WeakMap<TraceView, ReadonlyMap<string, string>>();

/** Undefined where it is called as it is recorded. */
export function otherName(view: TraceView, agent: string | undefined): string | undefined {
  if (agent === undefined) return undefined;
  let names = namesByView.get(view);
  if (names === undefined) namesByView.set(view, (names = computeNames(view)));
  return names.get(agent);
}

export function agentName(view: TraceView, agent: string): string {
  return otherName(view, agent) ?? agentToText(agent);
}

/** The title of an event, with its agents as they are called, and with the worker it tells of where the record itself names none. */
export function viewToTitle(view: TraceView, position: number): string {
  const event = view.event(position);
  const title = eventToTitle(withCalls(view, position, withNames(view, event)));
  const worker = workerName(view, event);
  return worker === undefined ? title : title.replace(/^worker(?= )/, () => lineToShown(worker));
}

/** Members of the records about agents that name one. */
const named = ['to', 'from'] as const;

function withNames(view: TraceView, event: HindcastEvent): HindcastEvent {
  const renamed = otherName(view, event.agent);
  const data = event.type.startsWith('agent.') ? dataWithNames(view, event) : undefined;
  if (renamed === undefined && data === undefined) return event;
  // Cast: the same event with other texts in members that hold texts.
  return {
    ...event,
    ...(renamed === undefined ? {} : { agent: renamed }),
    ...(data === undefined ? {} : { data }),
  } as HindcastEvent;
}

function dataWithNames(view: TraceView, event: HindcastEvent): JsonObject | undefined {
  const data = payloadOf(event);
  let out: Record<string, JsonValue> | undefined;
  for (const member of named) {
    const name = otherName(view, textAt(data, member));
    if (name !== undefined) out = { ...data, ...out, [member]: name };
  }
  return out;
}

function computeNames(view: TraceView): ReadonlyMap<string, string> {
  const { index } = view;
  const names = new Map<string, string>();
  const unnamed = new Set(index.columns.agents.filter(isOpaqueId));
  for (const position of view.ofType('agent.spawned')) {
    const data = view.data(position);
    const agent = textAt(data, 'to') ?? textAt(data, 'name');
    if (agent === undefined || names.has(agent) || !isOpaqueId(agent)) continue;
    const purpose = spawnToPurpose(data);
    if (purpose !== undefined) names.set(agent, nameOf(purpose, agent));
  }
  if (unnamed.size === 0) return names;
  // One that nobody is recorded to have started is called by the first that was said to it.
  for (const position of view.ofType('message.sent', 'input.received')) {
    const agent = index.agent(position);
    if (agent === undefined || names.has(agent) || !unnamed.has(agent)) continue;
    const data = view.data(position);
    const said = messageToLine(memberOf(data, 'content') ?? memberOf(data, 'value'));
    if (said !== undefined) names.set(agent, nameOf(said, agent));
  }
  return names;
}

function spawnToPurpose(data: JsonObject): string | undefined {
  const args = memberOf(data, 'args');
  const told = textAt(args, 'description') ?? textAt(data, 'description') ?? textAt(args, 'title');
  const kind = textAt(args, 'subagent_type') ?? textAt(args, 'agent_type');
  return told ?? messageToLine(memberOf(args, 'message') ?? memberOf(args, 'prompt')) ?? kind;
}

function nameOf(purpose: string, agent: string): string {
  return `${cut(lineToShown(purpose).trim(), longestPurpose)} (${shortId(agent)})`;
}
