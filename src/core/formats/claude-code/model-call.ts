/**
 * Assistant lines to model calls, decisions and tool calls.
 *
 * A model message stands on several lines, one content block each, with its usage repeated: the event is made once, when the last
 * line was read, and usage is taken from the line that counted most tokens, never summed.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { digest } from '../../model/index.ts';
import { type CauseDraft, type EventDraft, extraOf, withoutUndefined } from './envelope.ts';
import { compareTimes, firstLine, isSpawn, type Links } from './link.ts';
import { type CcRecord, contentToText, numberAt, objectAt, textAt } from './record.ts';
import { callKey, type Group, groupKey, type Node, scoped, unscoped } from './survey.ts';
import { toolToEffect } from './tools.ts';

/** A line of a message, and the record it is in the survey. */
export interface MessageLine {
  readonly record: CcRecord;
  readonly node: Node;
}

/** A message while its lines come in. */
export interface OpenMessage {
  readonly lines: MessageLine[];
}

/** What one assistant line makes. */
export interface ModelLine {
  /** Its tool calls. */
  readonly own: readonly EventDraft[];
  /** The whole message, when no further line of it is to come. */
  readonly message: WholeMessage | undefined;
}

interface WholeMessage {
  readonly drafts: readonly EventDraft[];
  /** In the order in which they were written; the last of them is the record of the message. */
  readonly lines: readonly MessageLine[];
}

export function takeModelLine(
  links: Links,
  open: Map<string, OpenMessage>,
  line: MessageLine,
  print: string,
): ModelLine | undefined {
  const { record, node } = line;
  const key = groupKey(record, print);
  const group = links.survey.groups.get(key);
  if (group === undefined) return undefined;
  const message = open.get(key) ?? { lines: [] };
  message.lines.push(line);
  open.set(key, message);
  const own = toolDrafts(links, record, node, key, print);
  if (message.lines.length < group.lines) return { own, message: undefined };
  open.delete(key);
  const lines = inOrder(links, message.lines);
  const records = lines.map((one) => one.record);
  const last = lines.at(-1)?.node ?? node;
  return { own, message: { drafts: messageDrafts(links, records, group, last), lines } };
}

/** True for a line that makes events before its message is whole. */
export function hasCalls({ record }: MessageLine): boolean {
  return (record.message?.toolUses ?? []).length > 0;
}

/** By distance from the root, then by time: the order in which they were written, whatever the order in which they were read. */
function inOrder(links: Links, lines: readonly MessageLine[]): readonly MessageLine[] {
  if (lines.length === 1) return lines;
  const { depth } = links.ancestry;
  const depthOf = ({ node }: MessageLine): number =>
    node.identified ? depth(links.survey.nodes.get(scoped(node.session, node.uuid)) ?? node) : 0;
  return [...lines].sort((a, b) => depthOf(a) - depthOf(b) || compareTimes(a.record.time, b.record.time));
}

function messageDrafts(links: Links, lines: readonly CcRecord[], group: Group, node: Node): readonly EventDraft[] {
  const [first] = lines;
  if (first === undefined) return [];
  const isSynthetic = first.message?.model === '<synthetic>';
  const failed = lines.some((line) => line.raw['isApiErrorMessage'] === true);
  const shared = {
    id: links.modelEvent(group.key),
    causes: contextOf(links, group),
    step: unscoped(group.key),
    extra: messageExtra(lines),
    time: firstTime(lines),
  };
  const blocks = lines.flatMap((line) => line.message?.blocks ?? []);
  const content: JsonValue = blocks.length > 0 ? blocks : (first.message?.content ?? []);
  if (isSynthetic && !failed) {
    const data = { from: 'claude-code', role: 'assistant', content };
    return [{ ...shared, type: 'message.sent', data }];
  }
  const model = first.message?.model;
  const call = withoutUndefined({
    operation: 'chat',
    request_model: undefined,
    response_model: isSynthetic ? undefined : model,
    response_id: first.message?.id,
    usage: usageOf(lines),
    finish_reasons: finishOf(lines),
  });
  const command = commandOf(links, group, node, model);
  if (failed) {
    const error = { name: textAt(first.raw, 'error') ?? 'api_error', message: contentToText(content) };
    return [{ ...shared, type: 'model_call.failed', command, data: { ...call, error } }];
  }
  const completed: EventDraft = {
    ...shared,
    type: 'model_call.completed',
    command,
    data: { ...call, result: content },
  };
  return group.calls.length === 0 ? [completed] : [completed, decisionDraft(links, group, node, lines)];
}

/** What the model answered: its recorded parent, and (inferred) every answer to the calls made just before. */
function contextOf(links: Links, group: Group): readonly (CauseDraft | undefined)[] {
  const first = firstLine(group, links.ancestry);
  const causes: (CauseDraft | undefined)[] = [parentCause(links, first)];
  const answered = answeredBefore(links, first)?.answers.map((answer) => links.answeredCall(answer).key) ?? [];
  for (const call of answered) {
    const before = call === undefined ? undefined : links.survey.calls.get(call)?.group;
    if (before === undefined || before === group.key) continue;
    for (const event of links.resultsOf(before)) causes.push({ event, as: 'consumed', rule: 'answers-in-context' });
  }
  return causes;
}

/** Hooks and progress stand between a result and the message that follows it; a walk longer than this is none of those. */
const mostBetween = 10_000;

function answeredBefore(links: Links, first: Node): Node | undefined {
  let at = links.parentOf(first);
  for (let steps = 0; at?.kind === 'other' && steps < mostBetween; steps++) at = links.parentOf(at);
  return at;
}

/** The recorded parent; one that is in no file given is kept as a reference into the void, which the index reports. */
export function parentCause(links: Links, node: Node): CauseDraft | undefined {
  if (node.parent === undefined) return node.sidechain || !node.identified ? undefined : links.runCause(node);
  const parent = links.parentOf(node);
  const event =
    parent === undefined ? links.recordId({ ...node, uuid: node.parent, prints: [] }, '') : links.mainEventOf(parent);
  return { event, as: 'caused_by' };
}

/**
 * Lines are written as blocks end, and a call may start before the last block: with a later time the message would seem to come
 * after what it chose. All times of the lines are kept beside it.
 */
function firstTime(lines: readonly CcRecord[]): string | undefined {
  let first: string | undefined;
  for (const { time } of lines) if (time !== undefined && (first === undefined || time < first)) first = time;
  return first;
}

function decisionDraft(links: Links, group: Group, node: Node, lines: readonly CcRecord[]): EventDraft {
  const chosen: JsonObject[] = [];
  for (const line of lines) {
    for (const use of line.message?.toolUses ?? []) chosen.push(withoutUndefined({ tool: use.name, call_id: use.id }));
  }
  const args = { chosen };
  const name = 'tools';
  return {
    id: links.decisionEvent(group.key),
    type: 'decision.made',
    causes: [{ event: links.modelEvent(group.key), as: 'consumed' }],
    step: unscoped(group.key),
    command: {
      path: `${links.scopeOf(links.agentOf(node))}/decide:${name}=${unscoped(group.key)}`,
      kind: 'decide',
      name,
      identity: 'derived',
      args: digest(args),
    },
    data: { args, chosen, result: chosen, rule: 'decision-from-tool-use' },
    time: firstTime(lines),
    extra: {},
  };
}

function toolDrafts(links: Links, record: CcRecord, node: Node, group: string, print: string): readonly EventDraft[] {
  return (record.message?.toolUses ?? []).map((use, index) => {
    const key = callKey(record, use.id, print, index);
    const agent = links.agentOfCall(key);
    const spawn = isSpawn(use.name);
    const kind = spawn ? 'child' : toolToKind(use.name);
    const path = `${links.scopeOf(links.agentOf(node))}/${kind ?? 'tool'}:${use.name}=${unscoped(key)}`;
    const command = { path, kind, name: use.name, identity: 'derived', attempt: 1, args: digest(use.input) };
    const effect = spawn ? undefined : toolToEffect(use.name);
    return {
      id: links.callEvent(key),
      type: spawn ? 'agent.spawned' : 'tool_call.dispatched',
      causes: [{ event: links.decisionEvent(group), as: 'selected_by' }],
      step: unscoped(group),
      command: withoutUndefined(command),
      data: withoutUndefined({
        tool: use.name,
        call_id: use.id,
        args: use.input,
        effect,
        effect_rule: effect === undefined ? undefined : 'tool-effects',
        from: spawn ? links.agentOf(node) : undefined,
        to: agent,
        child: agent === undefined ? undefined : { scope: path },
      }),
    };
  });
}

export function toolToKind(name: string): 'read' | 'write' | undefined {
  const effect = toolToEffect(name);
  return effect === undefined ? undefined : effect === 'none' ? 'read' : 'write';
}

function commandOf(links: Links, group: Group, node: Node, model: string | undefined): JsonObject {
  const name = model ?? 'model';
  return {
    path: modelPath(links, group.key, node),
    kind: 'model',
    name,
    identity: 'derived',
    attempt: links.failedAttempts(group.key) + 1,
  };
}

export function modelPath(links: Links, group: string, node: Node): string {
  return `${links.scopeOf(links.agentOf(node))}/model:message=${unscoped(group)}`;
}

/** Usage is repeated on every line, early lines with the count so far: the largest is the final one. */
function usageOf(lines: readonly CcRecord[]): JsonObject | undefined {
  let best: JsonObject | undefined;
  for (const line of lines) {
    const usage = line.message?.usage;
    if (usage === undefined) continue;
    if (best === undefined || (numberAt(usage, 'output_tokens') ?? 0) > (numberAt(best, 'output_tokens') ?? 0))
      best = usage;
  }
  if (best === undefined) return undefined;
  const isFinal = lines.some((line) => line.message?.stopReason !== undefined);
  // `input_tokens` is what was neither written to the cache nor read from it: nearly nothing, where a cache is used.
  const isCached =
    numberAt(best, 'cache_creation_input_tokens') !== undefined ||
    numberAt(best, 'cache_read_input_tokens') !== undefined;
  return withoutUndefined({
    ...best,
    input_excludes_cache: isCached ? true : undefined,
    counted_while_streaming: isFinal ? undefined : true,
  });
}

function finishOf(lines: readonly CcRecord[]): readonly string[] | undefined {
  const reasons = lines.map((line) => line.message?.stopReason).filter((reason) => reason !== undefined);
  const last = reasons.at(-1);
  return last === undefined ? undefined : [last];
}

/** Where every line of the message stood, and the fields it has besides its content. */
function messageExtra(lines: readonly CcRecord[]): JsonObject {
  const each = lines.map((line) => {
    const { content, usage, ...rest } = { ...objectAt(line.raw, 'message') };
    const unmapped = withoutKnown(rest);
    return withoutUndefined({
      ...extraOf(line),
      ...(Object.keys(unmapped).length > 0 ? { message: unmapped } : {}),
      uuid: line.uuid,
      parentUuid: line.parent,
      timestamp: line.time,
      file: line.source.place.file,
      line: line.source.place.line,
      blocks: Array.isArray(content) ? content.length : undefined,
      usage: lines.length > 1 ? usage : undefined,
    });
  });
  return { lines: each };
}

function withoutKnown(message: JsonObject): JsonObject {
  const known = new Set(['id', 'model', 'role', 'type', 'stop_reason']);
  const out: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(message)) if (!known.has(key) && value !== null) out[key] = value;
  return out;
}
