/**
 * The attributes of one span while it is read: fields by the table, and at the end everything that no field took.
 */
import { type JsonObject, type JsonValue, isJsonArray, setOwn } from '../../base/json.ts';
import { type FieldName, attributeTable } from './table.ts';
import { valueAt } from './values.ts';

export interface AttributeReader {
  readonly value: (field: FieldName) => JsonValue | undefined;
  readonly text: (field: FieldName) => string | undefined;
  readonly number: (field: FieldName) => number | undefined;
  /** An attribute by its own name. */
  readonly take: (name: string) => JsonValue | undefined;
  /** Attributes that begin with `prefix` and a dot, by the rest of their name. */
  readonly takeBelow: (prefix: string) => readonly (readonly [string, JsonValue])[];
  /** What was not taken. */
  readonly rest: () => JsonObject;
}

export function createAttributeReader(attributes: JsonObject): AttributeReader {
  const taken = new Set<string>();

  function value(field: FieldName): JsonValue | undefined {
    let found: JsonValue | undefined;
    for (const [name] of attributeTable[field]) {
      const here = valueAt(attributes, name);
      if (here === undefined || here === '') continue;
      found ??= here;
      // A second name that says something else is kept with what is left.
      if (here === found) taken.add(name);
    }
    return found;
  }

  return {
    value,
    text: (field) => valueToText(value(field)),
    number: (field) => valueToNumber(value(field)),
    take: (name) => {
      const found = valueAt(attributes, name);
      if (found !== undefined) taken.add(name);
      return found;
    },
    takeBelow: (prefix) => {
      const found: (readonly [string, JsonValue])[] = [];
      const start = `${prefix}.`;
      for (const name in attributes) {
        const here = name.startsWith(start) ? valueAt(attributes, name) : undefined;
        if (here === undefined) continue;
        taken.add(name);
        found.push([name.slice(prefix.length + 1), here]);
      }
      return found;
    },
    rest: () => {
      const rest: Record<string, JsonValue> = {};
      for (const name of Object.keys(attributes)) {
        const left = attributes[name];
        if (left !== undefined && !taken.has(name)) setOwn(rest, name, left);
      }
      return rest;
    },
  };
}

export function valueToText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** Numbers arrive as numbers, and as text from writers that know only text. */
export function valueToNumber(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?$/.test(value)) return undefined;
  return Number(value);
}

export function valueToTexts(value: JsonValue | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const list = isJsonArray(value) ? value : [value];
  const texts = list.map(valueToText).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts;
}
