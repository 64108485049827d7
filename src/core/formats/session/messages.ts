/**
 * Messages of chat APIs to parts of a record: what the model said and asked for, what tools answered, what a person wrote.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { contentToParts } from '../chat/parts.ts';
import { memberAt, textAt, withoutUndefined } from '../members.ts';
import { contentToText } from './fields.ts';
import type { CallPart, InputPart, ModelPart, Part, ResultPart } from './part.ts';
import { isSpawnTool } from './tools.ts';

/** The calls among the parts of an answer. */
export function partsToCalls(parts: readonly JsonObject[], key?: string): readonly CallPart[] {
  return parts
    .filter((part) => part['type'] === 'tool_call')
    .map((part) => {
      const name = textAt(part, 'name') ?? 'tool not named';
      const args = memberAt(part, 'arguments') ?? {};
      return { kind: 'call', id: textAt(part, 'id'), name, args, key, spawns: isSpawnTool(name) };
    });
}

/** A whole answer of the model in one record. */
export function answerToParts(
  blocks: readonly JsonValue[],
  parts: readonly JsonObject[],
  more: Pick<ModelPart, 'key' | 'data' | 'error'> & { readonly whole?: boolean } = {},
): readonly Part[] {
  const model: ModelPart = { kind: 'model', whole: true, ...more, blocks, parts };
  return [model, ...partsToCalls(parts, more.key)];
}

/** A message to the model: answers of tools, and whatever else stands beside them as input. */
export function messageToParts(role: string, content: JsonValue, from: InputPart['from']): readonly Part[] {
  const parts = contentToParts(content);
  const results = parts.filter((part) => part['type'] === 'tool_call_response').map(partToResult);
  if (results.length === 0) return [{ kind: 'input', role, content, from }];
  const beside = parts.filter((part) => part['type'] !== 'tool_call_response');
  if (beside.length === 0) return results;
  return [...results, { kind: 'input', role, content: beside, from: 'program' }];
}

export function partToResult(part: JsonObject): ResultPart {
  const value = memberAt(part, 'response') ?? null;
  const failed = part['is_error'] === true || part['isError'] === true;
  return {
    kind: 'result',
    call: textAt(part, 'id'),
    name: textAt(part, 'name'),
    value,
    error: failed ? toolError(value) : undefined,
  };
}

export function toolError(value: JsonValue, name = 'ToolError'): JsonObject {
  const text = contentToText(value);
  return withoutUndefined({
    name,
    message: text === '' ? JSON.stringify(value) : text,
    data: typeof value === 'string' ? undefined : value,
  });
}
