/** `hindcast schema`: the published schema of one event line. */
import { eventJsonSchema } from '../core/model/index.ts';
import { type Outcome, toJson } from './output.ts';

export function runSchema(): Outcome {
  return { code: 0, out: toJson(eventJsonSchema()) };
}
