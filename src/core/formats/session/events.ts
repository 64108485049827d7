/**
 * Second pass: the parts of a record and what the plan says of them, to drafts of events.
 *
 * Invariant: an answer of the model is made once, with the last of its records; everything recorded of it is in the event or in
 * `imported.extra`.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { digest, type EventId, eventId } from '../../model/index.ts';
import { textAt, withoutUndefined } from '../members.ts';
import { attemptOf, lastAttempt } from './link.ts';
import type { CallPart, InputPart, Part, Reading, ResultPart } from './part.ts';
import {
  type Call,
  callEvent,
  type CauseDraft,
  decisionEvent,
  type Entry,
  type Group,
  mainEvent,
  modelEvent,
  type Plan,
  type PlannedPart,
  recordEvent,
  runEvent,
} from './plan.ts';
import { isSpawnTool, toolToEffect } from './tools.ts';

export interface EventDraft {
  readonly id: EventId;
  readonly type: string;
  readonly causes: readonly (CauseDraft | undefined)[];
  readonly data: JsonObject;
  readonly step?: string | undefined;
  readonly command?: JsonObject | undefined;
  readonly principal?: JsonObject | undefined;
  readonly extra?: JsonObject | undefined;
  readonly time?: string | undefined;
  /** The record it came from, where that is not the present one. */
  readonly entry?: Entry | undefined;
}

/** What the second pass holds of an answer until its last record was read. */
export interface OpenAnswer {
  readonly pieces: { readonly entry: Entry; readonly reading: Reading; readonly raw: JsonValue }[];
}

export interface Converting {
  readonly format: string;
  readonly plan: Plan;
  readonly open: Map<Group, OpenAnswer>;
}

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
      return planned.merged === true || planned.call === undefined ? [] : [callDraft(entry, part, planned)];
    case 'result':
      return resultDrafts(at, entry, part, planned);
    case 'event': {
      const { own } = planned;
      if (own === undefined) return [];
      const call = planned.call === undefined ? undefined : callEvent(planned.call);
      const cause: CauseDraft | undefined =
        call === undefined ? undefined : { event: call, as: part.as ?? 'caused_by' };
      const led = part.ends === true ? eventBefore(entry) : undefined;
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
          ],
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

/** The recorded parent; one that is in no file given stays as a reference into the void. Else the beginning of the run. */
function parentCause(at: Converting, entry: Entry): CauseDraft | undefined {
  const { parent } = entry.stub;
  if (typeof parent === 'string') {
    const known = at.plan.parentOf(entry);
    const event = known === undefined ? recordEvent({ ...entry, name: parent }, 0) : mainEvent(known);
    return { event, as: 'caused_by' };
  }
  const { startedBy } = entry.scope;
  if (startedBy !== undefined) return { event: callEvent(startedBy), as: 'caused_by' };
  return { event: runEvent(entry.run), as: 'caused_by', rule: 'run-of-session' };
}

export function startDraft(at: Converting, entry: Entry, data: JsonObject): EventDraft {
  return { id: runEvent(entry.run), type: 'run.started', causes: startCauses(at.plan, entry.session), data };
}

export function startCauses(plan: Plan, session: string): readonly CauseDraft[] {
  const info = plan.sessions.get(session);
  if (info?.spawn !== undefined) {
    return [{ event: callEvent(info.spawn.call), as: 'caused_by', rule: info.spawn.rule }];
  }
  const parent = info?.parentSession === undefined ? undefined : plan.sessions.get(info.parentSession);
  return parent === undefined ? [] : [{ event: runEvent(parent.run), as: 'caused_by' }];
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
    const before = answerBefore(entry);
    const clockOnly = entry.scope.byTime;
    if (before !== undefined && entry.stub.parent === undefined)
      causes.push({ event: modelEvent(before), as: 'informed_by', rule: 'reply-order', clockOnly });
    const principal = { id: 'user', kind: 'human' };
    return { id, type: 'input.received', causes, principal, data: { name: 'prompt', value: part.content } };
  }
  const data = { from: at.format, to: entry.agent, role: part.role, content: part.content };
  return { id, type: 'message.sent', causes, data };
}

function answerBefore(entry: Entry): Group | undefined {
  let at = entry.previous;
  for (let n = 0; at !== undefined && n < 100_000; n++, at = at.previous) {
    const part = at.parts.find(({ group, stub }) => group !== undefined && stub.kind !== 'usage');
    if (part?.group !== undefined) return part.group;
    if (at.parts.some(({ stub }) => stub.kind === 'input')) return undefined;
  }
  return undefined;
}

/** The last answer of the model or of a tool, or message, before a record. */
function eventBefore(entry: Entry): EventId | undefined {
  for (let at = entry.previous, n = 0; at !== undefined && n < 100_000; n++, at = at.previous) {
    const part = at.parts.findLast(
      ({ own, group, stub }) => (own !== undefined && stub.kind !== 'event') || group !== undefined,
    );
    if (part?.own !== undefined) return part.own;
    if (part?.group !== undefined) return modelEvent(part.group);
  }
  return undefined;
}

function scopePath(entry: Entry): string {
  const { startedBy } = entry.scope;
  if (startedBy === undefined) return '';
  return startedBy.entry.scope === entry.scope ? '' : `/child:${startedBy.name}=${startedBy.key}`;
}

function callCommand(call: Call): { readonly path: string; readonly kind: string | undefined } {
  const effect = toolToEffect(call.name);
  const isSpawn = call.spawns || isSpawnTool(call.name);
  const kind = isSpawn ? 'child' : effect === undefined ? undefined : effect === 'none' ? 'read' : 'write';
  return { path: `${scopePath(call.entry)}/${kind ?? 'tool'}:${call.name}=${call.key}`, kind };
}

function callDraft(entry: Entry, part: CallPart, planned: PlannedPart): EventDraft {
  const { call, group } = planned;
  if (call === undefined) throw new Error('a planned call has its call');
  const { path, kind } = callCommand(call);
  const spawn = kind === 'child';
  const effect = spawn ? undefined : toolToEffect(call.name);
  const selected: CauseDraft | undefined =
    group === undefined ? undefined : { event: decisionEvent(group), as: 'selected_by', rule: planned.rule };
  return {
    id: callEvent(call),
    type: spawn ? 'agent.spawned' : 'tool_call.dispatched',
    causes: [selected],
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
      call_id: call.id,
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

function answerDrafts(at: Converting, group: Group, answer: OpenAnswer): readonly EventDraft[] {
  const pieces = [...answer.pieces].sort((a, b) => orderOf(a.entry) - orderOf(b.entry));
  const { blocks, parts, data, error } = gatherPieces(group, pieces);
  const shared = {
    causes: answerCauses(at, group),
    step: group.name,
    entry: group.entry,
    command: modelCommand(group, data),
    extra: piecesExtra(group, pieces),
  };
  const rule = group.hasModel ? undefined : 'model-from-call';
  const common = withoutUndefined({ operation: 'chat', ...data, rule });
  if (error !== undefined) {
    const answered = blocks.length === 0 ? {} : { response: blocks };
    return [{ ...shared, id: modelEvent(group), type: 'model_call.failed', data: { ...common, ...answered, error } }];
  }
  if (blocks.length === 0 && isPending(group, pieces))
    return [{ ...shared, id: modelEvent(group), type: 'model_call.requested', data: common }];
  const messages = [{ role: 'assistant', parts }];
  const completed: EventDraft = {
    ...shared,
    id: modelEvent(group),
    type: 'model_call.completed',
    data: { ...common, output_messages: messages, result: blocks },
  };
  return group.calls.length === 0 ? [completed] : [completed, decisionDraft(group)];
}

function isPending(group: Group, pieces: OpenAnswer['pieces']): boolean {
  const parts = pieces.flatMap(({ entry, reading }) =>
    entry.parts.filter((planned) => planned.group === group).map((planned) => reading.parts[planned.index]),
  );
  return parts.every((part) => part?.kind !== 'model' || part.pending === true);
}

interface Gathered {
  blocks: JsonValue[];
  parts: JsonObject[];
  data: JsonObject;
  error: JsonObject | undefined;
}

/** What the records of an answer say together: in their order, a later record of one piece in place of the earlier. */
function gatherPieces(group: Group, pieces: OpenAnswer['pieces']): Gathered {
  const held = new Map<string, Pick<Gathered, 'blocks' | 'parts'>>();
  let data: JsonObject = { ...group.setting };
  let error: JsonObject | undefined;
  let n = 0;
  for (const { entry, reading } of pieces) {
    for (const planned of entry.parts) {
      if (planned.group !== group) continue;
      const part = pieceOf(reading.parts[planned.index], planned);
      if (part?.kind === 'model') {
        if (part.again === true) held.clear();
        const key = part.piece ?? `#${String(n++)}`;
        if (part.appends !== undefined) held.set(key, appendText(held.get(key), part.appends));
        else if (part.blocks.length + part.parts.length > 0)
          held.set(key, { blocks: [...part.blocks], parts: [...part.parts] });
        data = { ...data, ...part.data };
        error = part.error ?? error;
      } else if (part?.kind === 'usage' && !('usage' in data)) data = { ...data, usage: part.usage };
      else if (part?.kind === 'call' && planned.merged !== true && !hasModelPiece(entry, group)) {
        const block = withoutUndefined({ type: 'tool_use', id: part.id, name: part.name, input: part.args });
        const shown = withoutUndefined({ type: 'tool_call', id: part.id, name: part.name, arguments: part.args });
        held.set(`#${String(n++)}`, { blocks: [block], parts: [shown] });
      }
    }
  }
  const all = [...held.values()];
  return { blocks: all.flatMap(({ blocks }) => blocks), parts: all.flatMap(({ parts }) => parts), data, error };
}

function appendText(
  before: Pick<Gathered, 'blocks' | 'parts'> | undefined,
  text: string,
): Pick<Gathered, 'blocks' | 'parts'> {
  const [first = { type: 'text', content: '' }] = before?.parts ?? [];
  const content = `${textAt(first, 'content') ?? ''}${text}`;
  const grown = { ...first, content };
  return { blocks: [grown], parts: [grown] };
}

function pieceOf(part: Part | undefined, planned: PlannedPart): Part | undefined {
  return part?.kind === 'echo' && planned.alone === true ? part.otherwise : part;
}

/** Whether the record has the call among the items of the model too, so that it needs no block of its own. */
function hasModelPiece(entry: Entry, group: Group): boolean {
  return entry.parts.some((part) => part.group === group && part.stub.kind === 'model');
}

function orderOf(entry: Entry): number {
  return entry.stub.file * 2 ** 32 + entry.stub.line;
}

function answerCauses(at: Converting, group: Group): readonly (CauseDraft | undefined)[] {
  const { entry } = group;
  const isFirst = group.causes.length === 0;
  const parent = typeof entry.stub.parent === 'string' || isFirst ? parentCause(at, entry) : undefined;
  return [parent, ...group.causes];
}

function modelCommand(group: Group, data: JsonObject): JsonObject {
  const last = lastAttempt(group);
  const model = data['response_model'] ?? data['request_model'];
  return {
    path: `${scopePath(group.entry)}/model:message=${last.name}`,
    kind: 'model',
    name: typeof model === 'string' ? model : 'model',
    identity: 'derived',
    attempt: attemptOf(group),
  };
}

function decisionDraft(group: Group): EventDraft {
  const chosen = group.calls.map((call) => withoutUndefined({ tool: call.name, call_id: call.id }));
  const args = { chosen };
  return {
    id: decisionEvent(group),
    type: 'decision.made',
    causes: [{ event: modelEvent(group), as: 'consumed' }],
    step: group.name,
    entry: group.entry,
    command: {
      path: `${scopePath(group.entry)}/decide:tools=${group.name}`,
      kind: 'decide',
      name: 'tools',
      identity: 'derived',
      args: digest(args),
    },
    data: { args, chosen, result: chosen, rule: 'decision-from-tool-use' },
    extra: {},
  };
}

/** Every record that is part of the answer, with what it says besides. */
function piecesExtra(group: Group, pieces: OpenAnswer['pieces']): JsonObject {
  const [only] = pieces;
  const also = [...group.entries].flatMap((entry) => alsoOf(entry));
  const beside = also.length === 0 ? {} : { also };
  if (pieces.length === 1 && only !== undefined) return { ...only.reading.extra, ...beside };
  const records = pieces.map(({ entry, reading, raw }) => {
    const isCount = entry.parts.every(({ stub }) => stub.kind === 'usage');
    return withoutUndefined({
      line: entry.stub.line,
      kind: entry.stub.kind,
      id: entry.stub.id,
      time: entry.stub.time,
      extra: reading.extra,
      record: isCount ? raw : undefined,
    });
  });
  return { records, ...beside };
}

export function alsoOf(entry: Entry): readonly JsonObject[] {
  return entry.also.map(({ line, kind, time }) => withoutUndefined({ line, kind, time }));
}
