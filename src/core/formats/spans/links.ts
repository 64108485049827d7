/**
 * Which answer selected which tool operation, and which request had which outcome: read from call ids where the records have them,
 * else by the named rules of `rules.ts`.
 *
 * Invariant: an edge goes from what ended to what started no earlier, by the recorded times; where the times cannot say so, no rule
 * infers anything. Linear in operations and messages, but for one pass of ids a request repeats.
 */
import { timeToMillis } from '../../base/time.ts';
import { canon, digest } from '../../model/index.ts';
import { comparable, messagesToAnswers, messagesToCalls } from '../chat/calls.ts';
import type { ChatMessage } from '../chat/messages.ts';
import { fingerprint } from '../seen.ts';
import type { Operation } from './operation.ts';
import type { SpanRule } from './rules.ts';

export interface Link {
  /** The operation whose outcome it is. */
  readonly from: string;
  readonly rule: SpanRule | undefined;
}

export interface Links {
  /** The model operation whose answer chose this tool operation. */
  readonly selectedBy: ReadonlyMap<string, Link>;
  /** Outcomes that a model operation had in its request. */
  readonly consumed: ReadonlyMap<string, readonly Link[]>;
  /** Call ids by tool operation, recorded or matched. */
  readonly callIds: ReadonlyMap<string, string>;
}

interface Asked {
  readonly model: Operation;
  readonly call: string | undefined;
  taken: boolean;
}

export function computeLinks(operations: readonly Operation[], isWrapper: (id: string) => boolean): Links {
  const models = operations.filter(({ kind, id }) => kind === 'model' && !isWrapper(id));
  const tools = operations.filter(({ kind }) => kind === 'tool' || kind === 'handoff');
  const byId = new Map<string, Asked | undefined>();
  const byArguments = new Map<string, Asked[]>();
  for (const model of inTime(models)) indexCalls(model, byId, byArguments);
  const selectedBy = new Map<string, Link>();
  const callIds = new Map<string, string>();
  for (const tool of inTime(tools)) {
    const known = tool.callId === undefined ? undefined : byId.get(tool.callId);
    // An id that several answers use, such as the name of the tool, identifies no call.
    const isVague = tool.callId === undefined || (known === undefined && byId.has(tool.callId));
    const asked = known ?? (isVague ? latestAsked(tool, byArguments) : undefined);
    if (tool.callId !== undefined) callIds.set(tool.id, tool.callId);
    if (asked === undefined) continue;
    asked.taken = true;
    if (asked.call !== undefined) callIds.set(tool.id, asked.call);
    selectedBy.set(tool.id, { from: asked.model.id, rule: known === undefined ? 'call-by-arguments' : undefined });
  }
  return { selectedBy, callIds, consumed: computeConsumed(models, tools, callIds, byId) };
}

function indexCalls(model: Operation, byId: Map<string, Asked | undefined>, byArguments: Map<string, Asked[]>): void {
  for (const call of messagesToCalls(model.model?.answered ?? [])) {
    const asked = { model, call: call.id, taken: false };
    if (call.id !== undefined) byId.set(call.id, byId.has(call.id) ? undefined : asked);
    const key = `${call.name} ${comparable(call.args)}`;
    const same = byArguments.get(key);
    if (same === undefined) byArguments.set(key, [asked]);
    else same.push(asked);
  }
}

function latestAsked(tool: Operation, byArguments: ReadonlyMap<string, readonly Asked[]>): Asked | undefined {
  const candidates = byArguments.get(`${toolName(tool.name)} ${comparable(tool.input ?? {})}`) ?? [];
  let best: Asked | undefined;
  for (const asked of candidates) {
    if (asked.taken || !startedBefore(asked.model, tool)) continue;
    if (best === undefined || startedBefore(best.model, asked.model)) best = asked;
  }
  return best;
}

/** An answer is recorded as ended when all of it was read; its calls may begin before that. */
function startedBefore(one: Operation, other: Operation): boolean {
  const [first, second] = [timeOf(one.start), timeOf(other.start)];
  return first !== undefined && second !== undefined && first < second;
}

/** Instrumentations put words before the name of a tool. */
export function toolName(name: string): string {
  return name.replace(/^(?:running tool|execute_tool|tool)[:. ]\s*/i, '');
}

/** One ended no later than the other began; both times must be there. */
function isBefore(one: Operation, other: Operation): boolean {
  const end = timeOf(one.end ?? one.start);
  const start = timeOf(other.start);
  return end !== undefined && start !== undefined && end <= start;
}

function timeOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : timeToMillis(time);
}

/** By beginning; what has none, and what began together, by id: one order for any order of the file. */
function inTime(operations: readonly Operation[]): readonly Operation[] {
  const keyed = operations.map((operation) => ({ operation, at: timeOf(operation.start) ?? Number.POSITIVE_INFINITY }));
  keyed.sort((a, b) => a.at - b.at || (a.operation.id < b.operation.id ? -1 : 1));
  return keyed.map(({ operation }) => operation);
}

function computeConsumed(
  models: readonly Operation[],
  tools: readonly Operation[],
  callIds: ReadonlyMap<string, string>,
  byId: ReadonlyMap<string, Asked | undefined>,
): ReadonlyMap<string, readonly Link[]> {
  const toolByCall = new Map<string, Operation | undefined>();
  for (const tool of tools) {
    const call = callIds.get(tool.id);
    if (call !== undefined) toolByCall.set(call, toolByCall.has(call) ? undefined : tool);
  }
  const byContent = indexContent(tools);
  const conversations = createConversations();
  const consumed = new Map<string, readonly Link[]>();
  for (const model of inTime(models)) {
    const asked = model.model?.asked ?? [];
    const before = conversations.before(model, asked);
    const links: Link[] = before === undefined ? [] : [{ from: before.id, rule: 'conversation-continues' }];
    const fresh = asked.slice(before === undefined ? 0 : (before.model?.asked.length ?? 0));
    for (const answer of messagesToAnswers(fresh)) {
      const known = answer.id === undefined ? undefined : toolByCall.get(answer.id);
      const isVague = answer.id === undefined || (known === undefined && toolByCall.has(answer.id));
      const tool = known ?? (isVague ? onlyWith(byContent, comparable(answer.response), model) : undefined);
      if (tool === undefined) continue;
      const isRecorded = answer.id !== undefined && tool.callId === answer.id;
      links.push({
        from: tool.id,
        rule: known === undefined ? 'result-by-content' : isRecorded ? undefined : 'result-in-context',
      });
    }
    // Calls by id in the request tell which answers it had, also where no message before is equal.
    for (const { id } of messagesToCalls(fresh)) {
      const answered = id === undefined ? undefined : byId.get(id)?.model;
      if (answered !== undefined && answered.id !== model.id) links.push({ from: answered.id, rule: undefined });
    }
    consumed.set(model.id, unique(links));
  }
  return consumed;
}

function unique(links: readonly Link[]): readonly Link[] {
  const seen = new Map<string, Link>();
  for (const link of links) {
    const known = seen.get(link.from);
    if (known === undefined || (known.rule !== undefined && link.rule === undefined)) seen.set(link.from, link);
  }
  return [...seen.values()];
}

function indexContent(tools: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const byContent = new Map<string, Operation[]>();
  for (const tool of tools) {
    const key = comparable(tool.output);
    if (key === '') continue;
    const same = byContent.get(key);
    if (same === undefined) byContent.set(key, [tool]);
    else same.push(tool);
  }
  return byContent;
}

function onlyWith(
  byContent: ReadonlyMap<string, readonly Operation[]>,
  content: string,
  model: Operation,
): Operation | undefined {
  const found = (byContent.get(content) ?? []).filter((tool) => isBefore(tool, model));
  return found.length === 1 ? found[0] : undefined;
}

/** Finds the latest earlier request whose messages are all repeated at the beginning of a later one. */
function createConversations() {
  const byPrefix = new Map<string, Operation>();
  return {
    before: (model: Operation, asked: readonly ChatMessage[]): Operation | undefined => {
      let prefix = '';
      let found: Operation | undefined;
      for (const message of asked) {
        prefix = fingerprint(`${prefix}${message.role}${canon(message.parts.length === 0 ? message : message.parts)}`);
        const earlier = byPrefix.get(prefix);
        if (earlier !== undefined && isBefore(earlier, model)) found = earlier;
      }
      if (asked.length > 0) byPrefix.set(prefix, model);
      return found;
    },
  };
}

export function argsDigest(operation: Operation): string | undefined {
  return operation.input === undefined ? undefined : digest(operation.input);
}
