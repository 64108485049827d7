/**
 * What is recorded of a live call, in the words in which recording runtimes write the ending of a model call; and the value that control
 * code is to receive, made of the text.
 */
import type { JsonObject, JsonValue } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import type { LiveAnswer } from './answer.ts';
import type { LiveEndpoint, LiveMessage } from './request.ts';

/** Of a million tokens; as the person knows them. */
export interface LivePrices {
  readonly input: number;
  readonly output: number;
  readonly currency: string;
}

export interface LiveCost {
  readonly amount: number;
  readonly currency: string;
}

/** Undefined without prices, or where the service did not say what it used. */
export function usageToCost(usage: LiveAnswer['usage'], prices: LivePrices | undefined): LiveCost | undefined {
  const { input_tokens: input, output_tokens: output } = usage;
  if (prices === undefined || input === undefined || output === undefined) return undefined;
  const amount = (input * prices.input + output * prices.output) / 1_000_000;
  return { amount: Math.round(amount * 1e9) / 1e9, currency: prices.currency };
}

export interface AnsweredCall {
  readonly endpoint: LiveEndpoint;
  readonly messages: readonly LiveMessage[];
  readonly answer: LiveAnswer;
  readonly prices: LivePrices | undefined;
}

/** Never the key. */
export function answerToCall({ endpoint, messages, answer, prices }: AnsweredCall): JsonObject {
  const cost = usageToCost(answer.usage, prices);
  const { temperature, maxTokens } = endpoint;
  return {
    operation: 'chat',
    provider: /^https?:\/\/[^/]+/.exec(endpoint.base)?.[0] ?? endpoint.base,
    request_model: endpoint.model.trim(),
    ...(answer.model === undefined ? {} : { response_model: answer.model }),
    ...(answer.id === undefined ? {} : { response_id: answer.id }),
    parameters: { max_tokens: maxTokens, ...(temperature === undefined ? {} : { temperature }) },
    input: messages.map((message) => ({ ...message })),
    output: answer.text,
    usage: { ...answer.usage },
    ...(cost === undefined ? {} : { cost: { ...cost } }),
    ...(answer.finish === undefined ? {} : { finish_reasons: [answer.finish] }),
  };
}

/**
 * The value made of the text: JSON where the program is used to objects and the text holds one (in a fence, as models write it, or bare);
 * `{text}` where it is used to objects and the text holds none; else the text itself.
 */
export function textToValue(text: string, seen: JsonValue | undefined): JsonValue {
  const wantsObject = typeof seen === 'object' && seen !== null;
  if (seen !== undefined && !wantsObject) return text;
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n?```/.exec(text)?.[1];
  const parsed = parseLossless((fenced ?? text).trim());
  if (parsed.ok && typeof parsed.value === 'object' && parsed.value !== null) return parsed.value;
  return wantsObject ? { text } : text;
}
