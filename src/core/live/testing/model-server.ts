/**
 * A model for tests: speaks both interfaces, wants a key, and answers by computing on what it was asked (it counts words), with usage counted
 * the same way. Used by unit tests and by end-to-end tests behind a server of their own.
 */

export interface ModelRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface ModelAnswer {
  readonly status: number;
  readonly body: string;
}

interface Asked {
  readonly model: string;
  readonly system?: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

export function answerModelRequest({ path, headers, body }: ModelRequest): ModelAnswer {
  const isMessages = path.endsWith('/messages');
  const key = isMessages ? headers['x-api-key'] : headers['authorization'];
  if (key !== (isMessages ? 'k-1' : 'Bearer k-1'))
    return json(401, { error: { type: 'authentication_error', message: 'The key is not known.' } });
  if (!isMessages && !path.endsWith('/chat/completions')) return json(404, { error: { message: `No ${path} here.` } });
  // Cast: what is sent is under test; a request of another shape ends in an exception and fails the test.
  const asked = JSON.parse(body) as Asked;
  const last = asked.messages.at(-1)?.content ?? '';
  const texts = [asked.system ?? '', ...asked.messages.map(({ content }) => content)];
  const text = JSON.stringify({ words: wordsOf(last), text: `It says: ${last.slice(0, 60)}` }, undefined, 1);
  const input = texts.reduce((sum, one) => sum + wordsOf(one), 0);
  const output = wordsOf(text);
  const model = `${asked.model}-2026-01-01`;
  return isMessages
    ? json(200, {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model,
        content: [{ type: 'text', text }],
        stop_reason: 'end_turn',
        usage: { input_tokens: input, output_tokens: output },
      })
    : json(200, {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        model,
        choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
        usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
      });
}

function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

function json(status: number, value: object): ModelAnswer {
  return { status, body: JSON.stringify(value) };
}
