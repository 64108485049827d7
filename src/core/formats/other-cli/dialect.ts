/**
 * What a dialect of the smaller coding agents is: how its records are known, and what one says.
 */
import type { JsonObject } from '../../base/json.ts';
import type { Reading } from '../session/part.ts';

export interface Dialect {
  readonly id: string;
  /** From 0 to 1, of one line. */
  readonly confidence: (record: JsonObject) => number;
  readonly read: (record: JsonObject) => Reading;
}
