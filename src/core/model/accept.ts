/**
 * A quick yes for records that a schema surely accepts.
 *
 * zod builds a result for every object it looks at, which costs an import several times the parsing of the text. The predicate made
 * here walks the same schema and answers only whether it accepts, building nothing. Invariant: true means that zod accepts the value
 * as it stands; false means nothing, and zod is asked (it also has the sentences). `parseEvent` calls it once per record.
 */
import type { z } from 'zod';
import { isJsonObject } from '../base/json.ts';

type Accepts = (value: unknown) => boolean;

export function schemaToPredicate(schema: z.core.$ZodType, made = new Map<z.core.$ZodType, Accepts>()): Accepts {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const accepts = makePredicate(schema, (inner) => schemaToPredicate(inner, made));
  made.set(schema, accepts);
  return accepts;
}

function makePredicate(schema: z.core.$ZodType, toPredicate: (schema: z.core.$ZodType) => Accepts): Accepts {
  // Cast: the union of all kinds of schema is zod's own way to look inside one.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional': {
      const inner = toPredicate(def.innerType);
      return (value) => value === undefined || inner(value);
    }
    case 'object':
      return objectPredicate(def, toPredicate);
    case 'array': {
      const element = toPredicate(def.element);
      return withoutChecks(def, (value) => Array.isArray(value) && value.every((item) => element(item)));
    }
    case 'union': {
      const options = def.options.map(toPredicate);
      return (value) => options.some((option) => option(value));
    }
    case 'literal': {
      const values: readonly unknown[] = def.values;
      return (value) => values.includes(value);
    }
    case 'enum': {
      const values: ReadonlySet<unknown> = new Set(Object.values(def.entries));
      return (value) => values.has(value);
    }
    case 'custom':
      return (value) => def.fn(value) === true;
    case 'string':
      return withChecks(def, (value) => typeof value === 'string', stringCheck);
    case 'number':
      return withChecks(def, Number.isFinite, numberCheck);
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'null':
      return (value) => value === null;
    default:
      return notSure;
  }
}

function notSure(): boolean {
  return false;
}

/** Loose objects only: what their shape does not name passes as it is. */
function objectPredicate(def: z.core.$ZodObjectDef, toPredicate: (schema: z.core.$ZodType) => Accepts): Accepts {
  if (def.catchall?._zod.def.type !== 'unknown') return notSure;
  const members = new Map(Object.entries(def.shape).map(([name, schema]) => [name, toPredicate(schema)]));
  const required = [...members].filter(([, accepts]) => !accepts(undefined)).map(([name]) => name);
  // By the members that are there: an event has a third of those it might have.
  return withoutChecks(def, (value) => {
    if (!isJsonObject(value)) return false;
    for (const name in value) {
      const accepts = members.get(name);
      if (accepts?.(value[name]) === false) return false;
    }
    for (const name of required) if (value[name] === undefined) return false;
    return true;
  });
}

function withoutChecks(def: z.core.$ZodTypeDef, accepts: Accepts): Accepts {
  return (def.checks ?? []).length === 0 ? accepts : notSure;
}

/** The checks of a text or a number, or `notSure` where one of them is not known here. */
function withChecks(
  def: z.core.$ZodTypeDef,
  accepts: Accepts,
  toCheck: (def: z.core.$ZodChecks['_zod']['def']) => Accepts | undefined,
): Accepts {
  const checks: Accepts[] = [];
  for (const check of def.checks ?? []) {
    // Cast: as above, for checks.
    const known = toCheck((check as z.core.$ZodChecks)._zod.def);
    if (known === undefined) return notSure;
    checks.push(known);
  }
  if (checks.length === 0) return accepts;
  return (value) => accepts(value) && checks.every((check) => check(value));
}

function stringCheck(def: z.core.$ZodChecks['_zod']['def']): Accepts | undefined {
  if (def.check === 'min_length') return (value) => typeof value === 'string' && value.length >= def.minimum;
  if (def.check !== 'string_format' || !('pattern' in def)) return undefined;
  const { pattern } = def;
  // A pattern with a memory of its last match would answer by turns.
  if (pattern === undefined || pattern.global || pattern.sticky) return undefined;
  return (value) => typeof value === 'string' && pattern.test(value);
}

function numberCheck(def: z.core.$ZodChecks['_zod']['def']): Accepts | undefined {
  if (def.check === 'number_format' && def.format === 'safeint') return Number.isSafeInteger;
  if (def.check !== 'greater_than') return undefined;
  const bound = Number(def.value);
  return (value) => typeof value === 'number' && (def.inclusive ? value >= bound : value > bound);
}
