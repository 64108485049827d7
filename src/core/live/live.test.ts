/** Requests and answers against a server that speaks both interfaces and answers by a small program, never by a stored body. */
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerModelRequest } from './testing/model-server.ts';
import { readAnswer, refusalToText } from './answer.ts';
import { answerToCall, textToValue, usageToCost } from './record.ts';
import {
  type LiveEndpoint,
  type LiveMessage,
  argsToMessages,
  createLiveRequest,
  endpointToProblem,
  liveApis,
} from './request.ts';

let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString('utf8')));
    request.on('end', () => {
      const answer = answerModelRequest({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Cast: a server that listens on a port has one.
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});

afterAll(() => server.close());

function endpointOf(api: LiveEndpoint['api']): LiveEndpoint {
  return { api, base, model: 'echo-1', maxTokens: 200, temperature: 0 };
}

async function ask(api: LiveEndpoint['api'], messages: readonly LiveMessage[], key = 'k-1'): Promise<Response> {
  const { url, headers, body } = createLiveRequest(endpointOf(api), messages, key);
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

const messages: readonly LiveMessage[] = [
  { role: 'system', content: 'Count the words.' },
  { role: 'user', content: 'one two three' },
];

describe.each(liveApis)('%s', (api) => {
  it('is asked and answers: text, model, usage and why it ended', async () => {
    const response = await ask(api, messages);
    const answer = readAnswer(api, await response.text());
    expect(answer).toMatchObject({
      ok: true,
      value: {
        text: expect.stringContaining('"words": 3'),
        model: 'echo-1-2026-01-01',
        usage: { input_tokens: 6, output_tokens: expect.any(Number) },
        finish: api === 'messages' ? 'end_turn' : 'stop',
      },
    });
  });

  it('refuses without its key and says why; a body that is none of it is an error', async () => {
    const response = await ask(api, messages, 'wrong');
    expect(response.status).toBe(401);
    expect(refusalToText(await response.text())).toBe('The key is not known.');
    for (const body of ['', '[]', '{}', '{"choices":[]}', '{"content":[{"type":"image"}]}'])
      expect(readAnswer(api, body).ok).toBe(false);
  });

  it('is recorded with parameters, usage and price, and never with the key', async () => {
    const answer = readAnswer(api, await (await ask(api, messages)).text());
    if (!answer.ok) throw new Error(answer.error);
    const prices = { input: 2, output: 10, currency: 'USD' };
    const call = answerToCall({ endpoint: endpointOf(api), messages, answer: answer.value, prices });
    expect(call).toMatchObject({
      provider: base.replace('/v1', ''),
      request_model: 'echo-1',
      parameters: { max_tokens: 200, temperature: 0 },
      usage: { input_tokens: 6 },
      cost: { currency: 'USD' },
    });
    expect(JSON.stringify(call)).not.toContain('k-1');
    const { output_tokens: out = 0 } = answer.value.usage;
    expect(usageToCost(answer.value.usage, prices)?.amount).toBeCloseTo((6 * 2 + out * 10) / 1e6, 12);
    expect(usageToCost(answer.value.usage, undefined)).toBeUndefined();
    expect(usageToCost({}, prices)).toBeUndefined();
  });
});

describe('what is asked', () => {
  it.each([
    [{ messages: [{ role: 'user', content: 'hi' }] }, [{ role: 'user', content: 'hi' }]],
    [
      {
        system: 's',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
          },
        ],
      },
      [
        { role: 'system', content: 's' },
        { role: 'user', content: 'a\nb' },
      ],
    ],
    ['plain', [{ role: 'user', content: 'plain' }]],
    [{ ask: 'x' }, [{ role: 'user', content: '{\n  "ask": "x"\n}' }]],
    [{ messages: [{ role: 'tool', content: 'x' }] }, [{ role: 'user', content: expect.stringContaining('"tool"') }]],
    [undefined, [{ role: 'user', content: '' }]],
    [{ n: { $num: '9007199254740993' } }, [{ role: 'user', content: '{"n":9007199254740993}' }]],
  ])('of %j', (args, expected) => {
    expect(argsToMessages(args)).toEqual(expected);
  });

  it.each([
    [{ base: 'ftp://a' }, 'must begin with https://'],
    [{ base: 'http://a.example' }, 'Without https'],
    [{ base: 'http://localhost.evil.example' }, 'Without https'],
    [{ model: ' ' }, 'name of a model'],
    [{ maxTokens: 0 }, 'whole number'],
  ])('is refused of %j', (more, sentence) => {
    expect(endpointToProblem({ ...endpointOf('messages'), ...more })).toContain(sentence);
  });

  it('is fine on this machine and by https', () => {
    expect(endpointToProblem(endpointOf('messages'))).toBeUndefined();
    expect(endpointToProblem({ ...endpointOf('messages'), base: 'https://api.example/v1/' })).toBeUndefined();
  });
});

describe('the value control code receives', () => {
  it.each([
    ['{"a":1}', { a: 0 }, { a: 1 }],
    ['Here:\n```json\n{"a":1}\n```', { a: 0 }, { a: 1 }],
    ['no object', { text: 'x' }, { text: 'no object' }],
    ['{"a":1}', 'text', '{"a":1}'],
    ['{"a":1}', undefined, { a: 1 }],
    ['plain', undefined, 'plain'],
  ])('of %j, used to %j', (text, seen, expected) => {
    expect(textToValue(text, seen)).toEqual(expected);
  });
});
