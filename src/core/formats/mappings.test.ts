/**
 * What small records of many formats become, whole: every event with its time, its causes and its data. A member that goes astray, a
 * condition turned around or a name misread shows here, where a test of one property passes by.
 */
import { describe, expect, it } from 'vitest';
import { openLines, toWholeStory } from './testing/platforms.ts';

function at(second: number): string {
  return `2026-01-01T00:00:0${second}.000Z`;
}

const inputs: Readonly<Record<string, readonly unknown[]>> = {
  codex: [
    {
      timestamp: at(0),
      type: 'session_meta',
      payload: { id: 's', timestamp: at(0), cwd: '/w', cli_version: '1.2', model_provider: 'openai' },
    },
    { timestamp: at(1), type: 'turn_context', payload: { model: 'm', effort: 'high' } },
    {
      timestamp: at(2),
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: '<environment_context>x' }] },
    },
    {
      timestamp: at(3),
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
    },
    {
      timestamp: at(4),
      type: 'response_item',
      payload: { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
    },
    {
      timestamp: at(4),
      type: 'response_item',
      payload: { type: 'function_call', name: 'shell', call_id: 'c1', arguments: '{"command":["ls"]}' },
    },
    {
      timestamp: at(5),
      type: 'response_item',
      payload: { type: 'function_call_output', call_id: 'c1', output: '{"output":"a","metadata":{"exit_code":2}}' },
    },
    {
      timestamp: at(6),
      type: 'event_msg',
      payload: {
        type: 'token_count',
        info: {
          last_token_usage: { input_tokens: 7, output_tokens: 2, total_tokens: 9 },
          total_token_usage: { input_tokens: 7, output_tokens: 2, total_tokens: 9 },
        },
      },
    },
    {
      timestamp: at(7),
      type: 'response_item',
      payload: { type: 'web_search_call', id: 'w1', status: 'completed', action: { type: 'search', query: 'q' } },
    },
    {
      timestamp: at(8),
      type: 'response_item',
      payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] },
    },
  ],
  gemini: [
    { sessionId: 's', projectHash: 'h', startTime: at(0) },
    { id: 'x', type: 'user', timestamp: at(1), content: '<session_context>here' },
    { id: 'u', type: 'user', timestamp: at(2), content: 'go' },
    {
      id: 'g',
      type: 'gemini',
      timestamp: at(3),
      content: 'I try',
      model: 'm',
      thoughts: [{ subject: 'Plan', description: 'look' }],
      tokens: { input: 4, output: 2 },
      toolCalls: [
        {
          id: 'c',
          name: 'read_file',
          args: { path: 'a' },
          status: 'success',
          timestamp: at(4),
          result: [{ functionResponse: { response: { output: 'text' } } }],
        },
        { id: 'd', name: 'write_file', args: {}, status: 'cancelled' },
      ],
    },
  ],
  droid: [
    { type: 'system', session_id: 's', id: 'i', timestamp: at(0), model: 'm', cwd: '/w' },
    { type: 'message', session_id: 's', id: 'a', role: 'user', text: 'go', timestamp: at(1) },
    { type: 'message', session_id: 's', id: 'b', role: 'assistant', text: 'I look', timestamp: at(2) },
    {
      type: 'tool_call',
      session_id: 's',
      id: 'c',
      toolCallId: 't',
      toolName: 'Read',
      parameters: { path: 'a' },
      timestamp: at(3),
    },
    {
      type: 'tool_result',
      session_id: 's',
      id: 'd',
      toolCallId: 't',
      isError: true,
      error: { message: 'gone' },
      timestamp: at(4),
    },
    { type: 'completion', session_id: 's', id: 'e', finalText: 'no', timestamp: at(5) },
  ],
  copilot: [
    {
      type: 'session.start',
      id: 'a',
      parentId: null,
      timestamp: at(0),
      data: { sessionId: 's', copilotVersion: '1', startTime: at(0) },
    },
    { type: 'session.model_change', id: 'm', parentId: 'a', timestamp: at(0), data: { newModel: 'm' } },
    { type: 'user.message', id: 'b', parentId: 'm', timestamp: at(1), data: { content: 'go' } },
    {
      type: 'assistant.message',
      id: 'c',
      parentId: 'b',
      timestamp: at(2),
      data: {
        messageId: 'x',
        content: 'I look',
        reasoningText: 'hm',
        model: 'm',
        outputTokens: 5,
        toolRequests: [{ toolCallId: 't', name: 'bash', arguments: { command: 'ls' } }],
      },
    },
    {
      type: 'tool.execution_start',
      id: 'd',
      parentId: 'c',
      timestamp: at(3),
      data: { toolCallId: 't', toolName: 'bash', arguments: { command: 'ls' } },
    },
    {
      type: 'tool.execution_complete',
      id: 'e',
      parentId: 'd',
      timestamp: at(4),
      data: { toolCallId: 't', success: false, error: { code: 'denied', message: 'not allowed' } },
    },
    {
      type: 'session.error',
      id: 'f',
      parentId: 'e',
      timestamp: at(5),
      data: { errorType: 'rate_limit', message: 'slow down', statusCode: 429 },
    },
  ],
  kimi: [
    { type: 'metadata', protocol_version: '1.4', created_at: 1_767_225_600_000 },
    { type: 'context.append_loop_event', time: 1_767_225_601_000, event: { type: 'step.begin', turnId: '0', step: 1 } },
    {
      type: 'context.append_loop_event',
      time: 1_767_225_602_000,
      event: { type: 'content.part', turnId: '0', step: 1, uuid: 'p', part: { type: 'text', text: 'I look' } },
    },
    {
      type: 'context.append_loop_event',
      time: 1_767_225_603_000,
      event: { type: 'tool.call', turnId: '0', step: 1, toolCallId: 't', name: 'Bash', args: { command: 'ls' } },
    },
    {
      type: 'context.append_loop_event',
      time: 1_767_225_604_000,
      event: {
        type: 'step.end',
        turnId: '0',
        step: 1,
        finishReason: 'tool_use',
        messageId: 'r',
        usage: { inputOther: 3, output: 4, inputCacheRead: 5, inputCacheCreation: 6 },
      },
    },
    {
      type: 'context.append_loop_event',
      time: 1_767_225_605_000,
      event: { type: 'tool.result', turnId: '0', step: 1, toolCallId: 't', result: { output: 'a', isError: false } },
    },
  ],
  openhands: [
    {
      id: 'u',
      kind: 'MessageEvent',
      timestamp: '2026-01-01T00:00:00.5',
      source: 'user',
      llm_message: { role: 'user', content: [{ type: 'text', text: 'go' }] },
    },
    {
      id: 'a1',
      kind: 'ActionEvent',
      timestamp: '2026-01-01T00:00:01.5',
      source: 'agent',
      llm_response_id: 'r',
      tool_name: 'terminal',
      tool_call_id: 't1',
      tool_call: { id: 't1', name: 'terminal', arguments: '{"command":"x"}' },
      action: { command: 'x', kind: 'TerminalAction' },
      thought: [{ type: 'text', text: 'I run' }],
    },
    {
      id: 'o1',
      kind: 'ObservationEvent',
      timestamp: '2026-01-01T00:00:02.5',
      source: 'environment',
      action_id: 'a1',
      tool_call_id: 't1',
      tool_name: 'terminal',
      observation: { content: 'fine' },
    },
  ],
  'swe-agent': [
    {
      environment: 'e',
      trajectory: [
        { action: 'ls\n', observation: 'a.txt', response: 'look\nls', thought: 'look', state: '{"cwd":"/"}' },
      ],
      history: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'demo', is_demo: true },
        { role: 'user', content: 'issue' },
      ],
      info: {
        exit_status: 'submitted',
        submission: 'diff',
        swe_agent_version: '1.0',
        model_stats: { instance_cost: 0.1 },
      },
    },
  ],
  'mini-swe-agent': [
    {
      info: { exit_status: 'Submitted', submission: 'diff', model_stats: { instance_cost: 0.2 } },
      trajectory_format: 'mini-swe-agent-1.1',
      messages: [
        { role: 'system', content: 'You run commands.' },
        { role: 'user', content: 'fix' },
        {
          role: 'assistant',
          content: 'I look\n```bash\nls\n```',
          extra: {
            response: {
              id: 'r',
              model: 'm',
              choices: [{ message: { role: 'assistant', content: 'I look\n```bash\nls\n```' } }],
              usage: { prompt_tokens: 3, completion_tokens: 4 },
            },
          },
        },
        { role: 'user', content: '<returncode>0</returncode>\n<output>a</output>' },
      ],
    },
  ],
  opencode: [
    {
      info: { id: 'ses_1', projectID: 'pr', title: 't', time: { created: 1_767_225_600_000 } },
      messages: [
        {
          info: { id: 'u', role: 'user', sessionID: 'ses_1', time: { created: 1_767_225_601_000 } },
          parts: [{ id: 'p0', type: 'text', text: 'go', messageID: 'u', sessionID: 'ses_1' }],
        },
        {
          info: {
            id: 'a',
            role: 'assistant',
            sessionID: 'ses_1',
            modelID: 'm',
            providerID: 'p',
            cost: 0.25,
            tokens: { input: 3, output: 5, cache: { read: 7, write: 0 } },
            time: { created: 1_767_225_602_000, completed: 1_767_225_603_000 },
          },
          parts: [
            { id: 'p1', type: 'reasoning', text: 'hm', messageID: 'a', sessionID: 'ses_1' },
            {
              id: 'p2',
              type: 'tool',
              callID: 'c',
              tool: 'bash',
              messageID: 'a',
              sessionID: 'ses_1',
              state: {
                status: 'completed',
                input: { command: 'ls' },
                output: 'a',
                time: { start: 1_767_225_602_500, end: 1_767_225_602_900 },
              },
            },
          ],
        },
      ],
    },
  ],
  zipkin: [
    [
      {
        traceId: '0123456789abcdef0123456789abcdef',
        id: '0000000000000001',
        name: 'get',
        kind: 'CLIENT',
        timestamp: 1_767_225_600_000_000,
        duration: 1_500_000,
        localEndpoint: { serviceName: 'a' },
        tags: { k: 'v' },
      },
    ],
  ],
  otlp: [
    {
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'svc' } }] },
          scopeSpans: [
            {
              scope: { name: 'sc', version: '1' },
              spans: [
                {
                  traceId: '0123456789abcdef0123456789abcdef',
                  spanId: '0000000000000001',
                  name: 'chat m',
                  kind: 3,
                  startTimeUnixNano: '1767225600000000000',
                  endTimeUnixNano: '1767225601000000000',
                  status: {},
                  attributes: [
                    { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
                    { key: 'gen_ai.request.model', value: { stringValue: 'm' } },
                    { key: 'gen_ai.request.temperature', value: { doubleValue: 0.5 } },
                    { key: 'gen_ai.usage.input_tokens', value: { intValue: '3' } },
                    { key: 'gen_ai.usage.output_tokens', value: { intValue: '4' } },
                    { key: 'gen_ai.response.id', value: { stringValue: 'r' } },
                    {
                      key: 'gen_ai.response.finish_reasons',
                      value: { arrayValue: { values: [{ stringValue: 'stop' }] } },
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
  'otel console': [
    {
      resource: { attributes: { 'service.name': 'js' } },
      instrumentationScope: { name: 'ai' },
      traceId: '0123456789abcdef0123456789abcdef',
      name: 'ai.toolCall',
      id: '0000000000000001',
      kind: 0,
      timestamp: 1_767_225_600_000_000,
      duration: 1_500_000,
      attributes: {
        'ai.operationId': 'ai.toolCall',
        'ai.toolCall.name': 't',
        'ai.toolCall.id': 'c',
        'ai.toolCall.args': '{"x":1}',
        'ai.toolCall.result': '{"y":2}',
      },
      status: { code: 0 },
      events: [],
      links: [],
    },
  ],
  'openai-agents': [
    { object: 'trace', id: 'trace_1', workflow_name: 'Travel', group_id: 'g', metadata: { k: 'v' } },
    {
      object: 'trace.span',
      id: 'a',
      trace_id: 'trace_1',
      parent_id: null,
      started_at: '2026-01-01T00:00:00Z',
      ended_at: '2026-01-01T00:00:05Z',
      span_data: { type: 'agent', name: 'Guide', tools: ['look'] },
      error: null,
    },
    {
      object: 'trace.span',
      id: 'b',
      trace_id: 'trace_1',
      parent_id: 'a',
      started_at: '2026-01-01T00:00:01Z',
      ended_at: '2026-01-01T00:00:02Z',
      span_data: {
        type: 'generation',
        model: 'm',
        model_config: { temperature: 0 },
        input: [{ role: 'user', content: 'go' }],
        output: [{ role: 'assistant', content: 'yes' }],
        usage: { input_tokens: 3, output_tokens: 4 },
      },
      error: null,
    },
  ],
  langsmith: [
    {
      id: '1efb27a4-5264-6908-9ab5-23fc3c60ae2d',
      name: 'ChatModel',
      run_type: 'llm',
      start_time: '2026-01-01T00:00:00.000000',
      end_time: '2026-01-01T00:00:01.000000',
      trace_id: '1efb27a4-5264-6908-9ab5-23fc3c60ae2d',
      dotted_order: '20260101T000000000000Z1efb27a4-5264-6908-9ab5-23fc3c60ae2d',
      inputs: { messages: [[{ lc: 1, type: 'constructor', id: ['HumanMessage'], kwargs: { content: 'hi' } }]] },
      outputs: {
        generations: [
          [
            {
              text: 'yo',
              message: {
                lc: 1,
                type: 'constructor',
                id: ['AIMessage'],
                kwargs: { content: 'yo', usage_metadata: { input_tokens: 3, output_tokens: 1 } },
              },
            },
          ],
        ],
      },
      extra: { invocation_params: { model: 'm', temperature: 0 } },
      tags: ['t'],
    },
  ],
};

const expected: Readonly<Record<string, readonly string[]>> = {
  codex: [
    'run.started 00.000Z {"program":{"name":"Codex","version":"1.2"},"envelope":{"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w","cli_version":"1.2","model_provider":"openai"}}',
    'codex.turn_context 01.000Z <caused_by~run-of-session run {"record":{"timestamp":"2026-01-01T00:00:01.000Z","type":"turn_context","payload":{"model":"m","effort":"high"}}}',
    'message.sent 02.000Z <caused_by~run-of-session run {"from":"codex","to":"main","role":"user","content":[{"type":"input_text","text":"<environment_context>x"}]}',
    'input.received 03.000Z <caused_by~run-of-session run {"name":"prompt","value":[{"type":"input_text","text":"go"}]}',
    'model_call.completed 04.000Z <consumed~context-since-call ec9eb51c3659b522 <consumed~context-since-call 8320d03b2fa5bc98 {"operation":"chat","request_model":"m","parameters":{"reasoning_effort":"high"},"usage":{"input_tokens":7,"output_tokens":2,"total_tokens":9,"session_total":{"input_tokens":7,"output_tokens":2,"total_tokens":9}},"output_messages":[{"role":"assistant","parts":[{"type":"reasoning","content":"hm"},{"type":"tool_call","id":"c1","name":"shell","arguments":{"command":["ls"]},"item_id":"c1"}]}]}',
    'decision.made 04.000Z <consumed model:c1 {"chosen":[{"tool":"shell","call_id":"c1"}],"rule":"decision-from-tool-use"}',
    'tool_call.dispatched 04.000Z <selected_by~items-of-answer decision:c1 {"tool":"shell","call_id":"c1","args":{"command":["ls"]},"effect":"external","effect_rule":"tool-effects"}',
    'tool_call.completed 05.000Z <result_of call:c1 {"tool":"shell","call_id":"c1","result":"{\\"output\\":\\"a\\",\\"metadata\\":{\\"exit_code\\":2}}","exit_code":2}',
    'tool_call.acknowledged 07.000Z <result_of call:w1 {"tool":"web_search","call_id":"w1","where":"provider"}',
    'model_call.completed 07.000Z <consumed~context-since-call result:c1 {"operation":"chat","request_model":"m","parameters":{"reasoning_effort":"high"},"output_messages":[{"role":"assistant","parts":[{"type":"tool_call","id":"w1","name":"web_search","arguments":{"type":"search","query":"q"},"status":"completed","action":{"type":"search","query":"q"}},{"type":"text","content":"done"}]}]}',
    'decision.made 07.000Z <consumed model:w1 {"chosen":[{"tool":"web_search","call_id":"w1"}],"rule":"decision-from-tool-use"}',
    'tool_call.dispatched 07.000Z <selected_by decision:w1 {"tool":"web_search","call_id":"w1","args":{"type":"search","query":"q"},"effect":"none","effect_rule":"tool-effects"}',
  ],
  gemini: [
    'run.started 00.000Z {"program":{"name":"Gemini CLI"},"envelope":{"sessionId":"s","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z"}}',
    'message.sent 01.000Z <caused_by~run-of-session run {"from":"gemini-cli","to":"main","role":"user","content":"<session_context>here"}',
    'input.received 02.000Z <caused_by~run-of-session run {"name":"prompt","value":"go"}',
    'model_call.completed 03.000Z <consumed~context-since-call x <consumed~context-since-call u {"operation":"chat","response_model":"m","usage":{"input":4,"output":2,"input_tokens":4,"output_tokens":2},"output_messages":[{"role":"assistant","parts":[{"type":"reasoning","content":"Plan\\nlook"},{"type":"text","content":"I try"},{"type":"tool_call","id":"c","name":"read_file","arguments":{"path":"a"}},{"type":"tool_call","id":"d","name":"write_file","arguments":{}}]}]}',
    'decision.made 03.000Z <consumed model:g {"chosen":[{"tool":"read_file","call_id":"c"},{"tool":"write_file","call_id":"d"}],"rule":"decision-from-tool-use"}',
    'tool_call.dispatched 03.000Z <selected_by decision:g {"tool":"read_file","call_id":"c","args":{"path":"a"},"effect":"none","effect_rule":"tool-effects"}',
    'tool_call.completed 04.000Z <result_of call:c {"tool":"read_file","call_id":"c","result":{"output":"text"},"timestamp":"2026-01-01T00:00:04.000Z","status":"success"}',
    'tool_call.dispatched 03.000Z <selected_by decision:g {"tool":"write_file","call_id":"d","args":{},"effect":"external","effect_rule":"tool-effects"}',
    'tool_call.cancelled 03.000Z <result_of call:d {"tool":"write_file","call_id":"d","response":null,"status":"cancelled"}',
  ],
  droid: [
    'run.started 00.000Z {"program":{"name":"Droid"},"envelope":{"model":"m","cwd":"/w"}}',
    'input.received 01.000Z <caused_by~run-of-session run {"name":"prompt","value":"go"}',
    'model_call.completed 02.000Z <consumed~context-since-call a {"operation":"chat","output_messages":[{"role":"assistant","parts":[{"type":"text","content":"I look"},{"type":"tool_call","id":"t","name":"Read","arguments":{"path":"a"}}]}]}',
    'decision.made 02.000Z <consumed model:b {"chosen":[{"tool":"Read","call_id":"t"}],"rule":"decision-from-tool-use"}',
    'tool_call.dispatched 03.000Z <selected_by~items-of-answer decision:b {"tool":"Read","call_id":"t","args":{"path":"a"},"effect":"none","effect_rule":"tool-effects"}',
    'tool_call.failed 04.000Z <result_of call:t {"tool":"Read","call_id":"t","error":{"name":"ToolError","message":"{\\"message\\":\\"gone\\"}","data":{"message":"gone"}}}',
    'run.completed 05.000Z <caused_by~run-of-session run <caused_by~end-of-session result:t {"result":"no"}',
  ],
  copilot: [
    'run.started 00.000Z {"program":{"name":"Copilot CLI"},"envelope":{"sessionId":"s","copilotVersion":"1","startTime":"2026-01-01T00:00:00.000Z"}}',
    'other_cli.copilot.session.model_change 00.000Z <caused_by run {"record":{"type":"session.model_change","id":"m","parentId":"a","timestamp":"2026-01-01T00:00:00.000Z","data":{"newModel":"m"}}}',
    'input.received 01.000Z <caused_by m {"name":"prompt","value":"go"}',
    'model_call.completed 02.000Z <caused_by b <consumed~context-since-call b {"operation":"chat","request_model":"m","response_model":"m","usage":{"output_tokens":5},"output_messages":[{"role":"assistant","parts":[{"type":"reasoning","content":"hm"},{"type":"text","content":"I look"},{"type":"tool_call","id":"t","name":"bash","arguments":{"command":"ls"}}]}]}',
    'decision.made 02.000Z <consumed model:x {"chosen":[{"tool":"bash","call_id":"t"}],"rule":"decision-from-tool-use"}',
    'tool_call.dispatched 02.000Z <selected_by decision:x {"tool":"bash","call_id":"t","args":{"command":"ls"},"effect":"external","effect_rule":"tool-effects"}',
    'tool_call.failed 04.000Z <result_of call:t <caused_by d {"tool":"bash","call_id":"t","error":{"name":"denied","message":"not allowed"}}',
    'model_call.failed 05.000Z <caused_by result:t <consumed~context-since-call result:t {"operation":"chat","request_model":"m","http_status":429,"error":{"name":"rate_limit","message":"slow down","data":{"errorType":"rate_limit","message":"slow down","statusCode":429}}}',
  ],
  kimi: [
    'run.started 00.000Z {"program":{"name":"Kimi Code"},"envelope":{"protocol_version":"1.4","created_at":1767225600000}}',
    'tool_call.dispatched 03.000Z <selected_by decision:turn 0 step 1 {"tool":"Bash","call_id":"t","args":{"command":"ls"},"effect":"external","effect_rule":"tool-effects"}',
    'model_call.completed 01.000Z <caused_by~run-of-session run {"operation":"chat","usage":{"inputOther":3,"output":4,"inputCacheRead":5,"inputCacheCreation":6,"input_tokens":3,"output_tokens":4,"cache_read_input_tokens":5,"cache_creation_input_tokens":6,"input_excludes_cache":true},"response_id":"r","finish_reasons":["tool_use"],"output_messages":[{"role":"assistant","parts":[{"type":"text","content":"I look"},{"type":"tool_call","id":"t","name":"Bash","arguments":{"command":"ls"}}]}]}',
    'decision.made 01.000Z <consumed model:turn 0 step 1 {"chosen":[{"tool":"Bash","call_id":"t"}],"rule":"decision-from-tool-use"}',
    'tool_call.completed 05.000Z <result_of call:t {"tool":"Bash","call_id":"t","result":"a"}',
  ],
  openhands: [
    'run.started 00.5Z {"program":{"name":"OpenHands"}}',
    'input.received 00.5Z <caused_by~run-of-session run {"name":"prompt","value":[{"type":"text","text":"go"}]}',
    'model_call.completed 01.5Z <consumed~context-since-call u {"operation":"chat","output_messages":[{"role":"assistant","parts":[{"type":"text","content":"I run"},{"type":"tool_call","id":"t1","name":"terminal","arguments":{"command":"x"}}]}]}',
    'decision.made 01.5Z <consumed model:r {"chosen":[{"tool":"terminal","call_id":"t1"}],"rule":"decision-from-tool-use"}',
    'tool_call.dispatched 01.5Z <selected_by decision:r {"tool":"terminal","call_id":"t1","args":{"command":"x"},"effect":"external","effect_rule":"tool-effects","action":{"command":"x","kind":"TerminalAction"}}',
    'tool_call.completed 02.5Z <result_of call:a1 {"tool":"terminal","call_id":"t1","result":"fine","observation":{}}',
  ],
  'swe-agent': [
    'message.sent - <caused_by~run-of-session run {"from":"swe-agent","to":"main","role":"system","content":"s"}',
    'artifact.used - <caused_by~run-of-session run {"name":"demonstration","value":"demo","role":"user"}',
    'input.received - <caused_by~run-of-session run {"name":"prompt","value":"issue"}',
    'model_call.completed - <consumed~context-since-call 53fdd8e38f443380 <consumed~context-since-call 208232d4ee23dec2 {"operation":"chat","output_messages":[{"role":"assistant","parts":[{"type":"text","content":"look\\nls"}]}]}',
    'decision.made - <consumed model:step:0 {"chosen":[{"tool":"ls","call_id":"step:0"}],"rule":"decision-from-tool-use"}',
    'tool_call.dispatched - <selected_by decision:step:0 {"tool":"ls","call_id":"step:0","args":{"command":"ls\\n"},"effect":"none","effect_rule":"tool-effects"}',
    'tool_call.completed - <result_of call:step:0 {"tool":"ls","call_id":"step:0","result":"a.txt"}',
    'state.transitioned - <caused_by call:step:0 {"name":"environment","value":{"cwd":"/"}}',
    'run.started - {"program":{"name":"SWE-agent","version":"1.0"},"envelope":{"environment":"e","info":{"exit_status":"submitted","swe_agent_version":"1.0","model_stats":{"instance_cost":0.1}}}}',
    'run.completed - <caused_by~run-of-session run <caused_by~end-of-session result:step:0 {"result":"diff","exit_status":"submitted"}',
  ],
  'mini-swe-agent': [
    'run.started - {"program":{"name":"mini-swe-agent"},"envelope":{"exit_status":"Submitted","submission":"diff","model_stats":{"instance_cost":0.2}}}',
    'message.sent - <caused_by~run-of-session run {"from":"mini-swe-agent","to":"main","role":"system","content":"You run commands."}',
    'input.received - <caused_by~run-of-session run {"name":"prompt","value":"fix"}',
    'model_call.completed - <consumed~context-since-call bb44e1d8f585bf04 <consumed~context-since-call 5852a1ab37d00733 {"operation":"chat","response_id":"r","response_model":"m","usage":{"prompt_tokens":3,"completion_tokens":4,"input_tokens":3,"output_tokens":4},"output_messages":[{"role":"assistant","parts":[{"type":"text","content":"I look\\n```bash\\nls\\n```"}]}]}',
    'decision.made - <consumed model:r {"chosen":[{"tool":"bash"}],"rule":"decision-from-tool-use"}',
    'tool_call.dispatched - <selected_by decision:r {"tool":"bash","args":{"command":"ls"},"effect":"external","effect_rule":"tool-effects"}',
    'tool_call.completed - <result_of~next-answer call:c90fd44171a51f05#1 {"tool":"bash","result":"<returncode>0</returncode>\\n<output>a</output>","exit_code":0}',
    'run.completed - <caused_by~run-of-session run <caused_by~end-of-session result:c90fd44171a51f05#1 {"result":"diff"}',
  ],
  opencode: [
    'run.started 00.000Z {"program":{"name":"OpenCode"},"envelope":{"id":"ses_1","projectID":"pr","title":"t","time":{"created":1767225600000}}}',
    'input.received 01.000Z <caused_by~run-of-session run {"name":"prompt","value":[{"id":"p0","type":"text","text":"go","messageID":"u","sessionID":"ses_1"}]}',
    'model_call.completed 02.000Z <consumed~context-since-call u {"operation":"chat","provider":"p","response_model":"m","usage":{"input":3,"output":5,"cache":{"read":7,"write":0},"input_tokens":3,"output_tokens":5,"cache_read_input_tokens":7,"cache_creation_input_tokens":0,"input_excludes_cache":true},"cost":{"amount":0.25,"currency":"USD"},"output_messages":[{"role":"assistant","parts":[{"type":"reasoning","content":"hm"},{"type":"tool_call","id":"c","name":"bash","arguments":{"command":"ls"}}]}]}',
    'decision.made 02.000Z <consumed model:a {"chosen":[{"tool":"bash","call_id":"c"}],"rule":"decision-from-tool-use"}',
    'tool_call.dispatched 02.500Z <selected_by decision:a {"tool":"bash","call_id":"c","args":{"command":"ls"},"effect":"external","effect_rule":"tool-effects"}',
    'tool_call.completed 02.900Z <result_of call:c {"tool":"bash","call_id":"c","result":"a","time":{"start":1767225602500,"end":1767225602900}}',
  ],
  zipkin: [
    'run.started 00.000000000Z {"program":{"name":"a"}}',
    'stream.declared - {"producers":[{"component":"a","resource":"3337fe06522f9a34","attributes":{"service.name":"a"}}]}',
    'run.completed 01.500000000Z <caused_by~end-of-root 0000000000000001/client:end {}',
    'step.started 00.000000000Z <caused_by~run-of-trace run {"name":"get"}',
    'step.completed 01.500000000Z <result_of 0000000000000001/client {"name":"get"}',
  ],
  otlp: [
    'run.started 00.000000000Z {"program":{"name":"svc"}}',
    'stream.declared - {"producers":[{"component":"svc","resource":"a9ca334f56101567","attributes":{"service.name":"svc"}}]}',
    'run.completed 01.000000000Z <caused_by~end-of-root 0000000000000001:end {}',
    'model_call.requested 00.000000000Z <caused_by~run-of-trace run {"operation":"chat","request_model":"m","parameters":{"temperature":0.5}}',
    'model_call.completed 01.000000000Z <result_of 0000000000000001 {"operation":"chat","request_model":"m","response_id":"r","usage":{"input_tokens":3,"output_tokens":4},"finish_reasons":["stop"]}',
  ],
  'otel console': [
    'run.started 00.000000000Z {"program":{"name":"js"}}',
    'stream.declared - {"producers":[{"component":"js","resource":"31be255f2265b74c","attributes":{"service.name":"js"}}]}',
    'run.completed 01.500000000Z <caused_by~end-of-root 0000000000000001:end {}',
    'tool_call.dispatched 00.000000000Z <caused_by~run-of-trace run {"tool":"t","call_id":"c","args":{"x":1}}',
    'tool_call.completed 01.500000000Z <result_of 0000000000000001 {"tool":"t","call_id":"c","result":{"y":2}}',
  ],
  'openai-agents': [
    'run.started 00Z {"program":{"name":"Travel"}}',
    'run.completed 05Z <consumed~outcome-of-root a {}',
    'agent.spawned 00Z <caused_by~run-of-trace run {"name":"Guide","to":"Guide","child":{"scope":""}}',
    'agent.joined 05Z <result_of a:start <consumed~nested-outcome b {"from":"Guide"}',
    'model_call.requested 01Z <caused_by a:start {"operation":"chat","request_model":"m","parameters":{"temperature":0},"input_messages":[{"role":"user","parts":[{"type":"text","content":"go"}]}]}',
    'model_call.completed 02Z <result_of b:start {"operation":"chat","request_model":"m","output_messages":[{"role":"assistant","parts":[{"type":"text","content":"yes"}]}],"usage":{"input_tokens":3,"output_tokens":4},"response":[{"role":"assistant","content":"yes"}]}',
    'env.read - <caused_by~request-goes-on run {"name":"conversations","value":{"talks":[{"key":"b","after":[],"told":[],"unrun":[],"prompts":0}],"ends":false}}',
    'env.read - <caused_by~opening-of-first-request run {"name":"opening","value":[{"said":"user","text":"go"}]}',
  ],
  langsmith: [
    'run.started 00.000000Z {"program":{"name":"ChatModel"},"input":{"messages":[[{"lc":1,"type":"constructor","id":["HumanMessage"],"kwargs":{"content":"hi"}}]]}}',
    'run.completed 01.000000Z <consumed~outcome-of-root 1efb27a4-5264-6908-9ab5-23fc3c60ae2d {"result":{"generations":[[{"text":"yo","message":{"lc":1,"type":"constructor","id":["AIMessage"],"kwargs":{"content":"yo","usage_metadata":{"input_tokens":3,"output_tokens":1}}}}]]}}',
    'model_call.requested 00.000000Z <caused_by~run-of-trace run {"operation":"chat","request_model":"m","parameters":{"temperature":0},"input_messages":[{"role":"user","parts":[{"type":"text","content":"hi"}]}]}',
    'model_call.completed 01.000000Z <result_of 1efb27a4-5264-6908-9ab5-23fc3c60ae2d:start {"operation":"chat","request_model":"m","output_messages":[{"role":"assistant","parts":[{"type":"text","content":"yo"}],"usage_metadata":{"input_tokens":3,"output_tokens":1}}],"usage":{"input_tokens":3,"output_tokens":1},"response":{"generations":[[{"text":"yo","message":{"lc":1,"type":"constructor","id":["AIMessage"],"kwargs":{"content":"yo","usage_metadata":{"input_tokens":3,"output_tokens":1}}}}]]}}',
    'env.read - <caused_by~request-goes-on run {"name":"conversations","value":{"talks":[{"key":"1efb27a4-5264-6908-9ab5-23fc3c60ae2d","after":[],"told":[],"unrun":[],"prompts":0}],"ends":true}}',
    'env.read - <caused_by~opening-of-first-request run {"name":"opening","value":[{"said":"user","text":"hi"}]}',
    'env.read - <caused_by~outcome-of-run run {"name":"outcome","value":{"result":{"generations":[[{"text":"yo","message":{"lc":1,"type":"constructor","id":["AIMessage"],"kwargs":{"content":"yo","usage_metadata":{"input_tokens":3,"output_tokens":1}}}}]]}}}',
  ],
};

describe('mappings', () => {
  it.each(Object.keys(inputs))('of %s', async (name) => {
    expect(toWholeStory(await openLines(inputs[name] ?? []))).toEqual(expected[name]);
  });
});
