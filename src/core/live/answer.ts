/**
 * What a model answered, read from the body of its response. A body that is none of the interface is an error with a sentence.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { type Result, err, ok } from '../base/result.ts';
import type { LiveApi } from './request.ts';

export interface LiveAnswer {
  readonly text: string;
  /** As the service names it; it may differ from the one that was asked for. */
  readonly model?: string;
  readonly id?: string;
  readonly finish?: string;
  readonly usage: { readonly input_tokens?: number; readonly output_tokens?: number };
}

export function readAnswer(api: LiveApi, body: string): Result<LiveAnswer, string> {
  const parsed = parseLossless(body);
  if (!parsed.ok || !isJsonObject(parsed.value))
    return err('The service answered with something that is no JSON object.');
  const answer = parsed.value;
  return api === 'chat-completions' ? readChat(answer) : readMessage(answer);
}

function readChat(answer: JsonObject): Result<LiveAnswer, string> {
  const choice = isJsonArray(answer['choices']) ? answer['choices'][0] : undefined;
  const message = isJsonObject(choice) ? choice['message'] : undefined;
  const text = isJsonObject(message) ? contentToText(message['content']) : undefined;
  if (text === undefined) return err('The answer has no message with text (choices[0].message.content).');
  const usage = isJsonObject(answer['usage']) ? answer['usage'] : {};
  return ok({
    text,
    ...common(answer),
    ...textMember('finish', isJsonObject(choice) ? choice['finish_reason'] : undefined),
    usage: toUsage(usage['prompt_tokens'], usage['completion_tokens']),
  });
}

function readMessage(answer: JsonObject): Result<LiveAnswer, string> {
  const text = contentToText(answer['content']);
  if (text === undefined) return err('The answer has no text (content[].text).');
  const usage = isJsonObject(answer['usage']) ? answer['usage'] : {};
  return ok({
    text,
    ...common(answer),
    ...textMember('finish', answer['stop_reason']),
    usage: toUsage(usage['input_tokens'], usage['output_tokens']),
  });
}

/** Text, or a list of parts of which the texts count. */
function contentToText(content: JsonValue | undefined): string | undefined {
  if (typeof content === 'string') return content;
  if (!isJsonArray(content)) return undefined;
  const texts = content.flatMap((part) =>
    isJsonObject(part) && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  return texts.length === 0 ? undefined : texts.join('');
}

function common(answer: JsonObject): Pick<LiveAnswer, 'model' | 'id'> {
  return { ...textMember('model', answer['model']), ...textMember('id', answer['id']) };
}

function textMember<K extends string>(name: K, value: JsonValue | undefined): { readonly [P in K]?: string } {
  // Cast: the one member is named by the type.
  return (typeof value === 'string' ? { [name]: value } : {}) as { readonly [P in K]?: string };
}

function toUsage(input: JsonValue | undefined, output: JsonValue | undefined): LiveAnswer['usage'] {
  return {
    ...(typeof input === 'number' ? { input_tokens: input } : {}),
    ...(typeof output === 'number' ? { output_tokens: output } : {}),
  };
}

/** What a service says in the body of a refusal. */
export function refusalToText(body: string): string | undefined {
  const parsed = parseLossless(body);
  const error = parsed.ok && isJsonObject(parsed.value) ? parsed.value['error'] : undefined;
  const message = isJsonObject(error) ? error['message'] : error;
  return typeof message === 'string' ? message.slice(0, 300) : undefined;
}
