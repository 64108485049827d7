import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { schemaToPredicate } from './accept.ts';
import { eventSchema, isKnownEventType, knownEventTypes, unknownEventSchema } from './schema/union.ts';

const samples = join(import.meta.dirname, '../../../public/samples');

const records: readonly JsonObject[] = readdirSync(samples)
  .filter((name) => name.endsWith('.hindcast.jsonl'))
  .flatMap((name) => readFileSync(join(samples, name), 'utf8').split('\n'))
  .flatMap((line) => {
    const parsed = parseLossless(line);
    return parsed.ok && isJsonObject(parsed.value) ? [parsed.value] : [];
  });

const checked = new Map(
  knownEventTypes.map((type) => {
    const schema: z.ZodType = eventSchema(type);
    return [type, { schema, accepts: schemaToPredicate(schema) }];
  }),
);
const unknown = { schema: unknownEventSchema, accepts: schemaToPredicate(unknownEventSchema) };

function checkedOf(record: JsonObject) {
  const { type } = record;
  return typeof type === 'string' && isKnownEventType(type) ? (checked.get(type) ?? unknown) : unknown;
}

describe('schemaToPredicate', () => {
  it('says yes at once to every event of the samples: nothing there needs the slow way', () => {
    expect(records.length).toBeGreaterThan(500);
    expect(records.filter((record) => !checkedOf(record).accepts(record)).map((record) => record['id'])).toEqual([]);
  });

  it('never says yes to what the schema refuses: any member of any event replaced by any value', () => {
    const places = records.flatMap((record) => memberPaths(record).map((path) => ({ record, path })));
    fc.assert(
      fc.property(fc.constantFrom(...places), strange, ({ record, path }, value) => {
        const altered = withMember(record, path, value);
        const { schema, accepts } = checkedOf(isJsonObject(altered) ? altered : record);
        return !accepts(altered) || schema.safeParse(altered).success;
      }),
      { seed: 20261129, numRuns: 1500 },
    );
  });

  it('knows exclusive bounds from inclusive ones, and the least length', () => {
    const sure = (schema: z.ZodType, ...values: readonly unknown[]) => values.map(schemaToPredicate(schema));
    expect(sure(z.number().gt(3), 3, 3.5)).toEqual([false, true]);
    expect(sure(z.number().gte(3), 2, 3)).toEqual([false, true]);
    expect(sure(z.string().min(2), 'a', 'ab')).toEqual([false, true]);
  });

  it.each([
    ['a strict object', z.object({ a: z.string() })],
    ['a list with a least length', z.array(z.string()).min(1)],
    ['a pattern with a memory', z.string().regex(/a/g)],
    ['a refined object', z.looseObject({}).refine(() => false)],
    ['an upper bound', z.number().max(3)],
    ['a transformed text', z.string().transform((text) => text.length)],
  ])('is not sure about %s and leaves it to the schema', (_, schema) => {
    const values: readonly unknown[] = [{ a: 'x' }, ['a'], 'a', {}, 2];
    expect(values.map(schemaToPredicate(schema))).not.toContain(true);
  });
});

const strange: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, '', 0, -1, 1.5, 2 ** 60, true, [], {}, [[]], '0'.repeat(32), 'recorded', '1.2.x'),
  fc.string({ maxLength: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

function memberPaths(value: JsonValue, at: readonly string[] = [], depth = 0): readonly (readonly string[])[] {
  if (depth > 3 || typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, member]) => memberPaths(member, [...at, key], depth + 1))];
}

function withMember(value: JsonValue, path: readonly string[], replacement: JsonValue): JsonValue {
  const [first, ...rest] = path;
  if (first === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((item: JsonValue, n) => (String(n) === first ? withMember(item, rest, replacement) : item));
  if (!isJsonObject(value)) return replacement;
  return { ...value, [first]: withMember(value[first] ?? null, rest, replacement) };
}
