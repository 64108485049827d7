/**
 * Values that stand side by side, so that two different ones never look the same: a text has its quotation marks, “5” beside 5.
 * Lines of a text stay lines.
 */
import type { JsonValue } from '../../core/base/json.ts';
import { jsonToLine, jsonToText } from '../../ui/json-text.ts';

export function valueToShown(value: JsonValue): string {
  return typeof value === 'string' ? `"${value}"` : jsonToText(value);
}

/** On one line, cut. */
export function valueToLine(value: JsonValue, most: number): string {
  const line = jsonToLine(value, most);
  return typeof value === 'string' ? `"${line}"` : line;
}
