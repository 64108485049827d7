/**
 * The request of a live model call: one POST with JSON, as chat completions (OpenAI-compatible) or as messages (Anthropic).
 *
 * Invariant: the key is in a header and nowhere else. Pure; the page sends it through its own document for foreign requests.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { writeLossless } from '../base/lossless.ts';
import { withoutEnd } from '../base/text-end.ts';

export type LiveApi = 'chat-completions' | 'messages';

export const liveApis: readonly LiveApi[] = ['chat-completions', 'messages'];

export interface LiveEndpoint {
  readonly api: LiveApi;
  /** Up to and without the last part of the path, such as `https://api.example/v1`. */
  readonly base: string;
  readonly model: string;
  readonly maxTokens: number;
  /** Left out of the request when undefined. */
  readonly temperature?: number | undefined;
}

export interface LiveMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface LiveRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

const lastPart: Readonly<Record<LiveApi, string>> = { 'chat-completions': '/chat/completions', messages: '/messages' };

/** A sentence where nothing can be sent to it. */
export function endpointToProblem({ base, model, maxTokens }: LiveEndpoint): string | undefined {
  if (!/^https?:\/\/[^\s/]+/.test(base)) return 'The address must begin with https:// (or http:// on this machine).';
  if (/^http:/.test(base) && !/^http:\/\/(?:127\.0\.0\.1|localhost)(?:[:/]|$)/.test(base))
    return 'Without https only an address on this machine (127.0.0.1 or localhost) can be asked.';
  if (model.trim() === '') return 'It needs the name of a model.';
  return Number.isSafeInteger(maxTokens) && maxTokens > 0
    ? undefined
    : 'The most tokens must be a whole number above 0.';
}

export function createLiveRequest(endpoint: LiveEndpoint, messages: readonly LiveMessage[], key: string): LiveRequest {
  const { api, base, model, maxTokens, temperature } = endpoint;
  const url = `${withoutEnd(base.trim(), '/')}${lastPart[api]}`;
  const parameters = { max_tokens: maxTokens, ...(temperature === undefined ? {} : { temperature }) };
  if (api === 'chat-completions') {
    return {
      url,
      headers: { 'content-type': 'application/json', ...(key === '' ? {} : { authorization: `Bearer ${key}` }) },
      body: { model: model.trim(), ...parameters, messages: messages.map((message) => ({ ...message })) },
    };
  }
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      // Without it the service refuses requests of pages.
      'anthropic-dangerous-direct-browser-access': 'true',
      ...(key === '' ? {} : { 'x-api-key': key }),
    },
    body: {
      model: model.trim(),
      ...parameters,
      ...(system.length === 0 ? {} : { system: system.join('\n\n') }),
      messages: messages.filter(({ role }) => role !== 'system').map((message) => ({ ...message })),
    },
  };
}

/**
 * What a program asks, as messages: its own list of messages where it has one, else its arguments as text. A person reads and may change
 * them before anything is sent.
 */
export function argsToMessages(args: JsonValue | undefined): readonly LiveMessage[] {
  const own = isJsonObject(args) ? args['messages'] : undefined;
  const read = isJsonArray(own) ? own.map(toMessage) : [];
  const isWhole = read.length > 0 && read.every((message) => message !== undefined);
  const messages: readonly LiveMessage[] = isWhole ? read : [{ role: 'user', content: argsToText(args) }];
  const system = isJsonObject(args) && typeof args['system'] === 'string' ? args['system'] : undefined;
  const hasSystem = messages.some(({ role }) => role === 'system');
  return system === undefined || hasSystem || !isWhole ? messages : [{ role: 'system', content: system }, ...messages];
}

function toMessage(value: JsonValue): LiveMessage | undefined {
  if (!isJsonObject(value)) return undefined;
  const { role, content } = value;
  if (role !== 'system' && role !== 'user' && role !== 'assistant') return undefined;
  if (typeof content === 'string') return { role, content };
  const texts = isJsonArray(content)
    ? content.map((part) => (isJsonObject(part) && typeof part['text'] === 'string' ? part['text'] : undefined))
    : [undefined];
  return texts.every((text) => text !== undefined) ? { role, content: texts.join('\n') } : undefined;
}

function argsToText(args: JsonValue | undefined): string {
  if (args === undefined) return '';
  if (typeof args === 'string') return args;
  // Long numbers and repeated keys as they were recorded, where there are any.
  const exact = writeLossless(args);
  return exact === JSON.stringify(args) ? JSON.stringify(args, undefined, 2) : exact;
}
