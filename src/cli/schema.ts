/** `hindcast schema [event|claim|golden]`: the published schemas. */
import { goldenJsonSchema } from '../core/golden/index.ts';
import { eventJsonSchema } from '../core/model/index.ts';
import { claimJsonSchema } from '../core/recovery/index.ts';
import { type Outcome, toJson } from './output.ts';

const schemas = { event: eventJsonSchema, claim: claimJsonSchema, golden: goldenJsonSchema } as const;

export type SchemaName = keyof typeof schemas;

export function isSchemaName(name: string): name is SchemaName {
  return Object.hasOwn(schemas, name);
}

export function runSchema(name: SchemaName = 'event'): Outcome {
  return { code: 0, out: toJson(schemas[name]()) };
}
