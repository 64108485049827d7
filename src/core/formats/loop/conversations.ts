/**
 * Which model calls are turns of one conversation: a request that begins with another one and its answer goes on where that ended.
 *
 * By content alone (rule `request-goes-on`); no clock puts two calls into one conversation. Called by `requests.ts`.
 */
import { canon } from '../../model/index.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ChatCall } from '../chat/calls.ts';
import { follow, type Print } from './scope.ts';

/** One request and its answer, as they were recorded. */
export interface ModelCall {
  readonly key: string;
  readonly time: string;
  readonly asked: readonly JsonObject[];
  readonly said: readonly JsonObject[];
  readonly calls: readonly ChatCall[];
  readonly failed: boolean;
}

export interface Turn {
  readonly call: ModelCall;
  /** What the request held behind the answer before. */
  readonly since: readonly JsonObject[];
  /** Failed requests of the same words before it. */
  readonly attempts: readonly ModelCall[];
}

export interface Conversation {
  readonly key: string;
  readonly turns: readonly Turn[];
  /** The answers of other conversations that its first request holds. */
  readonly after: readonly { readonly key: string; readonly answer: number }[];
}

export function computeConversations(calls: readonly ModelCall[]): readonly Conversation[] {
  const ordered = [...calls].sort((a, b) => compare(a.time, b.time) || compare(a.key, b.key));
  const { turns, attempts } = joinAttempts(ordered);
  const before = findPredecessors(turns);
  const ends = endsOf(turns);
  const next = new Map([...before].map(([call, { from }]) => [from, call]));
  const conversations: Conversation[] = [];
  for (const first of turns) {
    if (before.has(first)) continue;
    const list: Turn[] = [];
    for (let call: ModelCall | undefined = first; call !== undefined; call = next.get(call)) {
      const since = call.asked.slice(before.get(call)?.length ?? 0);
      list.push({ call, since, attempts: attempts.get(call) ?? [] });
    }
    conversations.push({ key: first.key, turns: list, after: findSources(conversations, first, ends) });
  }
  return conversations;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A failed request whose words were sent again is an attempt of that. */
function joinAttempts(calls: readonly ModelCall[]): {
  readonly turns: readonly ModelCall[];
  readonly attempts: ReadonlyMap<ModelCall, readonly ModelCall[]>;
} {
  const attempts = new Map<ModelCall, ModelCall[]>();
  const turns: ModelCall[] = [];
  const words = new Map(calls.filter(({ failed }) => failed).map((call) => [call, textOf(call.asked)]));
  const asked = new Map<string, ModelCall>();
  if (words.size > 0) for (const call of calls) if (!call.failed) asked.set(textOf(call.asked), call);
  for (const call of calls) {
    const again = asked.get(words.get(call) ?? '');
    if (again === undefined || again === call) turns.push(call);
    else attempts.set(again, [...(attempts.get(again) ?? []), call]);
  }
  return { turns, attempts };
}

function textOf(items: readonly JsonObject[]): string {
  return canon(items);
}

/** For each request the longest beginning of it that is another request with its answer; each answer goes on once. */
function findPredecessors(
  calls: readonly ModelCall[],
): ReadonlyMap<ModelCall, { readonly from: ModelCall; readonly length: number }> {
  const ends = new Map<string, ModelCall[]>();
  const beginnings = new Map(calls.map((call) => [call, printsOf(call.asked)]));
  for (const call of calls) {
    if (call.failed || call.said.length === 0) continue;
    const print = String(call.said.reduce<Print>(follow, beginnings.get(call)?.at(-1) ?? [0, 0]));
    const same = ends.get(print);
    if (same === undefined) ends.set(print, [call]);
    else same.push(call);
  }
  const taken = new Set<ModelCall>();
  const found = new Map<ModelCall, { readonly from: ModelCall; readonly length: number }>();
  for (const call of calls) {
    const prints = beginnings.get(call) ?? [];
    for (let length = call.asked.length; length > 0; length--) {
      const from = ends.get(String(prints[length]))?.find((one) => one !== call && !taken.has(one));
      if (from === undefined) continue;
      taken.add(from);
      found.set(call, { from, length });
      break;
    }
  }
  return found;
}

/** Prints of all beginnings of a list. */
function printsOf(items: readonly JsonObject[]): readonly Print[] {
  let print: Print = [0, 0];
  return [print, ...items.map((item) => (print = follow(print, item)))];
}

/** Shorter words may be alike by chance. */
const shortestQuote = 32;
/** Above this many conversations nobody looks for quotes; what they begin with is then only read. */
const mostConversations = 100;

/** Earlier conversations that the first request of another goes on from under another system prompt, or quotes (rule `opening-quotes`). */
function findSources(
  earlier: readonly Conversation[],
  first: ModelCall,
  ends: ReadonlyMap<ModelCall, string>,
): Conversation['after'] {
  if (earlier.length === 0 || earlier.length > mostConversations) return [];
  const prints = new Set(printsOf(spokenOf(first.asked)).slice(1).map(String));
  const texts = first.asked.flatMap(({ text, told }) => [text, told].filter((one) => typeof one === 'string'));
  const found: { readonly key: string; readonly answer: number }[] = [];
  for (const { key, turns } of earlier) {
    const answer = turns.findLastIndex(
      ({ call }) => prints.has(ends.get(call) ?? '') || call.said.some(({ text }) => isQuoted(text, texts)),
    );
    if (answer >= 0) found.push({ key, answer });
  }
  return found;
}

/** Where each conversation stood with an answer, whatever its system prompt. */
function endsOf(calls: readonly ModelCall[]): ReadonlyMap<ModelCall, string> {
  const spoken = calls.filter(({ said }) => said.length > 0);
  return new Map(
    spoken.map((call) => [call, String([...spokenOf(call.asked), ...call.said].reduce<Print>(follow, [0, 0]))]),
  );
}

function spokenOf(items: readonly JsonObject[]): readonly JsonObject[] {
  return items.filter(({ said }) => said !== 'system');
}

function isQuoted(text: JsonObject[string] | undefined, texts: readonly string[]): boolean {
  return typeof text === 'string' && text.length >= shortestQuote && texts.some((one) => one.includes(text));
}
