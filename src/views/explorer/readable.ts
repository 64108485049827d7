/**
 * Texts of a payload as texts: arguments and answers with their real lines, where the payload holds them inside JSON or with line ends.
 * The tree of the payload stands beside them and loses nothing. Called by the payload tab of the inspector.
 */
import type { JsonObject, JsonValue } from '../../core/base/json.ts';
import { answerToWords, argsToLines } from '../../core/projections/telling.ts';

interface Readable {
  readonly title: string;
  readonly text: string;
}

export function payloadToReadable(data: JsonObject): readonly Readable[] {
  const parts: readonly (readonly [string, JsonValue | undefined, string | undefined])[] = [
    ['Arguments', data['args'], data['args'] === undefined ? undefined : argsToLines(data['args'])],
    ['Answer', data['result'], answerToWords(data['result'])],
    ['Value', data['value'], answerToWords(data['value'])],
    ['Message', data['content'], answerToWords(data['content'])],
  ];
  return parts.flatMap(([title, value, text]) =>
    text !== undefined && text.trim() !== '' && needsText(value, text) ? [{ title, text }] : [],
  );
}

/** A plain line is read in the tree as well. */
function needsText(value: JsonValue | undefined, text: string): boolean {
  return /[\n\t]/.test(text) || (typeof value === 'string' && value !== text);
}
