/** From what a person typed about an endpoint to what the call is made of, or the sentence that says what is still wrong. */
import { type Result, err, ok } from '../../core/base/result.ts';
import { type LiveEndpoint, type LiveMessage, type LivePrices, endpointToProblem } from '../../core/live/index.ts';
import { isJsonArray, isJsonObject } from '../../core/base/json.ts';
import type { LiveSettings } from '../../state/live-endpoint.ts';
import { textToJson } from '../../ui/json-text.ts';

export function settingsToEndpoint({
  api,
  base,
  model,
  maxTokens,
  temperature,
}: LiveSettings): Result<LiveEndpoint, string> {
  const heat = temperature.trim() === '' ? undefined : Number(temperature);
  const endpoint = {
    api,
    base: base.trim(),
    model,
    maxTokens: Number(maxTokens),
    ...(heat === undefined ? {} : { temperature: heat }),
  };
  const problem = endpointToProblem(endpoint);
  if (problem !== undefined) return err(problem);
  return heat === undefined || Number.isFinite(heat)
    ? ok(endpoint)
    : err('The temperature must be a number, or empty.');
}

/** Undefined where either price is not known: then the call is recorded without one. */
export function settingsToPrices({ inputPrice, outputPrice, currency }: LiveSettings): LivePrices | undefined {
  const [input, output] = [inputPrice, outputPrice].map((text) => (text.trim() === '' ? Number.NaN : Number(text)));
  if (input === undefined || output === undefined || !(input >= 0) || !(output >= 0)) return undefined;
  return { input, output, currency: currency.trim() || 'USD' };
}

/** `[{"role", "content"}]`, as it stands in the editor. */
export function textToMessages(text: string): Result<readonly LiveMessage[], string> {
  const parsed = textToJson(text);
  if (!parsed.ok) return err(parsed.error.sentence);
  const list = parsed.value;
  if (!isJsonArray(list) || list.length === 0) return err('The messages must be a list with at least one message.');
  const messages: LiveMessage[] = [];
  for (const [n, one] of list.entries()) {
    const { role, content } = isJsonObject(one) ? one : {};
    if ((role !== 'system' && role !== 'user' && role !== 'assistant') || typeof content !== 'string')
      return err(`Message ${String(n + 1)} needs a “role” (system, user or assistant) and a “content” that is text.`);
    messages.push({ role, content });
  }
  return ok(messages);
}
