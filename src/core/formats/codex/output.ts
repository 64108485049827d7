/**
 * What a tool gave back: by version a text, a text with JSON inside, an object, or a list of parts.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { memberAt, numberAt, objectAt, textAt, withoutUndefined } from '../members.ts';
import { contentToText, jsonOrText } from '../session/fields.ts';
import type { ResultPart } from '../session/part.ts';

export function outputToResult(item: JsonObject): ResultPart {
  const recorded = memberAt(item, 'output') ?? memberAt(item, 'tools') ?? null;
  const read = jsonOrText(recorded) ?? null;
  const text = textOf(recorded, read);
  const child = isJsonObject(read) ? textAt(read, 'agent_id') : undefined;
  const failed = failureOf(recorded, read, text);
  return {
    kind: 'result',
    call: textAt(item, 'call_id'),
    name: textAt(item, 'name'),
    value: recorded,
    error: failed,
    child,
    started: child !== undefined,
    joins: finishedAgents(read),
    data: withoutUndefined({ exit_code: exitCode(read, text) }),
  };
}

function textOf(recorded: JsonValue, read: JsonValue): string {
  if (isJsonObject(read))
    return textAt(read, 'output') ?? textAt(read, 'content') ?? contentToText(memberAt(read, 'content'));
  return contentToText(recorded);
}

function exitCode(read: JsonValue, text: string): number | undefined {
  const code = isJsonObject(read) ? numberAt(objectAt(read, 'metadata'), 'exit_code') : undefined;
  if (code !== undefined) return code;
  const told = /^(?:Exit code: |Process exited with code )(-?\d+)$/m.exec(text.slice(0, 2000))?.[1];
  return told === undefined ? undefined : Number(told);
}

/**
 * A call that could not be run is a failure. A command that ran and ended with another code than 0 has answered: the code stands
 * beside its output.
 */
function failureOf(recorded: JsonValue, read: JsonValue, text: string): JsonObject | undefined {
  const isRefused = isJsonObject(recorded) && recorded['success'] === false;
  const isParsed =
    /^(failed to parse function arguments|unsupported (custom tool )?call|exec_command failed|apply_patch verification failed|failed in sandbox|execution error|rejected by user|aborted by user)/i.test(
      text,
    );
  if (!isRefused && !isParsed) return undefined;
  return withoutUndefined({ name: 'ToolError', message: text, data: typeof recorded === 'string' ? undefined : read });
}

/** Threads that an answer to a wait tells the end of. */
function finishedAgents(read: JsonValue): readonly string[] {
  const status = isJsonObject(read) ? objectAt(read, 'status') : undefined;
  if (status === undefined) return [];
  return Object.keys(status).filter((thread) => {
    const state = status[thread];
    return isJsonObject(state) && ('completed' in state || 'errored' in state || 'shutdown' in state);
  });
}
