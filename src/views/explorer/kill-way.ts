/** Whether the death of the worker at an event can be simulated: only at a write, and only where its control program can be run. */
import { type JsonValue, isJsonObject } from '../../core/base/json.ts';

export interface KillWay {
  /** Of the command that would be struck. */
  readonly path: string;
  /** What it would need and the trace does not have; empty where it can be simulated. */
  readonly missing: readonly string[];
}

/** `missing`: of the trace, undefined as long as that is not known. A program that a person brought stands in for what is missing. */
export function effectToKill(
  event: JsonValue,
  missing: readonly string[] | undefined,
  hasOwnProgram: boolean,
): KillWay | undefined {
  const command = isJsonObject(event) ? event['command'] : undefined;
  const path = isJsonObject(command) && command['kind'] === 'write' ? command['path'] : undefined;
  if (typeof path !== 'string' || missing === undefined) return undefined;
  return { path, missing: hasOwnProgram ? [] : missing };
}
