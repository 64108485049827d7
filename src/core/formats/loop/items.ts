/**
 * A conversation as a flat list of what was said, called and answered: the same for every way in which a request may write it.
 *
 * Invariant: equal conversations give equal lists, whichever message holds which part and whether or not calls have ids; the program
 * `chat-loop` makes the same of what came back to it. Thoughts are in no list: they are not sent again.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type ChatCall, comparable } from '../chat/calls.ts';
import { listAt, memberAt, parseText, textAt } from '../members.ts';

interface Told {
  readonly items: readonly JsonObject[];
  /** Calls in it, by their order; an item of a result names its call by that. */
  readonly calls: readonly ChatCall[];
}

export function messagesToItems(messages: readonly JsonValue[]): Told {
  const items: JsonObject[] = [];
  const calls: ChatCall[] = [];
  const answered = new Set<number>();
  for (const message of messages) {
    if (!isJsonObject(message)) continue;
    const parts = (listAt(message, 'parts') ?? []).filter(isJsonObject);
    const own = partsToItems(textAt(message, 'role') ?? 'user', parts);
    for (const item of own.items) items.push(item);
    for (const call of own.calls) calls.push(call);
    for (const part of parts) {
      if (part['type'] !== 'tool_call_response') continue;
      const at = findCall(calls, answered, textAt(part, 'id'));
      if (at >= 0) answered.add(at);
      items.push({ answers: at, told: comparable(memberAt(part, 'response')) });
    }
  }
  return { items: inOrderOfCalls(items), calls };
}

/** Of one message, without results: its words as one text, what is neither, and its calls. */
export function partsToItems(role: string, parts: readonly JsonObject[]): Told {
  const texts: string[] = [];
  const others: JsonObject[] = [];
  const calls: ChatCall[] = [];
  for (const part of parts) {
    const type = part['type'];
    if (type === 'text') texts.push(textAt(part, 'content') ?? '');
    else if (type === 'tool_call') {
      const args = parseText(memberAt(part, 'arguments')) ?? {};
      calls.push({ id: textAt(part, 'id'), name: textAt(part, 'name') ?? '', args: args === '' ? {} : args });
    } else if (type !== 'reasoning' && type !== 'tool_call_response') others.push({ said: role, part });
  }
  const text = texts.join('').trim();
  const said: readonly JsonObject[] = text === '' ? [] : [{ said: role, text }];
  const called = calls.map(({ name, args }): JsonObject => ({ calls: name, args }));
  return { items: [...said, ...others, ...called], calls };
}

/** The call with the id, else the first that nothing answered. */
function findCall(calls: readonly ChatCall[], answered: ReadonlySet<number>, id: string | undefined): number {
  const named = id === undefined ? -1 : calls.findLastIndex((call) => call.id === id);
  return named >= 0 ? named : calls.findIndex((_, at) => !answered.has(at));
}

/** Results that follow one another stand in the order of their calls. */
function inOrderOfCalls(items: readonly JsonObject[]): readonly JsonObject[] {
  const out: JsonObject[] = [];
  let results: JsonObject[] = [];
  const flush = (): void => {
    for (const item of results.sort((a, b) => Number(a['answers']) - Number(b['answers']))) out.push(item);
    results = [];
  };
  for (const item of items) {
    if ('answers' in item) results.push(item);
    else {
      flush();
      out.push(item);
    }
  }
  flush();
  return out;
}
