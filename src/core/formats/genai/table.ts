/**
 * The one table from attribute names to fields: every dialect and every version of the GenAI conventions that is in use.
 *
 * A row is read from left to right and the first attribute present gives the field. Adding a dialect is adding names here; how the
 * value is written (JSON in a text, indexed names, log records) is the business of `messages.ts`.
 */
import { createTable } from '../../base/table.ts';

/** Where a name comes from; the version is the first (or last) of the conventions that has it. */
type Dialect =
  | 'semconv' // OpenTelemetry GenAI conventions, 1.37 and later
  | 'semconv-old' // the same before 1.37, and OpenLLMetry names that became those
  | 'traceloop'
  | 'openinference'
  | 'vercel'
  | 'langfuse'
  | 'langsmith'
  | 'adk' // Google's Agent Development Kit
  | 'gemini-cli'
  | 'mcp'
  | 'http';

type AttributeName = readonly [name: string, dialect: Dialect];

export const attributeTable = {
  operation: [
    ['gen_ai.operation.name', 'semconv'],
    ['llm.request.type', 'traceloop'],
    ['ai.operationId', 'vercel'],
  ],
  provider: [
    ['gen_ai.provider.name', 'semconv'],
    ['gen_ai.system', 'semconv-old'],
    ['llm.provider', 'openinference'],
    ['llm.system', 'openinference'],
    ['llm.vendor', 'traceloop'],
    ['ai.model.provider', 'vercel'],
    ['langsmith.metadata.ls_provider', 'langsmith'],
  ],
  requestModel: [
    ['gen_ai.request.model', 'semconv'],
    ['llm.request.model', 'traceloop'],
    ['llm.request.model_name', 'openinference'],
    ['llm.model_name', 'openinference'],
    ['embedding.model_name', 'openinference'],
    ['reranker.model_name', 'openinference'],
    ['ai.model.id', 'vercel'],
    ['langfuse.observation.model.name', 'langfuse'],
    ['langsmith.metadata.ls_model_name', 'langsmith'],
    ['model', 'gemini-cli'],
  ],
  responseModel: [
    ['gen_ai.response.model', 'semconv'],
    ['llm.response.model', 'traceloop'],
    ['llm.response.model_name', 'openinference'],
    ['ai.response.model', 'vercel'],
  ],
  responseId: [
    ['gen_ai.response.id', 'semconv'],
    ['ai.response.id', 'vercel'],
  ],
  finishReasons: [
    ['gen_ai.response.finish_reasons', 'semconv'],
    ['gen_ai.response.finish_reason', 'semconv-old'],
    ['llm.response.finish_reason', 'traceloop'],
    ['llm.response.stop_reason', 'traceloop'],
    ['ai.response.finishReason', 'vercel'],
    ['ai.finishReason', 'vercel'],
  ],
  systemInstructions: [
    ['gen_ai.system_instructions', 'semconv'],
    ['gen_ai.system.instructions', 'semconv-old'],
  ],
  inputMessages: [
    ['gen_ai.input.messages', 'semconv'],
    ['ai.prompt.messages', 'vercel'],
    ['gcp.vertex.agent.llm_request', 'adk'],
    ['langfuse.observation.input', 'langfuse'],
    ['gen_ai.prompt', 'langsmith'],
    ['gen_ai.request.messages', 'semconv-old'],
    ['ai.prompt', 'vercel'],
    ['traceloop.entity.input', 'traceloop'],
    ['langsmith.entity.input', 'langsmith'],
    ['request_text', 'gemini-cli'],
    ['input.value', 'openinference'],
  ],
  outputMessages: [
    ['gen_ai.output.messages', 'semconv'],
    ['gcp.vertex.agent.llm_response', 'adk'],
    ['langfuse.observation.output', 'langfuse'],
    ['gen_ai.completion', 'langsmith'],
    ['traceloop.entity.output', 'traceloop'],
    ['langsmith.entity.output', 'langsmith'],
    ['response_text', 'gemini-cli'],
    ['output.value', 'openinference'],
  ],
  toolDefinitions: [
    ['gen_ai.tool.definitions', 'semconv'],
    ['gen_ai.request.tools', 'semconv-old'],
    ['ai.prompt.tools', 'vercel'],
    ['llm.request.functions', 'traceloop'],
  ],
  parameters: [
    ['llm.invocation_parameters', 'openinference'],
    ['langfuse.observation.model.parameters', 'langfuse'],
  ],
  inputTokens: [
    ['gen_ai.usage.input_tokens', 'semconv'],
    ['gen_ai.usage.prompt_tokens', 'semconv-old'],
    ['llm.token_count.prompt', 'openinference'],
    ['llm.usage.prompt_tokens', 'traceloop'],
    ['ai.usage.inputTokens', 'vercel'],
    ['ai.usage.promptTokens', 'vercel'],
    ['ai.usage.tokens', 'vercel'],
    ['input_token_count', 'gemini-cli'],
  ],
  outputTokens: [
    ['gen_ai.usage.output_tokens', 'semconv'],
    ['gen_ai.usage.completion_tokens', 'semconv-old'],
    ['llm.token_count.completion', 'openinference'],
    ['llm.usage.completion_tokens', 'traceloop'],
    ['ai.usage.outputTokens', 'vercel'],
    ['ai.usage.completionTokens', 'vercel'],
    ['output_token_count', 'gemini-cli'],
  ],
  totalTokens: [
    ['gen_ai.usage.total_tokens', 'semconv-old'],
    ['llm.token_count.total', 'openinference'],
    ['llm.usage.total_tokens', 'traceloop'],
    ['ai.usage.totalTokens', 'vercel'],
    ['total_token_count', 'gemini-cli'],
  ],
  cacheReadTokens: [
    ['gen_ai.usage.cache_read.input_tokens', 'semconv'],
    ['gen_ai.usage.cache_read_input_tokens', 'semconv-old'],
    ['gen_ai.usage.input_tokens.cached', 'semconv-old'],
    ['llm.token_count.prompt_details.cache_read', 'openinference'],
    ['ai.usage.cachedInputTokens', 'vercel'],
    ['cached_content_token_count', 'gemini-cli'],
  ],
  cacheCreationTokens: [
    ['gen_ai.usage.cache_creation.input_tokens', 'semconv'],
    ['gen_ai.usage.cache_creation_input_tokens', 'semconv-old'],
    ['gen_ai.usage.input_tokens.cache_write', 'semconv-old'],
    ['llm.token_count.prompt_details.cache_write', 'openinference'],
  ],
  reasoningTokens: [
    ['gen_ai.usage.reasoning.output_tokens', 'semconv'],
    ['gen_ai.usage.reasoning_tokens', 'semconv-old'],
    ['gen_ai.usage.output_tokens.reasoning', 'semconv-old'],
    ['llm.token_count.completion_details.reasoning', 'openinference'],
    ['ai.usage.reasoningTokens', 'vercel'],
    ['thoughts_token_count', 'gemini-cli'],
  ],
  usage: [
    ['langfuse.observation.usage_details', 'langfuse'],
    ['gen_ai.usage', 'semconv-old'],
  ],
  cost: [
    ['gen_ai.usage.cost', 'semconv-old'],
    ['llm.cost.total', 'openinference'],
    ['operation.cost', 'semconv-old'],
  ],
  costDetails: [['langfuse.observation.cost_details', 'langfuse']],
  httpStatus: [
    ['http.response.status_code', 'http'],
    ['http.status_code', 'http'],
    ['status_code', 'gemini-cli'],
  ],
  toolName: [
    ['gen_ai.tool.name', 'semconv'],
    ['tool.name', 'openinference'],
    ['ai.toolCall.name', 'vercel'],
    ['tool_call.function.name', 'openinference'],
    ['function_name', 'gemini-cli'],
    ['mcp.tool.name', 'mcp'],
  ],
  toolCallId: [
    ['gen_ai.tool.call.id', 'semconv'],
    ['tool_call.id', 'openinference'],
    ['ai.toolCall.id', 'vercel'],
    ['tool.id', 'openinference'],
  ],
  toolArguments: [
    ['gen_ai.tool.call.arguments', 'semconv'],
    ['gcp.vertex.agent.tool_call_args', 'adk'],
    ['ai.toolCall.args', 'vercel'],
    ['ai.toolCall.input', 'vercel'],
    ['tool_call.function.arguments', 'openinference'],
    ['langfuse.observation.input', 'langfuse'],
    ['function_args', 'gemini-cli'],
    ['traceloop.entity.input', 'traceloop'],
    ['langsmith.entity.input', 'langsmith'],
    ['gen_ai.prompt', 'langsmith'],
    ['input.value', 'openinference'],
    ['input', 'openinference'],
  ],
  toolResult: [
    ['gen_ai.tool.call.result', 'semconv'],
    ['gcp.vertex.agent.tool_response', 'adk'],
    ['ai.toolCall.result', 'vercel'],
    ['ai.toolCall.output', 'vercel'],
    ['langfuse.observation.output', 'langfuse'],
    ['traceloop.entity.output', 'traceloop'],
    ['langsmith.entity.output', 'langsmith'],
    ['gen_ai.completion', 'langsmith'],
    ['output.value', 'openinference'],
    ['output', 'openinference'],
  ],
  agentName: [
    ['gen_ai.agent.name', 'semconv'],
    ['agent.name', 'openinference'],
    ['gcp.vertex.agent.agent_name', 'adk'],
  ],
  agentInput: [
    ['gen_ai.input.messages', 'semconv'],
    ['langfuse.observation.input', 'langfuse'],
    ['traceloop.entity.input', 'traceloop'],
    ['gen_ai.prompt', 'langsmith'],
    ['input.value', 'openinference'],
  ],
  agentOutput: [
    ['gen_ai.output.messages', 'semconv'],
    ['langfuse.observation.output', 'langfuse'],
    ['traceloop.entity.output', 'traceloop'],
    ['gen_ai.completion', 'langsmith'],
    ['output.value', 'openinference'],
  ],
  session: [
    ['gen_ai.conversation.id', 'semconv'],
    ['session.id', 'openinference'],
    ['langfuse.session.id', 'langfuse'],
    ['gcp.vertex.agent.session_id', 'adk'],
    ['traceloop.association.properties.session_id', 'traceloop'],
    ['langsmith.trace.session_id', 'langsmith'],
  ],
  errorType: [
    ['error.type', 'semconv'],
    ['exception.type', 'semconv'],
    ['error_type', 'gemini-cli'],
  ],
  errorMessage: [
    ['error.message', 'semconv-old'],
    ['exception.message', 'semconv'],
    ['langfuse.observation.status_message', 'langfuse'],
    ['error', 'gemini-cli'],
    ['error.object', 'http'],
  ],
} as const satisfies Readonly<Record<string, readonly AttributeName[]>>;

export type FieldName = keyof typeof attributeTable;

/** Parameters of a request, by the end of the name: `gen_ai.request.temperature`. */
export const parameterPrefixes = ['gen_ai.request.', 'llm.request.parameters.', 'ai.settings.'] as const;

/** What begins like a parameter and is another field. */
export const notParameters: ReadonlySet<string> = new Set(['model', 'messages', 'tools']);

/** What a kind of span, as the dialect names it, is in the model of events (`classify.ts`). */
export const operationRoles: Readonly<Record<string, SpanRole>> = createTable({
  chat: 'model',
  text_completion: 'model',
  completion: 'model',
  generate_content: 'model',
  responses: 'model',
  messages: 'model',
  embeddings: 'model',
  embedding: 'model',
  rerank: 'retrieval',
  retrieval: 'retrieval',
  execute_tool: 'tool',
  invoke_agent: 'agent',
  create_agent: 'step',
  invoke_workflow: 'step',
  handoff: 'handoff',
  'ai.generateText': 'model',
  'ai.streamText': 'model',
  'ai.generateObject': 'model',
  'ai.streamObject': 'model',
  'ai.generateText.doGenerate': 'model',
  'ai.streamText.doStream': 'model',
  'ai.generateObject.doGenerate': 'model',
  'ai.streamObject.doStream': 'model',
  'ai.embed': 'model',
  'ai.embedMany': 'model',
  'ai.embed.doEmbed': 'model',
  'ai.embedMany.doEmbed': 'model',
  'ai.toolCall': 'tool',
});

/** Attributes that name the kind of a span, with what their values (in lower case) mean. */
export const kindAttributes = [
  'openinference.span.kind',
  'traceloop.span.kind',
  'langfuse.observation.type',
  'langsmith.span.kind',
] as const;

export const kindRoles: Readonly<Record<string, SpanRole>> = createTable({
  llm: 'model',
  embedding: 'model',
  generation: 'model',
  tool: 'tool',
  agent: 'agent',
  retriever: 'retrieval',
  reranker: 'retrieval',
  chain: 'step',
  workflow: 'step',
  task: 'step',
  prompt: 'step',
  parser: 'step',
  guardrail: 'step',
  evaluator: 'step',
  decision: 'step',
});

export type SpanRole = 'model' | 'tool' | 'agent' | 'retrieval' | 'handoff' | 'input' | 'step';
