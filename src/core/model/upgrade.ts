/**
 * Versions of the stream. `currentVersion` is what this build writes; an older record is lifted one step at a time.
 *
 * When the version grows: freeze the old types under `versions/`, add the step below, a frozen fixture, and an entry in CHANGELOG.md.
 */
import type { JsonObject } from '../base/json.ts';
import { type Result, err, ok } from '../base/result.ts';
import type { EventProblem } from './event.ts';

export const currentVersion = 1;

/** `upgradeSteps[n]` lifts a record of version n + 1 to version n + 2. */
export const upgradeSteps: readonly ((record: JsonObject) => JsonObject)[] = [];

export function upgradeRecord(record: JsonObject): Result<JsonObject, EventProblem> {
  const version = record['v'];
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return err({ code: 'no-version', message: 'The record has no schema version: "v" must be a whole number from 1.' });
  }
  if (version > currentVersion) {
    return err({
      code: 'future-version',
      message: `The record has schema version ${String(version)}; this build reads up to ${String(currentVersion)}. Open it with a newer Hindcast, or read it only as far as it is understood.`,
    });
  }
  return ok(upgradeSteps.slice(version - 1).reduce((lifted, step) => step(lifted), record));
}

/** A record from a newer version as the present one sees it: only for reading as far as it is understood. */
export function readAsCurrent(record: JsonObject): JsonObject {
  return { ...record, v: currentVersion };
}
