/**
 * What a conversation needs to be computed: which tool ran each call, what the next request shows of it, and whether anything in a request
 * came from nowhere. Called by `requests.ts`; `talk-events.ts` makes events of it.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { comparable } from '../chat/calls.ts';
import type { ImportedEvent } from '../format.ts';
import { textAt } from '../members.ts';
import type { ModelCall, Turn } from './conversations.ts';

/** A command as the record has it: its beginning and its end. */
export interface Recorded {
  readonly begin: ImportedEvent | undefined;
  readonly end: ImportedEvent | undefined;
}

export interface Called {
  readonly id: string;
  readonly call: Turn['call']['calls'][number];
  readonly tool: Recorded | undefined;
  /** As the next request holds it. */
  readonly shown: string | undefined;
  readonly isTold: boolean;
}

export interface TalkPlan {
  /** The calls of each turn. */
  readonly called: readonly (readonly Called[])[];
  /** Calls whose result the model was told in other words. */
  readonly told: readonly string[];
  /** Calls of the last answer that nobody ran. */
  readonly unrun: readonly string[];
  /** It was not asked again after its last calls. */
  readonly last: boolean;
}

/** Undefined where a request holds something that came from nowhere. */
export function planTalk(turns: readonly Turn[], free: Set<Recorded>): TalkPlan | undefined {
  const called: (readonly Called[])[] = [];
  for (const [n, { call }] of turns.entries()) {
    const before = call.asked.filter((item) => 'calls' in item).length;
    const next = turns[n + 1];
    const results = next === undefined ? [] : next.since.filter((item) => 'answers' in item);
    if (next !== undefined && !isComputed(call, next, results, before)) return undefined;
    called.push(
      call.calls.map((one, at): Called => {
        const tool = findTool(free, one);
        if (tool !== undefined) free.delete(tool);
        const shown = textAt(results[at], 'told');
        const isTold = tool?.end !== undefined && shown !== undefined && comparable(resultOf(tool)) !== shown;
        return { id: one.id ?? `#${String(before + at)}`, call: one, tool, shown, isTold };
      }),
    );
  }
  const all = called.flat();
  const told = all.filter(({ isTold }) => isTold).map(({ id }) => id);
  const unrun = all.filter(({ tool, shown }) => tool === undefined && shown === undefined).map(({ id }) => id);
  return { called, told, unrun, last: (called.at(-1) ?? []).length > 0 };
}

/** What control code got; undefined where the call failed. */
export function resultOf(tool: Recorded | undefined): JsonObject[string] | undefined {
  return tool?.end?.event.type === 'tool_call.completed' ? dataOf(tool.end)['result'] : undefined;
}

/** Behind an answer stand the results of its calls, or what somebody said; nothing else can be computed. */
function isComputed(call: ModelCall, next: Turn, results: readonly JsonObject[], before: number): boolean {
  if (call.calls.length === 0) return results.length === 0 && next.since.length > 0;
  return (
    next.since.length === results.length &&
    results.length === call.calls.length &&
    results.every(({ answers }, at) => answers === before + at)
  );
}

/** By the id of the call; where the record of the tool has none, by its name and arguments, and of several the one that began first. */
function findTool(free: ReadonlySet<Recorded>, { id, name, args }: Called['call']): Recorded | undefined {
  let best: Recorded | undefined;
  for (const tool of free) {
    const data = dataOf(tool.begin ?? tool.end);
    const own = textAt(data, 'call_id');
    const isSame =
      own === undefined || id === undefined
        ? textAt(data, 'tool') === name && comparable(data['args']) === comparable(args)
        : own === id;
    if (isSame && own !== undefined && own === id) return tool;
    if (isSame && (best === undefined || isBefore(tool, best))) best = tool;
  }
  return best;
}

function isBefore(one: Recorded, other: Recorded): boolean {
  const [a, b] = [one.begin ?? one.end, other.begin ?? other.end];
  const [began, othersBegan] = [a?.event.time ?? '', b?.event.time ?? ''];
  return began === othersBegan ? (a?.event.id ?? '') < (b?.event.id ?? '') : began < othersBegan;
}

export function dataOf(told: ImportedEvent | undefined): JsonObject {
  const data: unknown = told?.event.data;
  return isJsonObject(data) ? data : {};
}
