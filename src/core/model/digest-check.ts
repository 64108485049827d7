/**
 * Holds a value that a record carries against the digest of it in the same record.
 *
 * Invariant: told only where both stand and differ. A hole, a value whose small parts are stored apart (their writer digested them in
 * place) and a stand-in of a redacted copy say nothing. Called by the reader of the own format, by replay and by compare.
 */
import { createTable } from '../base/table.ts';
import { sha256Hex } from '../base/hash.ts';
import { type JsonObject, type JsonValue, isHole, isJsonArray, isJsonObject } from '../base/json.ts';
import { canon, digest, inlineLimit, isContentReference } from './canon.ts';
import type { HindcastEvent } from './event.ts';
import { isDigest } from './ids.ts';

export interface DigestMismatch {
  /** Field of the value, as `data.args`. */
  readonly value: string;
  /** Field of its digest, or of the second writing of the value. */
  readonly digest: string;
  readonly is: 'other-value' | 'no-digest' | 'two-values';
}

/** By type: the value and the digest of it, both in `data`. */
const digestedMembers: Readonly<Record<string, readonly [value: string, digest: string]>> = createTable({
  'state.transitioned': ['value', 'digest'],
  'run.completed': ['result', 'digest'],
  'run.failed': ['error', 'digest'],
  'run.rolled_over': ['carried', 'digest'],
  'checkpoint.written': ['states', 'digest'],
});

/** Types of which a redacted copy has the value beside a stand-in of its digest. */
const standInTypes: ReadonlySet<string> = new Set(['state.transitioned', 'checkpoint.written']);

/** All of one event. `isCopy`: the stream is a redacted copy. */
export function eventToMismatches(event: HindcastEvent, isCopy: boolean): readonly DigestMismatch[] {
  const data: unknown = event.data;
  if (!isJsonObject(data)) return [];
  const found: (DigestMismatch | undefined)[] = [...argsToMismatches(event)];
  const [value, of] = digestedMembers[event.type] ?? [];
  if (value !== undefined && of !== undefined && !(isCopy && standInTypes.has(event.type))) {
    const one = compare(data[value], data[of], `data.${value}`, `data.${of}`);
    if (one !== undefined && !isDigestOfBareError(data['error'], data[of])) found.push(one);
  }
  if (event.type === 'run.started') found.push(programToMismatch(data['program']));
  return found.filter((one) => one !== undefined);
}

/** Of the arguments of a command. For those with a digest of them they are digested; the rest costs little. */
function argsToMismatches(event: HindcastEvent): readonly DigestMismatch[] {
  const { command } = event;
  const data: unknown = event.data;
  const cheap = commandToDoubts(event);
  if (command?.args === undefined || !isDigest(command.args) || !isJsonObject(data)) return cheap;
  const [name, args] = argumentsOf(event.type, data);
  const found = compare(args, command.args, name, 'command.args');
  return found === undefined ? cheap : [found, ...cheap];
}

/** What is seen without digesting anything: a digest that is none, and a decision that is written twice in two ways. */
export function commandToDoubts({ command, data: payload, type, origin }: HindcastEvent): readonly DigestMismatch[] {
  const data: unknown = payload;
  const found: DigestMismatch[] = [];
  if (command?.args !== undefined && !isDigest(command.args))
    found.push({ value: 'data.args', digest: 'command.args', is: 'no-digest' });
  if (type !== 'decision.made' || !isJsonObject(data)) return found;
  const args = data['args'];
  const chosen = isJsonObject(args) ? args['chosen'] : undefined;
  for (const member of ['chosen', 'result'] as const) {
    // What a person put in the place of a choice stands beside what the program chose.
    if (member === 'result' && origin !== undefined) continue;
    const other = data[member];
    if (chosen === undefined || other === undefined || areEqualWhereShown(chosen, other)) continue;
    found.push({ value: `data.${member}`, digest: 'data.args.chosen', is: 'two-values' });
  }
  return found;
}

function argumentsOf(type: string, data: JsonObject): readonly [string, JsonValue | undefined] {
  if (data['args'] !== undefined) return ['data.args', data['args']];
  return type === 'state.transitioned' ? ['data.value', data['value']] : ['data.args', undefined];
}

/** Whether a value is not what its digest says. An absent one, and one of which part is withheld, is never. */
export function isOtherValue(value: JsonValue | undefined, recorded: string | undefined): boolean {
  if (value === undefined || recorded === undefined || !isDigest(recorded)) return false;
  if (holds(value, isHole)) return false;
  return digest(value) !== recorded && !holds(value, isSmallReference);
}

function compare(
  value: JsonValue | undefined,
  recorded: JsonValue | undefined,
  valueField: string,
  digestField: string,
): DigestMismatch | undefined {
  if (typeof recorded !== 'string' || !isOtherValue(value, recorded)) return undefined;
  return { value: valueField, digest: digestField, is: 'other-value' };
}

/** What control code is given of an error is its name, message and data; a record may hold more, and digest that alone. */
function isDigestOfBareError(error: JsonValue | undefined, recorded: JsonValue | undefined): boolean {
  if (!isJsonObject(error)) return false;
  const { name = 'Error', message = '', data } = error;
  return digest({ name, message, ...(data === undefined ? {} : { data }) }) === recorded;
}

/** Of a text the bytes are digested. */
function programToMismatch(program: JsonValue | undefined): DigestMismatch | undefined {
  if (!isJsonObject(program)) return undefined;
  const { source, digest: recorded } = program;
  if (typeof source !== 'string' || typeof recorded !== 'string' || `sha256:${sha256Hex(source)}` === recorded)
    return undefined;
  return { value: 'data.program.source', digest: 'data.program.digest', is: 'other-value' };
}

/** A value is referred to by its canonical form from a certain length on; a shorter one may have been digested in place. */
function isSmallReference(value: JsonValue): boolean {
  if (!isContentReference(value)) return false;
  return value.bytes <= inlineLimit || value.mediaType?.includes('json') === false;
}

function areEqualWhereShown(a: JsonValue, b: JsonValue): boolean {
  return canon(a) === canon(b) || holds(a, isHole) || holds(b, isHole) || digest(a) === digest(b);
}

function holds(value: JsonValue, is: (part: JsonValue) => boolean): boolean {
  const todo: JsonValue[] = [value];
  for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    if (is(part)) return true;
    for (const member of isJsonArray(part) ? part : Object.values(part))
      if (typeof member === 'object' && member !== null) todo.push(member);
  }
  return false;
}

/** "its data.args are not what command.args says", for a sentence that names the event. */
export function mismatchToText({ value, digest: of, is }: DigestMismatch): string {
  if (is === 'no-digest') return `its ${of} is no digest (sha256: and 64 lowercase hex digits)`;
  if (is === 'two-values') return `its ${value} is not the ${of} beside it`;
  return `its ${value} is not what the digest in ${of} says`;
}
