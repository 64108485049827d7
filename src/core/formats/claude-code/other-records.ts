/**
 * Everything that is not an assistant line: results, prompts, errors, compaction, and the many kinds that have no event of their
 * own and are kept as events of type `claude_code.<kind>` with the whole record as payload.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { eventId } from '../../model/index.ts';
import { type CauseDraft, type EventDraft, isMain, withoutUndefined } from './envelope.ts';
import { type Links, isSpawn, resultId } from './link.ts';
import { modelPath, parentCause, toolToKind } from './model-call.ts';
import { type CcRecord, contentToText, numberAt, objectAt, textAt, type ToolResult } from './record.ts';
import { type Call, type Node, scoped, toAnswers, unscoped } from './survey.ts';
import { errorToExecuted, isRefusal } from './tools.ts';

export function recordToDrafts(links: Links, record: CcRecord, node: Node, print: string): readonly EventDraft[] {
  if (record.type === 'user' && record.message !== undefined) return userDrafts(links, record, node, print);
  if (record.subtype === 'api_error') return [apiError(links, record, node, print)];
  if (record.subtype === 'compact_boundary') return [compaction(links, record, node, print)];
  return [unknownRecord(links, record, node, print)];
}

function userDrafts(links: Links, record: CcRecord, node: Node, print: string): readonly EventDraft[] {
  const id = links.recordId(node, print);
  const results = record.message?.toolResults ?? [];
  if (results.length === 0) return [prompt(links, record, node, print)];
  const answers = toAnswers(record);
  const drafts = results.flatMap((result, index) => {
    const answer = links.answeredCall(answers[index] ?? { call: undefined, via: undefined });
    return resultDrafts(links, record, node, result, { id: resultId(id, index), ...answer });
  });
  const beside = record.message?.blocks.filter((block) => block['type'] !== 'tool_result') ?? [];
  if (beside.length === 0) return drafts;
  const causes: readonly CauseDraft[] = [{ event: id, as: 'caused_by' }];
  const data = { from: 'claude-code', to: links.agentOf(node), role: 'user', content: beside };
  return [...drafts, { id: eventId(`${id}:text`), type: 'message.sent', causes, data, extra: {} }];
}

interface Answered {
  readonly id: EventDraft['id'];
  readonly key: string | undefined;
  readonly inferred: boolean;
}

function resultDrafts(
  links: Links,
  record: CcRecord,
  node: Node,
  result: ToolResult,
  answered: Answered,
): readonly EventDraft[] {
  const { id, key } = answered;
  const call = key === undefined ? undefined : links.survey.calls.get(key);
  const rule = answered.inferred ? 'sole-tool-of-parent' : undefined;
  const causes: (CauseDraft | undefined)[] = [];
  if (key !== undefined) causes.push({ event: links.callEvent(key), as: 'result_of', rule });
  // The parent of a result is its call's line: nothing new. Any other parent is told.
  if (call === undefined || links.parentOf(node)?.group !== call.group) causes.push(parentCause(links, node));
  const agent = key === undefined ? undefined : links.agentOfCall(key);
  const last = agent === undefined ? undefined : links.lastModelOf(agent);
  if (last !== undefined) causes.push({ event: last, as: 'consumed', rule: 'last-message-of-agent' });
  const response = record.message?.toolResults.length === 1 ? record.raw['toolUseResult'] : undefined;
  const text = contentToText(result.content);
  const data = withoutUndefined({
    tool: call?.name,
    call_id: result.toolUseId,
    result: result.isError ? undefined : (result.content ?? null),
    response: response ?? undefined,
    stored_output: storedOutput(links, text),
  });
  const shared = {
    id,
    causes,
    step: call === undefined ? undefined : unscoped(call.group),
    command: commandOf(links, node, key, call),
  };
  const spawned = call !== undefined && isSpawn(call.name);
  if (!result.isError) {
    const joined = spawned ? { from: agent, to: links.agentOf(node) } : {};
    return [
      {
        ...shared,
        type: spawned ? 'agent.joined' : 'tool_call.completed',
        data: withoutUndefined({ ...data, ...joined }),
      },
    ];
  }
  const denial = textAt(record.raw, 'toolDenialKind');
  const executed = errorToExecuted(call?.name ?? '', text, denial !== undefined);
  const error = withoutUndefined({
    name: 'ToolError',
    message: text,
    data: typeof result.content === 'string' ? undefined : result.content,
  });
  const failed: EventDraft = {
    ...shared,
    type: spawned ? 'agent.joined' : 'tool_call.failed',
    data: withoutUndefined({
      ...data,
      error,
      executed,
      executed_rule: executed === undefined ? undefined : 'error-answer',
      refused: isRefusal(text, denial !== undefined) ? true : undefined,
    }),
  };
  if (denial === undefined) return [failed];
  const denied: EventDraft = {
    id: eventId(`${id}:denied`),
    type: 'approval.denied',
    causes: [key === undefined ? undefined : { event: links.callEvent(key), as: 'caused_by' }],
    data: withoutUndefined({ name: call?.name, granted: false, reason: denial }),
    extra: {},
  };
  return [denied, { ...failed, causes: [...causes, { event: denied.id, as: 'authorized_by' }] }];
}

function commandOf(links: Links, node: Node, key: string | undefined, call: Call | undefined): JsonObject | undefined {
  if (key === undefined || call === undefined) return undefined;
  const kind = isSpawn(call.name) ? 'child' : toolToKind(call.name);
  const path = `${links.scopeOf(links.agentOf(node))}/${kind ?? 'tool'}:${call.name}=${unscoped(key)}`;
  return withoutUndefined({ path, kind, name: call.name, identity: 'derived', attempt: 1 });
}

/** The output was too long for the session and stands in a file that was opened with it, which the result names. */
function storedOutput(links: Links, text: string): JsonValue | undefined {
  const name = /tool-results\/([\w.-]+)/.exec(text)?.[1];
  const output = name === undefined ? undefined : links.survey.outputsByName.get(name);
  return output === undefined ? undefined : { $ref: output.digest, bytes: output.bytes, mediaType: 'text/plain' };
}

/** A message to an agent: typed by a person, put in by the program, or by the agent that started this one. */
function prompt(links: Links, record: CcRecord, node: Node, print: string): EventDraft {
  const id = links.recordId(node, print);
  const content = record.message?.content ?? null;
  const agent = links.agentOf(node);
  if (!isMain(links, node) && links.ancestry.chainRoot(node) === node) {
    const spawn = links.spawnOf(agent);
    const started: CauseDraft | undefined =
      spawn === undefined ? undefined : { event: links.callEvent(spawn.call), as: 'caused_by', rule: spawn.rule };
    const data = { to: agent, role: 'user', content };
    return { id, type: 'message.sent', causes: [started, parentCause(links, node)], data };
  }
  const causes = [parentCause(links, node)];
  const origin = textAt(objectAt(record.raw, 'origin') ?? {}, 'kind');
  const isProgram = record.raw['isMeta'] === true || record.raw['isCompactSummary'] === true || !isMain(links, node);
  if (isProgram || (origin !== undefined && origin !== 'human' && origin !== 'cli')) {
    return { id, type: 'message.sent', causes, data: { from: 'claude-code', to: agent, role: 'user', content } };
  }
  const principal = { id: textAt(record.raw, 'userType') ?? 'user', kind: 'human' };
  return { id, type: 'input.received', causes, principal, data: { name: 'prompt', value: content } };
}

function apiError(links: Links, record: CcRecord, node: Node, print: string): EventDraft {
  const error = objectAt(record.raw, 'error') ?? {};
  const retried = links.retriedBy(node);
  const path = modelPath(links, retried?.group ?? scoped(record.session, node.uuid), node);
  const attempt = retried?.attempt ?? numberAt(record.raw, 'retryAttempt');
  return {
    id: links.recordId(node, print),
    type: 'model_call.failed',
    causes: [parentCause(links, node)],
    command: withoutUndefined({ path, kind: 'model', identity: 'derived', attempt }),
    data: withoutUndefined({
      operation: 'chat',
      http_status: numberAt(error, 'status'),
      error: { name: textAt(error, 'type') ?? 'api_error', message: errorText(error), data: error },
    }),
  };
}

/** The innermost message of the nested error objects that the API answers with. */
function errorText(error: JsonObject): string {
  let at: JsonObject | undefined = error;
  let text = '';
  for (let depth = 0; at !== undefined && depth < 8; depth++) {
    text = textAt(at, 'message') ?? textAt(at, 'formatted') ?? text;
    at = objectAt(at, 'error') ?? objectAt(at, 'cause');
  }
  return text;
}

function compaction(links: Links, record: CcRecord, node: Node, print: string): EventDraft {
  const meta = objectAt(record.raw, 'compactMetadata');
  const data = withoutUndefined({
    trigger: meta?.['trigger'],
    pre_tokens: meta?.['preTokens'],
    note: record.raw['content'] ?? undefined,
  });
  return { id: links.recordId(node, print), type: 'history.compacted', causes: [parentCause(links, node)], data };
}

/** Kept whole. What it points at by a recorded id is an edge. */
function unknownRecord(links: Links, record: CcRecord, node: Node, print: string): EventDraft {
  const kind = [record.type, record.subtype].filter((part) => part !== undefined).join('.');
  const attached = objectAt(record.raw, 'attachment');
  const tool = record.parentTool ?? textAt(record.raw, 'toolUseID') ?? (attached && textAt(attached, 'toolUseID'));
  const call = tool === undefined ? undefined : links.survey.calls.get(scoped(record.session, tool));
  const leaf = textAt(record.raw, 'leafUuid') ?? textAt(record.raw, 'messageId');
  const pointed = leaf === undefined ? undefined : links.survey.byUuid.get(leaf);
  return {
    id: links.recordId(node, print),
    type: `claude_code.${kind}`,
    causes: [
      parentCause(links, node),
      call === undefined ? undefined : { event: links.callEvent(call.key), as: 'caused_by' },
      pointed === undefined ? undefined : { event: links.mainEventOf(pointed), as: 'caused_by' },
    ],
    data: { record: record.raw },
    extra: {},
  };
}
