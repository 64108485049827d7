/**
 * A line of a Claude Code session as this importer sees it: the fields it maps, typed, and the raw object beside them.
 *
 * Nothing is required: any JSON object is a record. Called once per record and pass.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { timeToMillis } from '../../base/time.ts';
import type { RawRecord } from '../records.ts';

export interface ToolUse {
  readonly id: string | undefined;
  readonly name: string;
  readonly input: JsonValue;
}

export interface ToolResult {
  readonly toolUseId: string | undefined;
  readonly content: JsonValue | undefined;
  readonly isError: boolean;
}

export interface Message {
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly role: string | undefined;
  readonly content: JsonValue | undefined;
  readonly blocks: readonly JsonObject[];
  readonly stopReason: string | undefined;
  readonly usage: JsonObject | undefined;
  readonly toolUses: readonly ToolUse[];
  readonly toolResults: readonly ToolResult[];
}

export interface CcRecord {
  readonly raw: JsonObject;
  readonly source: RawRecord;
  readonly type: string;
  readonly subtype: string | undefined;
  readonly uuid: string | undefined;
  /** A second uuid by which others may point here: that of the progress record which carried the message. */
  readonly alias: string | undefined;
  readonly parent: string | undefined;
  readonly session: string | undefined;
  readonly agentId: string | undefined;
  readonly sidechain: boolean;
  readonly time: string | undefined;
  readonly version: string | undefined;
  readonly message: Message | undefined;
  /** The call this record reports progress of. */
  readonly parentTool: string | undefined;
  /** True for a sub-agent's message inside a progress record of its caller. */
  readonly carried: boolean;
}

export function toRecord(source: RawRecord, raw: JsonObject): CcRecord {
  const data = objectAt(raw, 'data');
  const inner =
    raw['type'] === 'progress' && data?.['type'] === 'agent_progress' ? objectAt(data, 'message') : undefined;
  const content = inner ?? raw;
  const type = textAt(content, 'type') ?? 'untyped';
  const uuid = textAt(raw, 'uuid');
  const carriedUuid = inner === undefined ? undefined : textAt(inner, 'uuid');
  return {
    raw,
    source,
    type,
    subtype: subtypeOf(type, content),
    uuid: carriedUuid ?? uuid,
    alias: carriedUuid === undefined ? undefined : uuid,
    parent: inner === undefined ? (textAt(raw, 'parentUuid') ?? textAt(raw, 'logicalParentUuid')) : undefined,
    session: textAt(raw, 'sessionId') ?? textAt(raw, 'session_id'),
    agentId: textAt(raw, 'agentId') ?? (data === undefined ? undefined : textAt(data, 'agentId')),
    sidechain: inner !== undefined || raw['isSidechain'] === true,
    time: timeOf(content) ?? timeOf(raw),
    version: textAt(raw, 'version'),
    message: toMessage(objectAt(content, 'message')),
    parentTool: textAt(raw, 'parentToolUseID'),
    carried: inner !== undefined,
  };
}

function subtypeOf(type: string, raw: JsonObject): string | undefined {
  if (type === 'system') return textAt(raw, 'subtype');
  if (type === 'progress') return textAt(objectAt(raw, 'data') ?? {}, 'type');
  if (type === 'attachment') return textAt(objectAt(raw, 'attachment') ?? {}, 'type');
  return undefined;
}

/** Only what is a time; anything else stays in the raw record. */
function timeOf(raw: JsonObject): string | undefined {
  const time = textAt(raw, 'timestamp');
  return time !== undefined && timeToMillis(time) !== undefined ? time : undefined;
}

function toMessage(message: JsonObject | undefined): Message | undefined {
  if (message === undefined) return undefined;
  const content = message['content'];
  const blocks = isJsonArray(content) ? content.filter(isJsonObject) : [];
  return {
    id: textAt(message, 'id'),
    model: textAt(message, 'model'),
    role: textAt(message, 'role'),
    content,
    blocks,
    stopReason: textAt(message, 'stop_reason'),
    usage: objectAt(message, 'usage'),
    toolUses: blocks.filter((block) => block['type'] === 'tool_use').map(toToolUse),
    toolResults: blocks.filter((block) => block['type'] === 'tool_result').map(toToolResult),
  };
}

function toToolUse(block: JsonObject): ToolUse {
  return { id: textAt(block, 'id'), name: textAt(block, 'name') ?? 'tool not named', input: block['input'] ?? {} };
}

function toToolResult(block: JsonObject): ToolResult {
  return { toolUseId: textAt(block, 'tool_use_id'), content: block['content'], isError: block['is_error'] === true };
}

export function textAt(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberAt(object: JsonObject, key: string): number | undefined {
  const value = object[key];
  return typeof value === 'number' ? value : undefined;
}

export function objectAt(object: JsonObject, key: string): JsonObject | undefined {
  const value = object[key];
  return isJsonObject(value) ? value : undefined;
}

/** The text of a message or result: a string, or the text blocks of a list. */
export function contentToText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  if (!isJsonArray(content)) return '';
  const texts: string[] = [];
  for (const block of content) {
    const text = isJsonObject(block) ? textAt(block, 'text') : undefined;
    if (text !== undefined) texts.push(text);
  }
  return texts.join('\n');
}
