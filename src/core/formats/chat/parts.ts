/**
 * Parts of messages, as the many chat APIs write them, to the one form of the GenAI conventions:
 * `{type: 'text', content}`, `{type: 'reasoning', content}`, `{type: 'tool_call', id, name, arguments}`,
 * `{type: 'tool_call_response', id, response}`.
 *
 * Invariant: nothing is lost. A member without a place keeps its name on the part; a part of an unknown type stays as it is.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { firstText, memberAt, objectAt, parseText, restOf, textAt, withoutUndefined } from '../members.ts';

const textKinds: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text', 'summary_text', 'reasoning_text']);
const callKinds: ReadonlySet<string> = new Set([
  'tool_use',
  'tool_call',
  'tool-call',
  'function_call',
  'custom_tool_call',
  'mcp_tool_use',
  'server_tool_use',
]);
const answerKinds: ReadonlySet<string> = new Set([
  'tool_result',
  'tool-result',
  'tool_call_response',
  'function_call_output',
  'custom_tool_call_output',
  'mcp_tool_result',
  'web_search_tool_result',
]);

/** The content of a message, text or list of blocks, as parts. */
export function contentToParts(content: JsonValue | undefined): JsonObject[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return textToParts(content);
  if (isJsonArray(content)) return content.flatMap(blockToParts);
  return blockToParts(content);
}

function textToParts(text: string): JsonObject[] {
  if (text === '') return [];
  const calls = textToCalls(text);
  return calls ?? [{ type: 'text', content: text }];
}

/** Some frameworks write the calls of an answer as text of its content. */
function textToCalls(text: string): JsonObject[] | undefined {
  if (!/^\s*\[\s*\{/.test(text) || !text.includes('"function"')) return undefined;
  const list = parseText(text);
  if (!isJsonArray(list) || list.length === 0) return undefined;
  const isCalls = list.every((item) => textAt(objectAt(item, 'function'), 'name') !== undefined);
  return isCalls ? list.map(callToPart) : undefined;
}

function blockToParts(block: JsonValue): JsonObject[] {
  if (typeof block === 'string') return [{ type: 'text', content: block }];
  if (!isJsonObject(block)) return [{ type: 'data', content: block }];
  return [blockToPart(block)];
}

function blockToPart(block: JsonObject): JsonObject {
  const kind = textAt(block, 'type');
  if (kind === undefined) return untypedToPart(block);
  if (callKinds.has(kind)) return callToPart(block);
  if (answerKinds.has(kind)) return answerToPart(block);
  if (textKinds.has(kind)) {
    const content = memberAt(block, 'text') ?? memberAt(block, 'content') ?? '';
    return { type: 'text', content, ...restOf(block, new Set(['type', 'text', 'content'])) };
  }
  if (kind === 'thinking' || kind === 'reasoning') {
    const content = firstText(block, 'thinking', 'content', 'reasoning', 'text') ?? '';
    return {
      type: 'reasoning',
      content,
      ...restOf(block, new Set(['type', 'thinking', 'content', 'reasoning', 'text'])),
    };
  }
  return block;
}

/** Gemini writes parts without a type. */
function untypedToPart(block: JsonObject): JsonObject {
  const call = objectAt(block, 'functionCall') ?? objectAt(block, 'function_call');
  if (call !== undefined) return { ...callToPart(call), ...restOf(block, new Set(['functionCall', 'function_call'])) };
  const answer = objectAt(block, 'functionResponse') ?? objectAt(block, 'function_response');
  if (answer !== undefined) {
    return { ...answerToPart(answer), ...restOf(block, new Set(['functionResponse', 'function_response'])) };
  }
  // The Vercel SDK lists the calls of an answer without types.
  if (textAt(block, 'toolName') !== undefined) return callToPart(block);
  const text = memberAt(block, 'text');
  if (typeof text !== 'string')
    return textAt(block, 'content') === undefined ? { type: 'data', content: block } : block;
  const type = block['thought'] === true ? 'reasoning' : 'text';
  return { type, content: text, ...restOf(block, new Set(['text', 'thought'])) };
}

const callMembers: ReadonlySet<string> = new Set([
  'type',
  'id',
  'call_id',
  'callID',
  'toolCallId',
  'tool_call_id',
  'name',
  'toolName',
  'tool_name',
  'function',
  'input',
  'args',
  'arguments',
]);

/** A call of a tool in any of the forms, nested under `function` or not. Arguments written as JSON text are read. */
export function callToPart(value: JsonValue): JsonObject {
  const call = isJsonObject(value) ? value : { name: value };
  const inner = objectAt(call, 'function');
  const rest = restOf(call, callMembers);
  const innerRest = inner === undefined ? {} : restOf(inner, new Set(['name', 'arguments', 'description']));
  const name = firstText(inner, 'name') ?? firstText(call, 'name', 'toolName', 'tool_name', 'function') ?? '';
  // In the Responses API `id` names the item and `call_id` the call.
  const id = firstText(call, 'call_id', 'toolCallId', 'tool_call_id', 'callID', 'id');
  const item = textAt(call, 'call_id') === undefined ? undefined : textAt(call, 'id');
  const recorded =
    memberAt(inner, 'arguments') ?? memberAt(call, 'input') ?? memberAt(call, 'args') ?? memberAt(call, 'arguments');
  const args = parseText(recorded) ?? {};
  return withoutUndefined({ type: 'tool_call', id, name, arguments: args, item_id: item, ...innerRest, ...rest });
}

const answerMembers: ReadonlySet<string> = new Set([
  'type',
  'id',
  'call_id',
  'toolCallId',
  'tool_call_id',
  'tool_use_id',
  'content',
  'output',
  'result',
  'response',
  'name',
  'toolName',
]);

export function answerToPart(answer: JsonObject): JsonObject {
  const id = firstText(answer, 'tool_use_id', 'call_id', 'toolCallId', 'tool_call_id', 'id');
  const name = firstText(answer, 'name', 'toolName');
  const response =
    memberAt(answer, 'response') ??
    memberAt(answer, 'content') ??
    memberAt(answer, 'output') ??
    memberAt(answer, 'result') ??
    null;
  return withoutUndefined({ type: 'tool_call_response', id, name, response, ...restOf(answer, answerMembers) });
}
