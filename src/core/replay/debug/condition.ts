/**
 * Conditions of breakpoints: `field op value`, joined by `and` and `or` (`and` binds tighter).
 *
 * A small language of its own, read by the parser below; nothing of it is ever run as code. A condition is asked of facts: one for what a
 * step delivered, and one for each command, decision and state it made.
 */
import { type JsonValue, isJsonArray, isJsonObject } from '../../base/json.ts';
import { type Result, err, ok } from '../../base/result.ts';

/** One thing that happened in a step, as conditions see it. */
export interface DebugFact {
  readonly act: 'delivered' | 'issued' | 'decided' | 'state' | 'printed';
  readonly kind?: string;
  readonly type?: string;
  readonly name?: string;
  readonly tool?: string;
  readonly agent?: string;
  readonly path?: string;
  readonly event?: string;
  readonly status?: string;
  readonly args?: JsonValue;
  readonly value?: JsonValue;
  readonly error?: JsonValue;
}

const operators = ['=', '!=', '<=', '>=', '<', '>', 'contains', 'starts', 'exists'] as const;
type Operator = (typeof operators)[number];

interface Clause {
  readonly field: string;
  /** Members below the field. */
  readonly members: readonly string[];
  readonly operator: Operator;
  readonly value: string | number | boolean | null;
}

/** Any of the lists, of which all clauses hold. */
export interface Condition {
  readonly text: string;
  readonly anyOf: readonly (readonly Clause[])[];
}

export interface ConditionProblem {
  readonly message: string;
  /** Number of the character at which it is wrong, from 0. */
  readonly at: number;
}

const fields = ['act', 'kind', 'type', 'name', 'tool', 'agent', 'path', 'event', 'status', 'args', 'value', 'error'];
/** Fields that hold a value with members. */
const structured = new Set(['args', 'value', 'error']);

export function parseCondition(text: string): Result<Condition, ConditionProblem> {
  const reader = new Reader(text);
  const anyOf: Clause[][] = [];
  let all: Clause[] = [];
  for (;;) {
    const clause = readClause(reader);
    if (!clause.ok) return clause;
    all.push(clause.value);
    const word = reader.word();
    if (word === undefined) return ok({ text, anyOf: [...anyOf, all] });
    if (word.text === 'or') {
      anyOf.push(all);
      all = [];
    } else if (word.text !== 'and') {
      return err({ message: `Here stands ${word.text}, where "and", "or" or the end is expected.`, at: word.at });
    }
  }
}

function readClause(reader: Reader): Result<Clause, ConditionProblem> {
  const word = reader.word();
  if (word === undefined) return err({ message: 'A condition is expected here, as in kind = model.', at: reader.at });
  const [field = '', ...members] = word.text.split('.');
  if (!fields.includes(field)) {
    return err({ message: `There is no field ${field}; there are ${fields.join(', ')}.`, at: word.at });
  }
  if (members.length > 0 && !structured.has(field)) {
    return err({ message: `${field} is a text and has no members.`, at: word.at });
  }
  if (members.includes('')) return err({ message: 'A name is missing beside a dot.', at: word.at });
  const operator = reader.operator();
  if (operator === undefined) {
    return err({ message: `An operator is expected after ${word.text}: ${operators.join(' ')}.`, at: reader.at });
  }
  if (operator === 'exists') return ok({ field, members, operator, value: null });
  const value = reader.value();
  return value.ok ? ok({ field, members, operator, value: value.value }) : value;
}

class Reader {
  at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Letters, digits, `_`, `-` and dots; anything else that stands there is taken up to the next space. */
  word(): { readonly text: string; readonly at: number } | undefined {
    this.skipSpace();
    const found = this.match(/[\w.$-]+/y) ?? this.match(/\S+/y);
    return found === undefined ? undefined : { text: found, at: this.at - found.length };
  }

  operator(): Operator | undefined {
    this.skipSpace();
    const from = this.at;
    const found = this.match(/!=|<=|>=|[=<>]|(?:contains|starts|exists)(?!\S)/y);
    const operator = operators.find((one) => one === found);
    if (operator === undefined) this.at = from;
    return operator;
  }

  value(): Result<Clause['value'], ConditionProblem> {
    this.skipSpace();
    const at = this.at;
    if (this.text[at] === '"') {
      const quoted = this.match(/"(?:[^"\\]|\\.)*"/y);
      if (quoted === undefined) return err({ message: 'This text has no closing quotation mark.', at });
      try {
        // Cast: the text of a JSON string is a string, or throws.
        return ok(JSON.parse(quoted) as string);
      } catch {
        return err({ message: 'This text is not a JSON text.', at });
      }
    }
    const bare = this.match(/\S+/y);
    if (bare === undefined) return err({ message: 'A value is expected here.', at });
    if (bare === 'true' || bare === 'false') return ok(bare === 'true');
    if (bare === 'null') return ok(null);
    return ok(/^-?\d+(?:\.\d+)?$/.test(bare) ? Number(bare) : bare);
  }

  private skipSpace(): void {
    this.match(/\s+/y);
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}

export function meets(condition: Condition, fact: DebugFact): boolean {
  return condition.anyOf.some((all) => all.every((clause) => holds(clause, fact)));
}

function holds({ field, members, operator, value }: Clause, fact: DebugFact): boolean {
  const found = members.reduce(memberOf, fieldOf(fact, field));
  if (operator === 'exists') return found !== undefined;
  if (found === undefined) return false;
  switch (operator) {
    case '=':
      return isEqual(found, value);
    case '!=':
      return !isEqual(found, value);
    case 'contains':
      return isJsonArray(found)
        ? found.some((item) => isEqual(item, value))
        : typeof found === 'string' && found.includes(String(value));
    case 'starts':
      return typeof found === 'string' && found.startsWith(String(value));
    default:
      return typeof found === 'number' && typeof value === 'number' && isOrdered(found, operator, value);
  }
}

function fieldOf(fact: DebugFact, field: string): JsonValue | undefined {
  const found = Object.entries(fact).find(([name]) => name === field);
  // Cast: every member of a fact is a JSON value or absent.
  return found?.[1] as JsonValue | undefined;
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (isJsonArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A number written without quotation marks also equals the text of it: ids are recorded either way. */
function isEqual(found: JsonValue, value: Clause['value']): boolean {
  return found === value || (typeof found === 'string' && typeof value === 'number' && found === String(value));
}

function isOrdered(a: number, operator: '<' | '<=' | '>' | '>=', b: number): boolean {
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}
