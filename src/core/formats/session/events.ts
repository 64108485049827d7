/**
 * Second pass: the parts of a record and what the plan says of them, to drafts of events.
 *
 * Invariant: an answer of the model is made once, with the last of its records; everything recorded of it is in the event or in
 * `imported.extra`.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { digest, type EventId, eventId } from '../../model/index.ts';
import { withoutUndefined } from '../members.ts';
import { answerDrafts } from './answer.ts';
import { callCommand, type Converting, type EventDraft, parentCause, startCauses } from './draft.ts';
import type { CallPart, InputPart, Part, Reading, ResultPart } from './part.ts';
import {
  type Call,
  callEvent,
  type CauseDraft,
  decisionEvent,
  type Entry,
  type Group,
  modelEvent,
  type Plan,
  type PlannedPart,
  recordEvent,
  runEvent,
} from './plan.ts';
import { toolToEffect } from './tools.ts';

export function entryToDrafts(at: Converting, entry: Entry, reading: Reading, raw: JsonValue): readonly EventDraft[] {
  const drafts: EventDraft[] = [];
  const groups = new Set<Group>();
  for (const planned of entry.parts) {
    const recorded = reading.parts[planned.index];
    if (recorded === undefined) continue;
    const isAlone = planned.alone === true && (recorded.kind === 'echo' || recorded.kind === 'result');
    const part = isAlone ? (recorded.otherwise ?? recorded) : recorded;
    if (planned.group !== undefined) groups.add(planned.group);
    for (const draft of partToDrafts(at, entry, planned, part, raw)) drafts.push(draft);
  }
  for (const group of groups) {
    if (!group.entries.has(entry)) continue;
    const answer = at.open.get(group) ?? { pieces: [] };
    answer.pieces.push({ entry, reading, raw });
    at.open.set(group, answer);
    if (answer.pieces.length < group.entries.size) continue;
    at.open.delete(group);
    drafts.unshift(...answerDrafts(at, group, answer));
  }
  if (reading.parts.length === 0) drafts.push(keptDraft(at, entry, raw, 0));
  return drafts;
}

function partToDrafts(
  at: Converting,
  entry: Entry,
  planned: PlannedPart,
  part: Part,
  raw: JsonValue,
): readonly EventDraft[] {
  switch (part.kind) {
    case 'start':
      return planned.own === undefined ? [startDraft(at, entry, part.data)] : [keptDraft(at, entry, raw, 0)];
    case 'input':
      return planned.own === undefined ? [] : [inputDraft(at, entry, part, planned.own)];
    case 'call':
      return planned.merged === true || planned.call === undefined ? [] : [callDraft(at, entry, part, planned)];
    case 'result':
      return resultDrafts(at, entry, part, planned);
    case 'event': {
      const { own } = planned;
      if (own === undefined) return [];
      const call = planned.call === undefined ? undefined : callEvent(planned.call);
      const cause: CauseDraft | undefined =
        call === undefined ? undefined : { event: call, as: part.as ?? 'caused_by', rule: part.rule };
      const led = part.ends === true ? eventBefore(entry, planned.index) : undefined;
      const before: CauseDraft | undefined =
        led === undefined
          ? undefined
          : { event: led, as: 'caused_by', rule: 'end-of-session', clockOnly: entry.scope.byTime };
      return [
        {
          id: own,
          type: part.type,
          causes: [
            cause === undefined || typeof entry.stub.parent === 'string' ? parentCause(at, entry) : undefined,
            cause,
            before,
            part.byPerson === true && call === undefined ? replyCause(entry) : undefined,
          ],
          principal: part.byPerson === true ? person : undefined,
          data: part.data,
        },
      ];
    }
    case 'model':
      return [];
    case 'usage':
    case 'setting':
    case 'echo':
      return planned.own === undefined ? [] : [keptDraft(at, entry, raw, planned.index, planned.own)];
  }
}

export function startDraft(at: Converting, entry: Entry, data: JsonObject): EventDraft {
  return { id: runEvent(entry.run), type: 'run.started', causes: startCauses(at.plan, entry.session), data };
}

function keptDraft(at: Converting, entry: Entry, raw: JsonValue, index: number, own?: EventId): EventDraft {
  const id = own ?? recordEvent(entry, index);
  const type = `${at.format.replaceAll('-', '_')}.${entry.stub.kind}`;
  return { id, type, causes: [parentCause(at, entry)], data: { record: raw }, extra: {} };
}

function inputDraft(at: Converting, entry: Entry, part: InputPart, id: EventId): EventDraft {
  const causes: (CauseDraft | undefined)[] = [parentCause(at, entry)];
  const info = at.plan.sessions.get(entry.session);
  const isStarted =
    entry.scope.startedBy !== undefined || info?.spawn !== undefined || info?.parentSession !== undefined;
  const isPerson = part.from === 'person' && !isStarted;
  if (isPerson) {
    causes.push(replyCause(entry));
    return { id, type: 'input.received', causes, principal: person, data: { name: 'prompt', value: part.content } };
  }
  const data = { from: at.format, to: entry.agent, role: part.role, content: part.content };
  return { id, type: 'message.sent', causes, data };
}

const person = { id: 'user', kind: 'human' };

/** Rule `reply-order`, where no record says more. */
function replyCause(entry: Entry): CauseDraft | undefined {
  const before = answerBefore(entry);
  if (before === undefined || entry.stub.parent !== undefined) return undefined;
  return { event: modelEvent(before), as: 'informed_by', rule: 'reply-order', clockOnly: entry.scope.byTime };
}

function answerBefore(entry: Entry): Group | undefined {
  // Words about an answer may hold it.
  const own = entry.parts.find(({ group, stub }) => group !== undefined && stub.kind === 'model');
  if (own?.group !== undefined) return own.group;
  let at = entry.previous;
  for (let n = 0; at !== undefined && n < 100_000; n++, at = at.previous) {
    const part = at.parts.find(({ group, stub }) => group !== undefined && stub.kind !== 'usage');
    if (part?.group !== undefined) return part.group;
    if (at.parts.some(({ stub }) => stub.kind === 'input')) return undefined;
  }
  return undefined;
}

/** The last answer of the model or of a tool, or message, before a record. */
function eventBefore(entry: Entry, index: number): EventId | undefined {
  let from = entry.parts.slice(0, index);
  for (let at: Entry | undefined = entry, n = 0; at !== undefined && n < 100_000; n++) {
    const part = from.findLast(
      ({ own, group, stub }) => (own !== undefined && stub.kind !== 'event') || group !== undefined,
    );
    if (part?.own !== undefined) return part.own;
    if (part?.group !== undefined) return modelEvent(part.group);
    at = at.previous;
    from = at?.parts ?? [];
  }
  return undefined;
}

function callDraft(at: Converting, entry: Entry, part: CallPart, planned: PlannedPart): EventDraft {
  const { call, group } = planned;
  if (call === undefined) throw new Error('a planned call has its call');
  const { path, kind } = callCommand(call);
  const spawn = kind === 'child';
  const effect = spawn ? undefined : toolToEffect(call.name);
  const selected: CauseDraft | undefined =
    group === undefined ? undefined : { event: decisionEvent(group), as: 'selected_by', rule: planned.rule };
  const words = part.by === undefined ? undefined : entry.parts.find(({ stub }) => stub.kind === 'input')?.own;
  const given = part.by === undefined ? undefined : parentCause(at, entry);
  return {
    id: callEvent(call),
    type: spawn ? 'agent.spawned' : 'tool_call.dispatched',
    causes: [selected ?? (words === undefined ? given : { event: words, as: 'caused_by' })],
    principal: part.by === 'person' ? person : undefined,
    step: group?.name,
    time: part.time,
    command: withoutUndefined({
      path,
      kind,
      name: call.name,
      identity: 'derived',
      attempt: 1,
      args: digest(part.args),
    }),
    data: withoutUndefined({
      tool: call.name,
      call_id: call.asked,
      args: part.args,
      effect,
      effect_rule: effect === undefined ? undefined : 'tool-effects',
      from: spawn ? entry.agent : undefined,
      to: spawn ? call.child : undefined,
      ...part.data,
    }),
  };
}

function resultDrafts(at: Converting, entry: Entry, part: ResultPart, planned: PlannedPart): readonly EventDraft[] {
  const { own: id, call } = planned;
  if (id === undefined) return [];
  const command = call === undefined ? undefined : callCommand(call);
  const isSpawn = command?.kind === 'child';
  const causes: (CauseDraft | undefined)[] = [];
  if (call !== undefined) causes.push({ event: callEvent(call), as: 'result_of', rule: planned.rule });
  else causes.push(parentCause(at, entry));
  if (call !== undefined && typeof entry.stub.parent === 'string' && at.plan.parentOf(entry) !== call.entry)
    causes.push(parentCause(at, entry));
  if (isSpawn && part.started !== true) causes.push(lastAnswerOf(at.plan, call?.child, entry, call));
  const joins = part.joins ?? [];
  for (const session of joins) causes.push(lastAnswerOf(at.plan, session, entry, undefined));
  const failed = part.error !== undefined;
  const type =
    part.started === true
      ? 'tool_call.acknowledged'
      : isSpawn
        ? 'agent.joined'
        : failed
          ? 'tool_call.failed'
          : 'tool_call.completed';
  const joined = isSpawn && part.started !== true ? { from: call?.child, to: entry.agent } : {};
  const draft: EventDraft = {
    id,
    type,
    causes,
    step: call?.group?.name,
    time: part.time,
    command:
      command === undefined
        ? undefined
        : withoutUndefined({ ...command, name: call?.name, identity: 'derived', attempt: 1 }),
    data: withoutUndefined({
      tool: call?.name ?? part.name,
      call_id: part.call,
      result: failed ? undefined : part.value,
      error: part.error,
      ...joined,
      ...part.data,
    }),
  };
  return [draft, ...joins.flatMap((session) => joinedDraft(at, entry, session, draft))];
}

/** A sub-agent whose end was told by an answer to another call than the one that started it. */
function joinedDraft(at: Converting, entry: Entry, session: string, told: EventDraft): readonly EventDraft[] {
  const call = at.plan.sessions.get(session)?.spawn?.call ?? callWithChild(entry, session);
  if (call === undefined) return [];
  const { path, kind } = callCommand(call);
  return [
    {
      id: eventId(`${told.id}:joined:${session}`),
      type: 'agent.joined',
      causes: [
        { event: callEvent(call), as: 'result_of' },
        { event: told.id, as: 'caused_by' },
        lastAnswerOf(at.plan, session, entry, undefined),
      ],
      command: withoutUndefined({ path, kind, name: call.name, identity: 'derived', attempt: 1 }),
      data: withoutUndefined({ from: session, to: entry.agent, result: told.data['result'] }),
      extra: {},
    },
  ];
}

function callWithChild(entry: Entry, session: string): Call | undefined {
  for (let at: Entry | undefined = entry; at !== undefined; at = at.previous) {
    for (const { call } of at.parts) if (call?.child === session) return call;
  }
  return undefined;
}

function lastAnswerOf(
  plan: Plan,
  session: string | undefined,
  entry: Entry,
  call: Call | undefined,
): CauseDraft | undefined {
  let last = session === undefined ? undefined : plan.scopes.get(`${session}|main`)?.last;
  if (last === undefined && call !== undefined) {
    for (const scope of plan.scopes.values()) if (scope.startedBy === call) ({ last } = scope);
  }
  if (last === undefined || last.entry.scope === entry.scope) return undefined;
  return { event: modelEvent(last), as: 'consumed', rule: 'last-message-of-agent' };
}
