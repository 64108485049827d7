/**
 * The order of the log records of one model call, and with it that of its messages.
 *
 * Exporters write records in any order, so the order of lines is the last thing that is asked. First the times of the records; then,
 * where several have one moment (clocks of milliseconds), the order in which an earlier call of the trace told the same messages; then
 * what a conversation is: the system prompt first, a person before the first answer, results behind the answer that asked for them and
 * in the order of its calls. Only several prompts or answers of one moment that no earlier call told stand as their lines do.
 */
import { canon } from '../../model/index.ts';
import { fingerprint } from '../seen.ts';
import { type GivenAnswer, isOfModel, type Message } from './messages.ts';

/** What one log record says of a model call, without its content. */
export interface SpokenPart {
  readonly print: string;
  readonly time: string;
  /** When it was seen first, where that is told beside its time. */
  readonly observed: string;
  readonly role: string | undefined;
  /** Fingerprint of its messages: the same for an answer and for that answer in a later request. */
  readonly words: string;
  readonly ofModel: boolean;
  readonly isOutput: boolean;
  /** Which of several answers it is. */
  readonly index: number;
  /** The calls it asks for. */
  readonly calls: readonly { readonly id: string | undefined; readonly name: string | undefined }[];
  readonly answers: readonly GivenAnswer[];
}

/** One call: the trace it belongs to and what was said of it. */
interface SpokenParts<Part> {
  readonly trace: string;
  readonly parts: readonly Part[];
}

/** What members a message has beside these differs between an answer and the same answer told again. */
export function messagesToWords(messages: readonly Message[]): string {
  return fingerprint(canon(messages.map(({ role, parts }) => ({ role: role ?? '', parts: parts ?? [] }))));
}

export function roleOf([message]: readonly Message[]): string | undefined {
  if (message === undefined) return undefined;
  const role = message['role'];
  return isOfModel(message) ? 'assistant' : typeof role === 'string' ? role : undefined;
}

/** The parts of every call in their order. */
export function orderSpoken<Call, Part extends SpokenPart>(
  told: ReadonlyMap<Call, SpokenParts<Part>>,
): ReadonlyMap<Call, readonly Part[]> {
  const calls = [...told].map(([call, { trace, parts }]) => {
    const sorted = [...parts].sort(byMoment);
    return { call, trace, input: sorted.filter(isInput), output: sorted.filter((part) => part.isOutput) };
  });
  // What an earlier request of a conversation held is less than what a later one holds.
  calls.sort((a, b) => a.input.length - b.input.length);
  const earlier = createEarlier<Part>();
  const ordered = new Map<Call, readonly Part[]>();
  for (const { call, trace, input, output } of calls) {
    const settled = hasOneMoment(input) ? settle(input, earlier.find(trace, input)) : input;
    earlier.add(trace, settled, output);
    ordered.set(call, [...settled, ...output]);
  }
  return ordered;
}

function isInput({ isOutput }: SpokenPart): boolean {
  return !isOutput;
}

function byMoment(a: SpokenPart, b: SpokenPart): number {
  return compare(a.time, b.time) || compare(a.observed, b.observed) || a.index - b.index;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isSameMoment(a: SpokenPart, b: SpokenPart): boolean {
  return a.time === b.time && a.observed === b.observed;
}

function hasOneMoment(parts: readonly SpokenPart[]): boolean {
  return parts.some((part, at) => {
    const next = parts[at + 1];
    return next !== undefined && isSameMoment(part, next);
  });
}

/** The longest first; of those of one length always the same. */
function byLength(a: readonly string[], b: readonly string[]): number {
  return b.length - a.length || compare(a.join(' '), b.join(' '));
}

interface Earlier<Part> {
  readonly add: (trace: string, input: readonly Part[], output: readonly Part[]) => void;
  /** The words of the longest request that this one goes on from, and of its answer, in their order. */
  readonly find: (trace: string, input: readonly Part[]) => ReadonlyMap<string, number>;
}

/** More calls with the very same answer are not gone through. */
const mostCandidates = 64;

function createEarlier<Part extends SpokenPart>(): Earlier<Part> {
  /** By the words of the answer, the longest request last. */
  const byAnswer = new Map<string, (readonly string[])[]>();

  function find(trace: string, input: readonly Part[]): ReadonlyMap<string, number> {
    const held = new Set(input.map(({ words }) => words));
    const candidates = new Set<readonly string[]>();
    for (const { words, ofModel } of input)
      if (ofModel)
        for (const one of byAnswer.get(`${trace} ${words}`)?.slice(-mostCandidates) ?? []) candidates.add(one);
    const longest = [...candidates].sort(byLength).find((one) => one.every((words) => held.has(words))) ?? [];
    const places = new Map<string, number>();
    for (const [at, words] of longest.entries()) if (!places.has(words)) places.set(words, at);
    return places;
  }

  function add(trace: string, input: readonly Part[], output: readonly Part[]): void {
    // Of several answers to one request a later one goes on from one.
    for (const { words } of output) {
      const key = `${trace} ${words}`;
      const said = [...input.map((part) => part.words), words];
      const same = byAnswer.get(key);
      if (same === undefined) byAnswer.set(key, [said]);
      else same.push(said);
    }
  }

  return { add, find };
}

/** Records in the order of their times, those of one moment in that of the conversation. */
function settle<Part extends SpokenPart>(input: readonly Part[], before: ReadonlyMap<string, number>): readonly Part[] {
  const calls = new Map(input.flatMap(askedBy).map((call, at) => [call, at]));
  const placed: Part[] = [];
  for (const moment of toMoments(input)) {
    const known = moment.filter(({ words }) => before.has(words));
    known.sort((a, b) => (before.get(a.words) ?? 0) - (before.get(b.words) ?? 0));
    for (const part of known) placed.push(part);
    const fresh = moment.filter(({ words }) => !before.has(words));
    for (const part of arrange(fresh, placed.at(-1), calls)) placed.push(part);
  }
  return placed;
}

function toMoments<Part extends SpokenPart>(input: readonly Part[]): readonly (readonly Part[])[] {
  const moments: Part[][] = [];
  let before: Part | undefined;
  for (const part of input) {
    if (before !== undefined && isSameMoment(before, part)) moments.at(-1)?.push(part);
    else moments.push([part]);
    before = part;
  }
  return moments;
}

/** Messages of one moment that nothing told before, behind `last`. */
function arrange<Part extends SpokenPart>(
  parts: readonly Part[],
  last: Part | undefined,
  calls: ReadonlyMap<string, number>,
): readonly Part[] {
  if (parts.length < 2) return parts;
  const { system, user, assistant, tool } = byRole(parts);
  if (user.length > 1 || assistant.length > 1) return behindTheirCalls(parts, calls);
  const own = new Set(assistant.flatMap(askedBy));
  const results = [...tool].sort((a, b) => placeOf(a, calls) - placeOf(b, calls));
  const isLate = (part: Part): boolean => last === undefined || answeredBy(part).some((call) => own.has(call));
  const early = results.filter((part) => !isLate(part));
  const late = results.filter(isLate);
  // Behind an answer a person speaks next; behind a person, or behind results, the model.
  const answersNext = late.length === 0 && (early.length > 0 || (last !== undefined && !last.ofModel));
  const speakers = answersNext ? [...assistant, ...user] : [...user, ...assistant];
  return [...system, ...early, ...speakers, ...late];
}

interface ByRole<Part> {
  readonly system: readonly Part[];
  readonly user: readonly Part[];
  readonly assistant: readonly Part[];
  readonly tool: readonly Part[];
}

function byRole<Part extends SpokenPart>(parts: readonly Part[]): ByRole<Part> {
  const out = { system: [] as Part[], user: [] as Part[], assistant: [] as Part[], tool: [] as Part[] };
  for (const part of parts) {
    if (part.ofModel) out.assistant.push(part);
    else if (part.role === 'tool' || part.answers.length > 0) out.tool.push(part);
    // A record of the whole call has no role, and says nothing that another one goes on from.
    else if (part.role === 'system' || part.role === 'developer' || part.role === undefined) out.system.push(part);
    else out.user.push(part);
  }
  return out;
}

function askedBy({ calls }: SpokenPart): readonly string[] {
  return calls.map(callToKey);
}

function answeredBy({ answers }: SpokenPart): readonly string[] {
  return answers.map(callToKey);
}

/** By its id, and where the provider gives none by the name of the tool. */
function callToKey({ id, name }: GivenAnswer): string {
  return id === undefined ? `name ${name ?? ''}` : `id ${id}`;
}

/** Where the call that it answers stands among all that were asked for; one of no known call stands last. */
function placeOf(part: SpokenPart, calls: ReadonlyMap<string, number>): number {
  const [first] = answeredBy(part);
  return calls.get(first ?? '') ?? calls.size;
}

/** As the lines stand, but no result before the answer that asked for it. */
function behindTheirCalls<Part extends SpokenPart>(
  parts: readonly Part[],
  calls: ReadonlyMap<string, number>,
): readonly Part[] {
  const waiting = new Map<string, Part[]>();
  const asking = new Set(parts.flatMap(askedBy));
  const out: Part[] = [];
  const seen = new Set<string>();
  for (const part of parts) {
    const call = answeredBy(part).find((one) => asking.has(one) && !seen.has(one));
    if (call !== undefined) {
      const others = waiting.get(call);
      if (others === undefined) waiting.set(call, [part]);
      else others.push(part);
      continue;
    }
    out.push(part);
    const asked = askedBy(part);
    for (const one of asked) seen.add(one);
    const freed = asked.flatMap((one) => waiting.get(one) ?? []);
    for (const one of asked) waiting.delete(one);
    for (const one of freed.sort((a, b) => placeOf(a, calls) - placeOf(b, calls))) out.push(one);
  }
  return out;
}
