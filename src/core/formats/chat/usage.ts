/**
 * Token counts of every provider under the names of the conventions, the recorded ones kept beside them.
 *
 * Invariant: nothing is added up. A count that the record does not have stays absent.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { numberAt, objectAt, withoutUndefined } from '../members.ts';

const inputNames = ['input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokens', 'promptTokenCount', 'input'];
const outputNames = [
  'output_tokens',
  'completion_tokens',
  'outputTokens',
  'completionTokens',
  'candidatesTokenCount',
  'output',
];
const cachedNames = [
  'cache_read_input_tokens',
  'input_tokens_cache_read',
  'cached_input_tokens',
  'cachedContentTokenCount',
  'input_cache_read',
  'cached',
];
const reasoningNames = [
  'reasoning_tokens',
  'reasoning_output_tokens',
  'thoughtsTokenCount',
  'output_reasoning',
  'thoughts',
];

export function valueToUsage(value: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return undefined;
  const inputDetails =
    objectAt(value, 'prompt_tokens_details') ??
    objectAt(value, 'input_tokens_details') ??
    objectAt(value, 'input_token_details');
  const outputDetails =
    objectAt(value, 'completion_tokens_details') ??
    objectAt(value, 'output_tokens_details') ??
    objectAt(value, 'output_token_details');
  return {
    ...value,
    ...withoutUndefined({
      input_tokens: firstNumber(value, inputNames),
      output_tokens: firstNumber(value, outputNames),
      cache_read_input_tokens:
        firstNumber(value, cachedNames) ??
        numberAt(inputDetails, 'cached_tokens') ??
        numberAt(inputDetails, 'cache_read'),
      reasoning_tokens:
        firstNumber(value, reasoningNames) ??
        numberAt(outputDetails, 'reasoning_tokens') ??
        numberAt(outputDetails, 'reasoning'),
    }),
  };
}

function firstNumber(value: JsonObject, names: readonly string[]): number | undefined {
  for (const name of names) {
    const found = numberAt(value, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
