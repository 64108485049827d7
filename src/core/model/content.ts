/**
 * What a value stored apart (`content.stored`) stands for: one rule for everything that puts it in its place, so that a replay, a view
 * and a copy read the same value.
 */
import type { JsonValue } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';

/** A content as JSON unless its record, or else the reference to it, says that it is another kind; what does not parse is its text. */
export function contentToValue(text: string, recorded: string | undefined, referred: string | undefined): JsonValue {
  if (!(recorded ?? referred ?? 'application/json').includes('json')) return text;
  const parsed = parseLossless(text);
  return parsed.ok ? parsed.value : text;
}
