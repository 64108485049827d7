/**
 * Where two recorded values differ, as JSON Pointers, and how a recorded patch is applied.
 *
 * Invariant: iterative, and a change is reported at the smallest place that differs; lists are compared index by index. A value
 * that cannot be patched as recorded is undefined, never a guess.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, reservedKeyOf, setOwn } from '../../base/json.ts';
import { canon } from '../../model/index.ts';
import type { ValueChange } from '../trace-reader.ts';

/** Most changes that are listed for one version. */
export const mostChanges = 500;

export function computeChanges(before: JsonValue | undefined, after: JsonValue | undefined): ValueChange[] {
  const changes: ValueChange[] = [];
  const open: { readonly path: string; readonly a: JsonValue | undefined; readonly b: JsonValue | undefined }[] = [
    { path: '', a: before, b: after },
  ];
  for (let next = open.pop(); next !== undefined && changes.length < mostChanges; next = open.pop()) {
    const { path, a, b } = next;
    // What is looked into needs no comparison as a whole: each part of a value is read once, however deep it is.
    if (!areBothContainers(a, b)) {
      if (isSame(a, b)) continue;
      changes.push({ path, ...(a === undefined ? {} : { before: a }), ...(b === undefined ? {} : { after: b }) });
      continue;
    }
    // The last pushed is looked at first: pushing in reverse lists changes in the order of the value.
    for (const key of keysOf(a, b).reverse()) {
      open.push({ path: `${path}/${escapePointer(key)}`, a: memberAt(a, key), b: memberAt(b, key) });
    }
  }
  return changes;
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return typeof a === 'object' && typeof b === 'object' && canon(a) === canon(b);
}

function areBothContainers(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return (isJsonArray(a) && isJsonArray(b)) || (isPlainObject(a) && isPlainObject(b));
}

/** A long number, or an object that repeats a key, is one value: nothing in it has a path. */
function isPlainObject(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && reservedKeyOf(value) === undefined;
}

function keysOf(a: JsonValue | undefined, b: JsonValue | undefined): string[] {
  if (isJsonArray(a) && isJsonArray(b))
    return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => String(i));
  return [...new Set([...(isJsonObject(a) ? Object.keys(a) : []), ...(isJsonObject(b) ? Object.keys(b) : [])])];
}

function memberAt(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (isJsonArray(value)) return value[Number(key)];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A list of RFC 6902 operations, or an RFC 7386 merge patch; undefined where it does not fit the value. */
export function applyPatch(value: JsonValue | undefined, patch: JsonValue): JsonValue | undefined {
  if (!isJsonArray(patch)) return mergePatch(value, patch);
  let at = value;
  for (const operation of patch) {
    const applied = isJsonObject(operation) ? applyOperation(at, operation) : undefined;
    if (applied === undefined) return undefined;
    at = applied.value;
  }
  return at;
}

// Recursion is bounded: recorded values are at most maxJsonDepth deep.
function mergePatch(value: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const out: Record<string, JsonValue> = {};
  if (isJsonObject(value)) for (const [key, member] of Object.entries(value)) setOwn(out, key, member);
  for (const [key, member] of Object.entries(patch)) {
    if (member === null) Reflect.deleteProperty(out, key);
    else setOwn(out, key, mergePatch(Object.hasOwn(out, key) ? out[key] : undefined, member));
  }
  return out;
}

interface Applied {
  readonly value: JsonValue;
}

function applyOperation(value: JsonValue | undefined, operation: JsonObject): Applied | undefined {
  const { op, path, from } = operation;
  const place = typeof path === 'string' ? pointerToKeys(path) : undefined;
  if (place === undefined) return undefined;
  const source = typeof from === 'string' ? pointerToKeys(from) : undefined;
  switch (op) {
    case 'add':
    case 'replace':
      return operation['value'] === undefined ? undefined : edit(value, place, { kind: op, value: operation['value'] });
    case 'remove':
      return edit(value, place, { kind: 'remove' });
    case 'test':
      return value !== undefined && isSame(read(value, place), operation['value']) ? { value } : undefined;
    case 'copy':
    case 'move': {
      const moved = source === undefined ? undefined : read(value, source);
      if (source === undefined || moved === undefined) return undefined;
      const rest =
        op === 'copy' ? (value === undefined ? undefined : { value }) : edit(value, source, { kind: 'remove' });
      return rest === undefined ? undefined : edit(rest.value, place, { kind: 'add', value: moved });
    }
    default:
      return undefined;
  }
}

function pointerToKeys(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function read(value: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
  let at = value;
  for (const key of keys) at = memberAt(at, key);
  return at;
}

type Edit = { readonly kind: 'add' | 'replace'; readonly value: JsonValue } | { readonly kind: 'remove' };

function edit(value: JsonValue | undefined, keys: readonly string[], change: Edit): Applied | undefined {
  const [key, ...rest] = keys;
  if (key === undefined) return change.kind === 'remove' ? { value: null } : { value: change.value };
  if (isJsonArray(value)) return editArray(value, key, rest, change);
  if (!isJsonObject(value)) return undefined;
  const out: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(value)) setOwn(out, name, member);
  if (rest.length > 0) {
    const inner = edit(memberAt(value, key), rest, change);
    if (inner === undefined) return undefined;
    setOwn(out, key, inner.value);
  } else if (change.kind === 'add') setOwn(out, key, change.value);
  else if (!Object.hasOwn(out, key)) return undefined;
  else if (change.kind === 'replace') setOwn(out, key, change.value);
  else Reflect.deleteProperty(out, key);
  return { value: out };
}

function editArray(
  list: readonly JsonValue[],
  key: string,
  rest: readonly string[],
  change: Edit,
): Applied | undefined {
  const at = key === '-' ? list.length : /^\d+$/.test(key) ? Number(key) : -1;
  if (at < 0 || at > list.length) return undefined;
  if (rest.length > 0) {
    const inner = at < list.length ? edit(list[at], rest, change) : undefined;
    return inner === undefined ? undefined : { value: list.with(at, inner.value) };
  }
  if (change.kind === 'add') return { value: list.toSpliced(at, 0, change.value) };
  if (at >= list.length) return undefined;
  return { value: change.kind === 'remove' ? list.toSpliced(at, 1) : list.with(at, change.value) };
}
