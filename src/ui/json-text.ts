/** JSON values as text to be edited, and back with the place of a mistake. */
import type { JsonValue } from '../core/base/json.ts';
import { parseLossless, writeLossless } from '../core/base/lossless.ts';
import { type Result, err } from '../core/base/result.ts';

export interface JsonTextProblem {
  /** UTF-16 index in the text. */
  readonly at: number;
  readonly message: string;
  /** With line and column, both from 1. */
  readonly sentence: string;
}

export function textToJson(text: string): Result<JsonValue, JsonTextProblem> {
  if (text.trim() === '') {
    const message = 'There is no value here yet; even “nothing” is written: null.';
    return err({ at: 0, message, sentence: message });
  }
  const parsed = parseLossless(text);
  if (parsed.ok) return parsed;
  const { at, message } = parsed.error;
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return err({ at, message, sentence: `Line ${before.length}, column ${column}: ${withStop(message)}` });
}

/** Laid out in lines; a value that only the lossless form can hold stays on one, exactly as it was recorded. */
export function jsonToText(value: JsonValue): string {
  const exact = writeLossless(value);
  return exact === JSON.stringify(value) ? JSON.stringify(value, undefined, 2) : exact;
}

/** On one line, cut. */
export function jsonToLine(value: JsonValue, most = 90): string {
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ') : writeLossless(value);
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function withStop(sentence: string): string {
  const text = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
