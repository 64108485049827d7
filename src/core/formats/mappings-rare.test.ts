/** Like `mappings.test.ts`, for records that are rarer: other versions, failures, retries, what stands beside the main story. */
import { describe, expect, it } from 'vitest';
import { openLines, toWholeStory } from './testing/platforms.ts';

const trace = '0123456789abcdef0123456789abcdef';
function stringValue(key: string, text: string): object {
  return { key, value: { stringValue: text } };
}

function evaluated(more: object): object {
  return {
    instance_id: 't',
    instruction: 'fix',
    history: [
      { id: 0, source: 'user', timestamp: '2026-01-01T00:00:00', action: 'message', args: { content: 'fix' } },
      {
        id: 1,
        source: 'agent',
        timestamp: '2026-01-01T00:00:01',
        action: 'run',
        args: { command: 'ls', thought: 'look' },
      },
      {
        id: 2,
        source: 'agent',
        timestamp: '2026-01-01T00:00:02',
        cause: 1,
        observation: 'run',
        content: 'a',
        extras: { metadata: { exit_code: 1 } },
      },
    ],
    ...more,
  };
}
const inputs: Readonly<Record<string, readonly unknown[]>> = {
  'OpenHands evaluation': [evaluated({ test_result: { git_patch: 'diff' } })],
  'OpenHands evaluation that failed': [evaluated({ error: 'boom' })],
  'Gemini responses': [
    {
      method: 'generateContentStream',
      response: [
        { candidates: [{ content: { role: 'model', parts: [{ text: 'he' }] } }] },
        {
          candidates: [
            {
              content: { role: 'model', parts: [{ text: 'llo' }, { functionCall: { name: 'look', args: { a: 1 } } }] },
              finishReason: 'STOP',
            },
          ],
          usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4 },
          modelVersion: 'm',
        },
      ],
    },
  ],
  'mini-swe-agent, version 2': [
    {
      info: { exit_status: 'Submitted' },
      trajectory_format: 'mini-swe-agent-1.1',
      messages: [
        { role: 'user', content: 'fix', extra: { timestamp: 1_767_225_600.5 } },
        {
          role: 'assistant',
          content: 'I look',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } }],
          extra: { actions: [{ command: 'ls', tool_call_id: 'c' }], timestamp: 1_767_225_601.5 },
        },
        {
          role: 'tool',
          tool_call_id: 'c',
          content: 'failed',
          extra: { raw_output: 'bad', returncode: -1, exception_info: 'timed out', timestamp: 1_767_225_602.5 },
        },
        {
          role: 'exit',
          content: 'bye',
          extra: { exit_status: 'Submitted', submission: 'diff', timestamp: 1_767_225_603.5 },
        },
      ],
    },
  ],
  'Kimi requests': [
    { type: 'metadata', protocol_version: '1.4', created_at: 1_767_225_600_000 },
    {
      type: 'llm.request',
      provider: 'kimi',
      model: 'k',
      turnStep: '0.1',
      maxTokens: 9,
      thinkingEffort: 'low',
      time: 1_767_225_601_000,
    },
    {
      type: 'llm.request',
      provider: 'kimi',
      model: 'k',
      turnStep: '0.1',
      maxTokens: 9,
      thinkingEffort: 'low',
      attempt: '2/3',
      time: 1_767_225_602_000,
    },
    { type: 'context.apply_compaction', time: 1_767_225_603_000, summary: 'short' },
    {
      type: 'permission.record_approval_result',
      time: 1_767_225_604_000,
      toolName: 'Bash',
      action: 'once',
      result: { decision: 'reject' },
    },
  ],
  'response spans of OpenAI Agents': [
    {
      object: 'trace.span',
      id: 'b',
      trace_id: 'trace_1',
      parent_id: null,
      started_at: '2026-01-01T00:00:01Z',
      ended_at: '2026-01-01T00:00:02Z',
      span_data: { type: 'response', response_id: 'r', usage: { input_tokens: 3, output_tokens: 4 } },
      span_data_input: [{ role: 'user', content: 'go' }],
      error: { message: 'slow', data: { code: 1 } },
    },
  ],
  'events and links of OTLP': [
    {
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  traceId: trace,
                  spanId: '0000000000000001',
                  name: 'first',
                  startTimeUnixNano: '1767225600000000000',
                  endTimeUnixNano: '1767225601000000000',
                  status: { code: 2, message: 'broken' },
                  events: [
                    {
                      name: 'exception',
                      timeUnixNano: '1767225600500000000',
                      attributes: [stringValue('exception.type', 'E'), stringValue('exception.message', 'm')],
                    },
                  ],
                },
                {
                  traceId: trace,
                  spanId: '0000000000000002',
                  parentSpanId: '0000000000000001',
                  name: 'second',
                  startTimeUnixNano: '1767225600200000000',
                  endTimeUnixNano: '1767225600300000000',
                  attributes: [stringValue('k', 'v')],
                  links: [{ traceId: trace, spanId: '0000000000000001', attributes: [] }],
                },
              ],
            },
          ],
        },
      ],
    },
    {
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                {
                  traceId: trace,
                  spanId: '0000000000000002',
                  timeUnixNano: '1767225600250000000',
                  severityText: 'WARN',
                  eventName: 'careful',
                  body: { stringValue: 'watch' },
                },
              ],
            },
          ],
        },
      ],
    },
  ],
};

const expected: Readonly<Record<string, readonly string[]>> = {
  'OpenHands evaluation': [
    'input.received 00Z <caused_by~run-of-session run {"name":"prompt","value":"fix"}',
    'model_call.completed 01Z <consumed~context-since-call 0 {"operation":"chat","output_messages":[{"role":"assistant","parts":[{"type":"text","content":"look"},{"type":"tool_call","name":"run","arguments":{"command":"ls","thought":"look"}}]}]}',
    'decision.made 01Z <consumed model:1 {"chosen":[{"tool":"run"}],"rule":"decision-from-tool-use"}',
    'tool_call.dispatched 01Z <selected_by decision:1 {"tool":"run","args":{"command":"ls","thought":"look"},"effect":"external","effect_rule":"tool-effects","action":"run"}',
    'tool_call.completed 02Z <result_of call:1 {"tool":"run","call_id":"1","result":"a","observation":"run","exit_code":1,"extras":{"metadata":{"exit_code":1}}}',
    'run.started - {"program":{"name":"OpenHands"},"input":"fix","task":{"id":"t"},"envelope":{"instance_id":"t"}}',
    'run.completed - <caused_by~run-of-session run <caused_by~end-of-session result:1 {"evaluation":{"git_patch":"diff"}}',
    'signal.awaited - <caused_by~next-prompt model:1 {"name":"prompt"}',
    'signal.cancelled - <result_of~next-prompt next-prompt {"name":"prompt"}',
  ],
  'OpenHands evaluation that failed': [
    'input.received 00Z <caused_by~run-of-session run {"name":"prompt","value":"fix"}',
    'model_call.completed 01Z <consumed~context-since-call 0 {"operation":"chat","output_messages":[{"role":"assistant","parts":[{"type":"text","content":"look"},{"type":"tool_call","name":"run","arguments":{"command":"ls","thought":"look"}}]}]}',
    'decision.made 01Z <consumed model:1 {"chosen":[{"tool":"run"}],"rule":"decision-from-tool-use"}',
    'tool_call.dispatched 01Z <selected_by decision:1 {"tool":"run","args":{"command":"ls","thought":"look"},"effect":"external","effect_rule":"tool-effects","action":"run"}',
    'tool_call.completed 02Z <result_of call:1 {"tool":"run","call_id":"1","result":"a","observation":"run","exit_code":1,"extras":{"metadata":{"exit_code":1}}}',
    'run.started - {"program":{"name":"OpenHands"},"input":"fix","task":{"id":"t"},"envelope":{"instance_id":"t","error":"boom"}}',
    'run.failed - <caused_by~run-of-session run <caused_by~end-of-session result:1 {"error":{"name":"error","message":"boom"}}',
    'signal.awaited - <caused_by~next-prompt model:1 {"name":"prompt"}',
    'signal.cancelled - <result_of~next-prompt next-prompt {"name":"prompt"}',
  ],
  'Gemini responses': [
    'run.started - {"program":{"name":"Gemini CLI"}}',
    'model_call.completed - <caused_by~run-of-session run {"operation":"generateContentStream","usage":{"promptTokenCount":3,"candidatesTokenCount":4,"input_tokens":3,"output_tokens":4},"response_model":"m","finish_reasons":["STOP"],"output_messages":[{"role":"assistant","parts":[{"type":"text","content":"hello"},{"type":"tool_call","name":"look","arguments":{"a":1}}]}]}',
    'decision.made - <consumed model:746428c7959add98#1 {"chosen":[{"tool":"look"}],"rule":"decision-from-tool-use"}',
    'tool_call.dispatched - <selected_by decision:746428c7959add98#1 {"tool":"look","args":{"a":1}}',
  ],
  'mini-swe-agent, version 2': [
    'run.started - {"program":{"name":"mini-swe-agent"},"envelope":{"exit_status":"Submitted"}}',
    'input.received 00.500Z <caused_by~run-of-session run {"name":"prompt","value":"fix"}',
    'model_call.completed 01.500Z <consumed~context-since-call e1878b23aff7a820 {"operation":"chat","output_messages":[{"role":"assistant","parts":[{"type":"text","content":"I look"},{"type":"tool_call","id":"c","name":"bash","arguments":{"command":"ls"}}]}]}',
    'decision.made 01.500Z <consumed model:c {"chosen":[{"tool":"bash","call_id":"c"}],"rule":"decision-from-tool-use"}',
    'tool_call.dispatched 01.500Z <selected_by decision:c {"tool":"bash","call_id":"c","args":{"command":"ls"},"effect":"external","effect_rule":"tool-effects"}',
    'tool_call.failed 02.500Z <result_of call:c {"tool":"bash","call_id":"c","error":{"name":"ExecutionError","message":"timed out","data":"failed"},"exit_code":-1,"raw_output":"bad"}',
    'message.sent 03.500Z <caused_by~run-of-session run {"from":"mini-swe-agent","to":"main","role":"exit","content":"bye"}',
    'run.completed 03.500Z <caused_by~run-of-session run <caused_by~end-of-session a71ebcc2d8f8fa39 {"result":"diff"}',
  ],
  'Kimi requests': [
    'run.started 00.000Z {"program":{"name":"Kimi Code"},"envelope":{"protocol_version":"1.4","created_at":1767225600000}}',
    'model_call.requested 01.000Z <caused_by~run-of-session run {"operation":"chat","provider":"kimi","request_model":"k","parameters":{"max_tokens":9,"thinking":"low"},"attempts":2}',
    'model_call.failed 02.000Z <caused_by~run-of-session run {"operation":"chat","error":{"name":"not recorded","message":"Attempt 1 was followed by attempt 2."},"rule":"next-attempt","attempt":1}',
    'history.compacted 03.000Z <caused_by~run-of-session run {"summary":{"summary":"short"}}',
    'approval.denied 04.000Z <caused_by~run-of-session run {"name":"Bash","granted":false,"reason":"once","value":{"decision":"reject"}}',
  ],
  'response spans of OpenAI Agents': [
    'run.started 01Z {}',
    'run.failed 02Z <consumed~outcome-of-root b {"error":{"name":"Error","message":"slow"}}',
    'model_call.requested 01Z <caused_by~run-of-trace run {"operation":"chat","input_messages":[{"role":"user","parts":[{"type":"text","content":"go"}]}]}',
    'model_call.failed 02Z <result_of b:start {"operation":"chat","response_id":"r","usage":{"input_tokens":3,"output_tokens":4},"error":{"name":"Error","message":"slow","data":{"code":1}}}',
    'env.read - <caused_by~request-goes-on run {"name":"conversations","value":{"talks":[{"key":"b","after":[],"told":[],"unrun":[],"prompts":0}],"ends":true}}',
    'env.read - <caused_by~opening-of-first-request run {"name":"opening","value":[{"said":"user","text":"go"}]}',
    'env.read - <caused_by~outcome-of-run run {"name":"outcome","value":{"failed":{"name":"Error","message":"slow"}}}',
  ],
  'events and links of OTLP': [
    'run.started 00.000000000Z {}',
    'run.failed 01.000000000Z <caused_by~end-of-root 0000000000000001:end {}',
    'step.started 00.000000000Z <caused_by~run-of-trace run {"name":"first"}',
    'step.completed 01.000000000Z <result_of 0000000000000001 {"name":"first","error":{"name":"E","message":"m","data":{"exception.type":"E","exception.message":"m"}}}',
    'step.started 00.200000000Z <caused_by 0000000000000001 {"name":"second"}',
    'step.completed 00.300000000Z <result_of 0000000000000002 {"name":"second"}',
    'otlp.log 00.250000000Z <caused_by 0000000000000002 {"name":"careful","severity":"WARN","body":"watch"}',
  ],
};

describe('mappings of rarer records', () => {
  it.each(Object.keys(inputs))('of %s', async (name) => {
    expect(toWholeStory(await openLines(inputs[name] ?? []))).toEqual(expected[name]);
  });
});
