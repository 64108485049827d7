/** `hindcast schema [event|claim]`: the published schemas. */
import { eventJsonSchema } from '../core/model/index.ts';
import { claimJsonSchema } from '../core/recovery/index.ts';
import { type Outcome, toJson } from './output.ts';

export function runSchema(name: 'event' | 'claim' = 'event'): Outcome {
  return { code: 0, out: toJson(name === 'claim' ? claimJsonSchema() : eventJsonSchema()) };
}
