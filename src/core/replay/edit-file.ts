/**
 * `EDIT.json`: the edits and supplied values of one operation, as a person writes them.
 *
 * `{"edits": [{"target": …, "value": … | "error": …}], "supply": [{"path": …, "value": … | "error": …}], "reason"?}`.
 * Everything wrong is said in one sentence with its place.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, repeatedKeyOf } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { type Result, err, ok } from '../base/result.ts';
import { nameToShown } from '../base/shown-text.ts';
import { findNoNumber, noNumberToText } from './edit-numbers.ts';
import { type RecordedError, jsonToError } from './event-roles.ts';

export type EditTarget = { readonly event: string } | { readonly path: string } | { readonly input: true };

/** What control code is to receive instead. */
export type Replacement = { readonly value: JsonValue } | { readonly error: RecordedError };

/** A value as it is; an error needs a name and a message. */
export function jsonToReplacement(as: 'value' | 'error', value: JsonValue): Result<Replacement, string> {
  if (as === 'value') return ok({ value });
  if (!isJsonObject(value) || typeof value['name'] !== 'string' || typeof value['message'] !== 'string')
    return err('An error needs a “name” and a “message”, both text; it may have “data”.');
  return ok({ error: jsonToError(value) });
}

export type Edit = { readonly target: EditTarget } & Replacement;

/** Where a supplied value comes from when no person wrote it: another recorded run, or a model that was asked for it. */
export type SupplyOrigin =
  | { readonly origin: 'other-run'; readonly run: string; readonly event: string }
  /** `call`: parameters, usage and price, as the ending of a model call records them. */
  | { readonly origin: 'live'; readonly call: JsonObject };

/** A value for a command that has none; `evidence` adopts an uncertain effect that the record proves. */
export type Supply = { readonly path: string; readonly evidence?: string; readonly from?: SupplyOrigin } & Replacement;

export interface EditFile {
  readonly edits: readonly Edit[];
  readonly supply: readonly Supply[];
  readonly reason?: string;
}

export function textToEditFile(text: string): Result<EditFile, string> {
  const parsed = parseLossless(text);
  if (!parsed.ok) return err(`The edit file is not JSON: ${parsed.error.message} (character ${parsed.error.at + 1}).`);
  return jsonToEditFile(parsed.value);
}

export function jsonToEditFile(value: JsonValue): Result<EditFile, string> {
  const read = readEditFile(value);
  if (read.ok) return read;
  const parts = 'An edit file is {"edits": [{"target", "value"}], "supply": [{"path", "value"}], "reason"}';
  return err(`The edit file cannot be used: ${read.error} ${parts}, with edits or supply or both.`);
}

function readEditFile(value: JsonValue): Result<EditFile, string> {
  if (!isJsonObject(value)) return err('it must be an object.');
  const repeated = repeatedKeyOf(value);
  if (repeated !== undefined) return err(`it has the member "${nameToShown(repeated)}" twice; keep one.`);
  for (const key of Object.keys(value)) {
    if (!['edits', 'supply', 'reason'].includes(key)) return err(`it has an unknown member "${nameToShown(key)}".`);
  }
  if (value['edits'] === undefined && value['supply'] === undefined)
    return err('it changes nothing: it has neither "edits" nor "supply".');
  const edits = readList(value['edits'], 'edits', readEdit);
  if (!edits.ok) return edits;
  const supply = readList(value['supply'], 'supply', readSupply);
  if (!supply.ok) return supply;
  const twice =
    firstRepeated(
      supply.value.map((item) => item.path),
      'supply',
    ) ??
    firstRepeated(
      edits.value.map(({ target }) => targetToText(target)),
      'edits',
    );
  if (twice !== undefined) return err(twice);
  const { reason } = value;
  if (reason !== undefined && typeof reason !== 'string') return err('"reason" must be text.');
  return ok({ edits: edits.value, supply: supply.value, ...(reason === undefined ? {} : { reason }) });
}

function readList<T>(
  value: JsonValue | undefined,
  name: string,
  read: (item: JsonObject, where: string) => Result<T, string>,
): Result<readonly T[], string> {
  if (value === undefined) return ok([]);
  if (!isJsonArray(value)) return err(`"${name}" must be a list.`);
  const out: T[] = [];
  for (const [n, item] of value.entries()) {
    const where = `${name}[${String(n)}]`;
    if (!isJsonObject(item)) return err(`${where} must be an object.`);
    const known = name === 'edits' ? editMembers : supplyMembers;
    const strange = unknownMember(item, known, where);
    if (strange !== undefined) return err(strange);
    const result = read(item, where);
    if (!result.ok) return result;
    out.push(result.value);
  }
  return ok(out);
}

const editMembers = ['target', 'value', 'error'];
const supplyMembers = ['path', 'value', 'error', 'evidence', 'from'];

/** Nothing that a person wrote is ignored. */
function unknownMember(item: JsonObject, known: readonly string[], where: string): string | undefined {
  const repeated = repeatedKeyOf(item);
  if (repeated !== undefined) return `${where} has the member "${nameToShown(repeated)}" twice; keep one.`;
  const strange = Object.keys(item).find((key) => !known.includes(key));
  if (strange === undefined) return undefined;
  const list = known.map((key) => `"${key}"`).join(', ');
  return `${where} has an unknown member "${nameToShown(strange)}"; it may have ${list}.`;
}

function readEdit(item: JsonObject, where: string): Result<Edit, string> {
  const target = item['target'];
  if (!isJsonObject(target)) return err(`${where} needs a "target": {"event": ID}, {"path": P} or {"input": true}.`);
  const repeated = repeatedKeyOf(target);
  if (repeated !== undefined) return err(`${where}.target has the member "${repeated}" twice; keep one.`);
  const replacement = readReplacement(item, where);
  if (!replacement.ok) return replacement;
  const { event, path, input } = target;
  if (Object.keys(target).length === 1) {
    if (typeof event === 'string') return ok({ target: { event }, ...replacement.value });
    if (typeof path === 'string') return ok({ target: { path }, ...replacement.value });
    if (input === true) {
      if ('error' in replacement.value) return err(`${where} replaces the input, which can only have a "value".`);
      return ok({ target: { input: true }, ...replacement.value });
    }
  }
  return err(`${where}.target must be exactly one of {"event": ID}, {"path": P} and {"input": true}.`);
}

function readSupply(item: JsonObject, where: string): Result<Supply, string> {
  const { path, evidence } = item;
  if (typeof path !== 'string') return err(`${where} needs a "path": the path of the command the value is for.`);
  if (evidence !== undefined && typeof evidence !== 'string')
    return err(`${where}.evidence must be the id of an event.`);
  const replacement = readReplacement(item, where);
  if (!replacement.ok) return replacement;
  const from = item['from'] === undefined ? ok(undefined) : jsonToOrigin(item['from'], where);
  if (!from.ok) return from;
  if (from.value !== undefined && evidence !== undefined)
    return err(`${where} has both "evidence" and "from"; a value is adopted or taken from elsewhere.`);
  return ok({
    path,
    ...(evidence === undefined ? {} : { evidence }),
    ...(from.value === undefined ? {} : { from: from.value }),
    ...replacement.value,
  });
}

/** Also of an operation, which keeps it as it was given. */
export function jsonToOrigin(value: JsonValue, where: string): Result<SupplyOrigin, string> {
  if (isJsonObject(value)) {
    const { origin, run, event, call } = value;
    if (origin === 'other-run' && typeof run === 'string' && typeof event === 'string')
      return ok({ origin, run, event });
    if (origin === 'live' && isJsonObject(call)) return ok({ origin, call });
  }
  return err(
    `${where}.from must be {"origin": "other-run", "run", "event"} or {"origin": "live", "call"} with what the call recorded.`,
  );
}

function readReplacement(item: JsonObject, where: string): Result<Replacement, string> {
  const { value, error } = item;
  if ((value === undefined) === (error === undefined)) return err(`${where} needs exactly one of "value" and "error".`);
  const unusable = unusableValue(value ?? (isJsonObject(error) ? error['data'] : undefined), where);
  if (unusable !== undefined) return err(unusable);
  if (value !== undefined) return ok({ value });
  const strange = isJsonObject(error) ? unknownMember(error, ['name', 'message', 'data'], `${where}.error`) : undefined;
  if (strange !== undefined) return err(strange);
  if (!isJsonObject(error) || typeof error['name'] !== 'string' || typeof error['message'] !== 'string') {
    return err(`${where}.error must have a "name" and a "message".`);
  }
  return ok({ error: jsonToError(error) });
}

/** What a program would be given otherwise than it is written: a member that stands twice, a number that is none. */
function unusableValue(value: JsonValue | undefined, where: string): string | undefined {
  const number = value === undefined ? undefined : findNoNumber(value);
  if (number !== undefined) return noNumberToText(where, number);
  const todo = [value];
  for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    const repeated = isJsonObject(part) ? repeatedKeyOf(part) : undefined;
    if (repeated !== undefined) return `${where} gives the member "${nameToShown(repeated)}" twice; keep one.`;
    for (const member of isJsonArray(part) ? part : Object.values(part)) todo.push(member);
  }
  return undefined;
}

function targetToText(target: EditTarget): string {
  if ('event' in target) return `event ${target.event}`;
  return 'path' in target ? target.path : 'the input';
}

function firstRepeated(items: readonly string[], list: string): string | undefined {
  const seen = new Map<string, number>();
  for (const [n, item] of items.entries()) {
    const first = seen.get(item);
    if (first !== undefined)
      return `${list}[${String(n)}] gives a second value for ${item}, which ${list}[${String(first)}] has already; keep one.`;
    seen.set(item, n);
  }
  return undefined;
}
