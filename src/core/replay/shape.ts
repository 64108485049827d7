/**
 * Whether a value given by hand looks like what control code is used to receive: against the recorded alternatives of a decision, the
 * schema a producer declared, else the shapes seen in the trace. Editors ask it while a person types, `edit-shapes.ts` for a replay.
 *
 * Only warnings come of it: a person may want to see what control code does with a value of another shape. The schema is read as far as
 * producers use it for results (type, required, properties, items, enum, const); what else it says is named as not checked.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { containsHole } from '../base/withheld.ts';

export interface ShapeCheck {
  /** What it was checked against. */
  readonly basis: string;
  readonly problems: readonly string[];
}

interface ShapeQuestion {
  readonly name: string;
  /** Absent while what is typed is no value. */
  readonly value: JsonValue | undefined;
  /** Alternatives recorded with a decision. */
  readonly choices: readonly JsonValue[];
  readonly schema: JsonObject | undefined;
  /** Values recorded for commands of the same kind and name. */
  readonly seen: readonly JsonValue[];
}

/** Values of the same kind and name that are read for their shape. */
export const mostSeen = 12;
const mostProblems = 5;
const nothing: ShapeCheck = { basis: '', problems: [] };

export function checkShape({ name, value, choices, schema, seen }: ShapeQuestion): ShapeCheck {
  if (value === undefined) return nothing;
  if (choices.length > 0) return checkChoice(value, choices);
  if (schema !== undefined) return checkAgainstSchema(value, schema, name);
  // A withheld value has the shape of a hole, not its own.
  const known = seen.filter((one) => !containsHole(one));
  return known.length === 0
    ? { basis: `nothing: no schema and no value of ${name} is recorded`, problems: [] }
    : checkAgainstSeen(value, known, name);
}

function checkChoice(value: JsonValue, choices: readonly JsonValue[]): ShapeCheck {
  const text = JSON.stringify(value);
  const isKnown = choices.some((choice) => JSON.stringify(choice) === text);
  return {
    basis: 'the alternatives recorded with this decision',
    problems: isKnown
      ? []
      : [`The decision had other alternatives: ${choices.map((choice) => JSON.stringify(choice)).join(', ')}.`],
  };
}

/** Result schemas that a declaration of tools carries, by tool. */
export function toolsToSchemas(tools: JsonValue | undefined): readonly (readonly [string, JsonObject])[] {
  if (!isJsonArray(tools)) return [];
  return tools.flatMap((tool) => {
    if (!isJsonObject(tool)) return [];
    const { name, result } = tool;
    return typeof name === 'string' && isJsonObject(result) ? [[name, result] as const] : [];
  });
}

const checkedWords: ReadonlySet<string> = new Set([
  'type',
  'required',
  'properties',
  'items',
  'enum',
  'const',
  'additionalProperties',
  'title',
  'description',
  '$schema',
  '$id',
]);

/** `what` names the values in a sentence: “customers.lookup”. */
export function checkAgainstSchema(value: JsonValue, schema: JsonObject, what: string): ShapeCheck {
  const problems: string[] = [];
  const unchecked = new Set<string>();
  const todo: { readonly at: string; readonly value: JsonValue; readonly schema: JsonValue | undefined }[] = [
    { at: '', value, schema },
  ];
  for (let item = todo.pop(); item !== undefined && problems.length < mostProblems; item = todo.pop()) {
    const { at, value: here, schema: rule } = item;
    if (!isJsonObject(rule)) continue;
    for (const word of Object.keys(rule)) if (!checkedWords.has(word)) unchecked.add(word);
    const wrong = ruleToProblem(here, rule);
    if (wrong !== undefined) {
      problems.push(`${placeOf(at)} ${wrong}.`);
      continue;
    }
    const { properties, required, items, additionalProperties } = rule;
    if (isJsonObject(here)) {
      for (const name of isJsonArray(required) ? required : []) {
        if (typeof name === 'string' && !Object.hasOwn(here, name))
          problems.push(`${placeOf(at)} has no “${name}”, which the schema requires.`);
      }
      for (const [name, member] of Object.entries(here).toReversed()) {
        const known = isJsonObject(properties) && Object.hasOwn(properties, name);
        if (known) todo.push({ at: `${at}/${name}`, value: member, schema: properties[name] });
        else if (additionalProperties === false)
          problems.push(`${placeOf(at)} has “${name}”, which the schema does not know.`);
      }
    }
    if (isJsonArray(here))
      for (const [n, member] of here.entries()) todo.push({ at: `${at}/${n}`, value: member, schema: items });
  }
  const rest = unchecked.size === 0 ? '' : `; not checked: ${[...unchecked].join(', ')}`;
  return { basis: `the schema recorded for ${what}${rest}`, problems: problems.slice(0, mostProblems) };
}

function ruleToProblem(value: JsonValue, rule: JsonObject): string | undefined {
  const { type, enum: choices, const: only } = rule;
  const types = (isJsonArray(type) ? type : [type]).filter((one) => typeof one === 'string');
  if (types.length > 0 && !types.some((one) => isOfType(value, one))) {
    return `is ${typeToWords(typeOf(value))}; the schema wants ${types.map(typeToWords).join(' or ')}`;
  }
  const isAmong = (list: readonly JsonValue[]): boolean =>
    list.some((one) => JSON.stringify(one) === JSON.stringify(value));
  if (isJsonArray(choices) && !isAmong(choices))
    return `is none of ${choices.map((one) => JSON.stringify(one)).join(', ')}`;
  if (only !== undefined && !isAmong([only])) return `must be ${JSON.stringify(only)}`;
  return undefined;
}

function isOfType(value: JsonValue, type: string): boolean {
  const is = typeOf(value);
  return is === type || (type === 'number' && is === 'integer');
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  // A number that a double cannot hold is kept as its token.
  if (isJsonObject(value) && typeof value['$num'] === 'string') return 'number';
  return typeof value;
}

function typeToWords(type: string): string {
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    array: 'a list',
    object: 'an object',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    null: 'null',
  };
  return words[type] ?? type;
}

function placeOf(at: string): string {
  return at === '' ? 'The value' : at;
}

/** Where no schema was recorded: against values that were really received. */
export function checkAgainstSeen(value: JsonValue, seen: readonly JsonValue[], what: string): ShapeCheck {
  const problems: string[] = [];
  const todo: { readonly at: string; readonly value: JsonValue; readonly seen: readonly JsonValue[] }[] = [
    { at: '', value, seen },
  ];
  for (let item = todo.pop(); item !== undefined && problems.length < mostProblems; item = todo.pop()) {
    const { at, value: here, seen: others } = item;
    const types = [...new Set(others.map(coarseTypeOf))];
    if (types.length > 0 && !types.includes(coarseTypeOf(here))) {
      problems.push(
        `${placeOf(at)} is ${typeToWords(coarseTypeOf(here))}; on record it is ${types.map(typeToWords).join(' or ')}.`,
      );
      continue;
    }
    if (isJsonArray(here)) {
      const members = others.flatMap((other) => (isJsonArray(other) ? other : []));
      if (members.length > 0)
        for (const [n, member] of here.entries()) todo.push({ at: `${at}/${n}`, value: member, seen: members });
    } else if (isJsonObject(here)) {
      const objects = others.filter(isJsonObject);
      const names = new Set([...objects.flatMap((other) => Object.keys(other)), ...Object.keys(here)]);
      for (const name of names) {
        const inSeen = objects.filter((other) => Object.hasOwn(other, name));
        const member = here[name];
        if (member === undefined) {
          if (inSeen.length === objects.length)
            problems.push(`${placeOf(at)} has no “${name}”, which every recorded value has.`);
        } else if (inSeen.length === 0) {
          problems.push(`${placeOf(at)} has “${name}”, which no recorded value has.`);
        } else todo.push({ at: `${at}/${name}`, value: member, seen: inSeen.map((other) => other[name] ?? null) });
      }
    }
  }
  const count = seen.length === 1 ? 'the one value' : `the ${seen.length} values`;
  return {
    basis: `${count} seen of ${what}; no schema was recorded`,
    problems: problems.slice(0, mostProblems),
  };
}

function coarseTypeOf(value: JsonValue): string {
  const type = typeOf(value);
  return type === 'integer' ? 'number' : type;
}
