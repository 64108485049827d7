/**
 * Where a redacted copy can show a hole in place: members of a payload whose schema takes any JSON. Typed members cannot hold one;
 * a copy leaves them out and lists them in its declaration.
 */
import { z } from 'zod';
import { eventSchema, isKnownEventType } from './union.ts';

const answers = new Map<string, boolean>();

/** `pointer` is the JSON Pointer of the member inside the event, for example `/data/args`. */
export function acceptsHole(type: string, pointer: string): boolean {
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? '0' : part));
  const key = `${type} ${path.join('/')}`;
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = isKnownEventType(type) ? schemaTakesHole(eventSchema(type), path) : true;
  answers.set(key, answer);
  return answer;
}

function schemaTakesHole(root: z.ZodType, path: readonly string[]): boolean {
  let schema: z.ZodType | undefined = root;
  for (const part of path) {
    schema = memberOf(unwrap(schema), part);
    // A member below one that takes any JSON, or one that no schema names.
    if (schema === undefined) return true;
  }
  return unwrap(schema).safeParse({ $hole: 'h' }).success;
}

function unwrap(schema: z.ZodType): z.ZodType {
  // Cast: what an optional wraps is a schema.
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap() as z.ZodType) : schema;
}

function memberOf(schema: z.ZodType, part: string): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) {
    // Cast: the shape of an object schema maps names to schemas.
    const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
    return Object.hasOwn(shape, part) ? shape[part] : undefined;
  }
  return schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
}
