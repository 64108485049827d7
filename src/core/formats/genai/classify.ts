/**
 * What a span is: a model call, a tool call, an agent, a retrieval, a hand-off, or a step. By what it says itself, in the order of
 * how plainly it says so; the place among other spans is looked at later (`link.ts`).
 */
import type { JsonObject } from '../../base/json.ts';
import type { Span } from './record.ts';
import { kindAttributes, kindRoles, operationRoles, type SpanRole } from './table.ts';
import { textAt, valueAt } from './values.ts';

export function spanToRole(span: Span): SpanRole {
  const { attributes } = span;
  return (
    operationToRole(attributes) ??
    kindToRole(attributes) ??
    adkToRole(span) ??
    mcpToRole(attributes) ??
    evidenceToRole(span) ??
    'step'
  );
}

function operationToRole(attributes: JsonObject): SpanRole | undefined {
  for (const name of ['gen_ai.operation.name', 'ai.operationId']) {
    const operation = textAt(attributes, name);
    const role = operation === undefined ? undefined : roleNamed(operationRoles, operation);
    if (role !== undefined) return role;
  }
  const request = textAt(attributes, 'llm.request.type');
  return request === undefined || request === 'unknown' ? undefined : 'model';
}

function kindToRole(attributes: JsonObject): SpanRole | undefined {
  for (const name of kindAttributes) {
    const kind = textAt(attributes, name);
    const role = kind === undefined ? undefined : roleNamed(kindRoles, kind.toLowerCase());
    if (role !== undefined) return role;
  }
  return undefined;
}

function roleNamed(roles: Readonly<Record<string, SpanRole>>, name: string): SpanRole | undefined {
  return Object.hasOwn(roles, name) ? roles[name] : undefined;
}

/** The Agent Development Kit named its spans before it named its operations. */
function adkToRole({ name, attributes, scope }: Span): SpanRole | undefined {
  const isAdk = scope['name'] === 'gcp.vertex.agent' || Object.keys(attributes).some(isAdkName);
  if (!isAdk) return undefined;
  if (name === 'call_llm') return 'model';
  if (name === 'execute_tool' || name.startsWith('execute_tool ')) return 'tool';
  if (/^(invoke_agent|agent_run)\b/.test(name)) return 'agent';
  return undefined;
}

function isAdkName(name: string): boolean {
  return name.startsWith('gcp.vertex.agent.');
}

function mcpToRole(attributes: JsonObject): SpanRole | undefined {
  return textAt(attributes, 'mcp.method.name', 'rpc.method') === 'tools/call' ? 'tool' : undefined;
}

/** No kind is written: the attributes that only such spans have (rule `role-by-attributes`). */
function evidenceToRole({ name, attributes }: Span): SpanRole | undefined {
  const model = textAt(
    attributes,
    'gen_ai.request.model',
    'gen_ai.response.model',
    'llm.model_name',
    'llm.request.model',
  );
  const agent = textAt(attributes, 'gen_ai.agent.name', 'agent.name');
  if (agent !== undefined && /^(invoke_agent|agent[ ._]run|agent run)\b/i.test(name)) return 'agent';
  if (textAt(attributes, 'gen_ai.tool.name', 'tool.name', 'gen_ai.tool.call.id') !== undefined) return 'tool';
  if (model === undefined) return undefined;
  const spoke =
    valueAt(
      attributes,
      'gen_ai.usage.input_tokens',
      'gen_ai.usage.prompt_tokens',
      'gen_ai.usage.output_tokens',
      'gen_ai.usage.completion_tokens',
      'gen_ai.prompt.0.role',
      'gen_ai.completion.0.role',
      'gen_ai.input.messages',
      'gen_ai.output.messages',
      'gen_ai.response.model',
      'gen_ai.response.id',
      'llm.token_count.prompt',
      'llm.token_count.total',
      'llm.input_messages.0.message.role',
    ) !== undefined;
  const isTotal = agent !== undefined && valueAt(attributes, 'gen_ai.system', 'gen_ai.provider.name') === undefined;
  return spoke && !isTotal ? 'model' : undefined;
}
