/**
 * Values that stand side by side, so that two different ones never look the same: a text has its quotation marks, “5” beside 5.
 * Lines of a text stay lines.
 */
import { passageToShown, lineToShown } from '../../core/base/shown-text.ts';
import type { JsonValue } from '../../core/base/json.ts';
import { textToPiece } from '../../core/compare/piece.ts';
import { jsonToLine, jsonToText } from '../../ui/json-text.ts';

export function valueToShown(value: JsonValue): string {
  return passageToShown(typeof value === 'string' ? `"${value}"` : jsonToText(value));
}

/** Of a longer text the difference is looked for in this much. */
const mostLookedAt = 100_000;

/** On one line, cut; beside another value the piece where it begins to differ from that. */
export function valueToPiece(value: JsonValue, most: number, beside: JsonValue | undefined): string {
  if (beside === undefined) return jsonToLine(value, most);
  return textToPiece(jsonToLine(value, mostLookedAt), jsonToLine(beside, mostLookedAt), most);
}

/** The same, with a text in its quotation marks. */
export function valueToLine(value: JsonValue, most: number, beside?: JsonValue): string {
  const line = valueToPiece(value, most, beside);
  return lineToShown(typeof value === 'string' ? `"${line}"` : line);
}
