/**
 * The text of a claim, read: what is wrong with it as one sentence, the same on the page and on the command line.
 *
 * Invariant: a refusal names the place as a path (`clauses[1].predicate.op`), what stands there and what may stand there; a text that
 * one program could read otherwise than another (a member given twice) is refused. Called by both, and by `parseClaim`.
 */
import { parseNoting, writeLossless } from '../base/lossless.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, reservedKeyOf } from '../base/json.ts';
import { messageToWords } from '../base/issues.ts';
import { type Result, err, ok } from '../base/result.ts';
import { nameToShown } from '../base/shown-text.ts';
import { type Claim, claimSchema, membersAt } from './claim-schema.ts';

const shape = 'A claim is {"fault", "protects", "continuation", "clauses": [{"id", "text", …}]}.';

export function textToClaim(text: string): Result<Claim, string> {
  const bare = text.replace(/^\uFEFF/, '');
  if (bare.trim() === '') return err(`The claim is empty. ${shape}`);
  const read = parseNoting(bare);
  if (!read.ok) {
    const { message, at } = read.error;
    return err(`The claim is not JSON: ${message}, ${placeOf(bare, at)}. Mend it there.`);
  }
  const { value, repeated } = read.value;
  if (repeated !== undefined)
    return refused(`"${nameToShown(repeated.path)}" stands more than once in its object; it must stand there once`);
  return parseClaim(value);
}

export function parseClaim(value: JsonValue): Result<Claim, string> {
  const parsed = claimSchema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return refused(issue === undefined ? 'it is not what is expected' : issueToText(innermost(issue), value));
}

function refused(what: string): Result<never, string> {
  return err(`The claim cannot be evaluated: ${what}. ${shape}`);
}

/** What the schema library tells, as far as it is read here. */
interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[] | undefined;
  readonly errors?: readonly (readonly Issue[])[] | undefined;
}

/** Of several shapes a value may have, the one it was meant to have: that of which something inside is wrong, or more than its kind. */
function innermost(issue: Issue): Issue {
  let found = issue;
  for (;;) {
    const { path, errors = [] } = found;
    const meant = errors.flatMap((own) => own.slice(0, 1)).find(isMeant);
    if (meant === undefined) return found;
    found = { ...meant, path: [...path, ...meant.path] };
  }
}

/** One that no number of the host can hold is kept as its text, in an object. */
function isNumber(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && reservedKeyOf(value) === '$num';
}

function isMeant({ code, path }: Issue): boolean {
  return path.length > 0 || (code !== 'invalid_type' && code !== 'invalid_value' && code !== 'invalid_union');
}

function issueToText({ code, path, message, keys = [] }: Issue, claim: JsonValue): string {
  const [key, ...more] = keys;
  const value = valueAt(claim, path);
  const at = path.length === 0 ? 'it' : `"${pathToText(path)}"`;
  if (isNumber(value)) return `${at} cannot be a number that large or exact, and is ${valueToText(value)}`;
  if (code === 'unrecognized_keys' && key !== undefined) {
    const others = more.length === 0 ? '' : `, nor are ${more.length} more of that object`;
    return `"${pathToText([...path, key])}" is no known member${others}; there may be ${membersAt(path).join(', ')}`;
  }
  const must = messageToWords(message).replace(/, not [^,]+$/, '');
  return value === undefined ? `${at} is missing: it ${must}` : `${at} ${must}, and is ${valueToText(value)}`;
}

function valueAt(claim: JsonValue, path: readonly PropertyKey[]): JsonValue | undefined {
  let value: JsonValue | undefined = claim;
  for (const step of path) {
    if (isJsonObject(value)) value = Object.hasOwn(value, step) ? value[String(step)] : undefined;
    else value = isJsonArray(value) ? value[Number(step)] : undefined;
  }
  return value;
}

/** `clauses[1].predicate.op` */
function pathToText(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return nameToShown(text.replace(/^\./, ''));
}

const longestValue = 60;

function valueToText(value: JsonValue): string {
  if (isJsonArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (isJsonObject(value) && !isNumber(value)) {
    const names = Object.keys(value);
    return names.length === 0 ? 'an empty object' : `an object with ${nameToShown(names.slice(0, 4).join(', '))}`;
  }
  const text = nameToShown(writeLossless(value));
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}…`;
}

function placeOf(text: string, at: number): string {
  const before = text.slice(0, Math.max(0, at)).split(/\r\n|\n|\r/);
  return `at line ${before.length}, character ${(before.at(-1)?.length ?? 0) + 1}`;
}
