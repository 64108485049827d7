/**
 * Which format a set of files is, by content alone, or a sentence that says why none.
 */
import { type Result, err, ok } from '../base/result.ts';
import { parseLossless } from '../base/lossless.ts';
import type { Format, Sniff, UnusableInput } from './format.ts';

/** Below this a file counts as not recognised. */
const threshold = 0.5;

export interface NamedSniff {
  readonly file: string;
  readonly sniff: Sniff;
}

export function detectFormat(sniffs: readonly NamedSniff[], formats: readonly Format[]): Result<Format, UnusableInput> {
  const found = new Map<Format, { readonly file: string; readonly confidence: number }>();
  for (const { file, sniff } of sniffs) {
    const best = bestFormat(sniff, formats);
    if (best !== undefined && (found.get(best.format)?.confidence ?? 0) < best.confidence) {
      found.set(best.format, { file, confidence: best.confidence });
    }
  }
  const [first, second] = [...found].sort((a, b) => b[1].confidence - a[1].confidence);
  if (first === undefined) return err(notRecognised(sniffs, formats));
  if (second !== undefined) {
    return err({
      code: 'mixed-formats',
      message: `These files are of different formats: ${first[1].file} is ${first[0].label}, ${second[1].file} is ${second[0].label}. Open each format as a trace of its own.`,
    });
  }
  return ok(first[0]);
}

function bestFormat(sniff: Sniff, formats: readonly Format[]): { format: Format; confidence: number } | undefined {
  let best: { format: Format; confidence: number } | undefined;
  for (const format of formats) {
    const confidence = format.detect(sniff);
    if (confidence >= threshold && confidence > (best?.confidence ?? 0)) best = { format, confidence };
  }
  return best;
}

function notRecognised(sniffs: readonly NamedSniff[], formats: readonly Format[]): UnusableInput {
  const known = `Looked for: ${formats.map((format) => format.label).join('; ')}.`;
  const filled = sniffs.filter(({ sniff }) => sniff.bytes.length > 0);
  if (sniffs.length === 0) return { code: 'no-files', message: 'There is no file to open: the folder is empty.' };
  const [only] = filled;
  if (only === undefined) {
    const what =
      sniffs.length === 1 ? `${sniffs[0]?.file ?? 'The file'} is empty` : `All ${sniffs.length} files are empty`;
    return { code: 'empty', message: `${what}: there is nothing to read.` };
  }
  const which = filled.length === 1 ? only.file : `None of the ${filled.length} files, first ${only.file},`;
  const message =
    filled.length === 1
      ? `${which} ${describe(only.sniff)}. ${known}`
      : `${which} holds a trace that is known here. ${known}`;
  return { code: 'unknown-format', message, place: { file: only.file, offset: 0 } };
}

function describe(sniff: Sniff): string {
  const text = sniff.text.trim();
  if (text === '') return 'holds only white space';
  if (looksBinary(sniff.bytes)) return 'is binary data, not JSON text';
  const whole = sniff.whole ? parseLossless(text) : undefined;
  if (whole?.ok === true) {
    const value = whole.value;
    if (value === null) return 'holds only the JSON value null, not records';
    if (typeof value !== 'object') return `holds only one JSON ${typeof value}, not records`;
    if (Array.isArray(value)) return 'holds a JSON list of no known kind';
    const keys = Object.keys(value).slice(0, 5).join(', ');
    return keys === '' ? 'holds an empty JSON object' : `holds a JSON object of no known kind (its keys: ${keys})`;
  }
  return text.startsWith('{') || text.startsWith('[') ? 'holds JSON of no known kind' : 'is text that is not JSON';
}

function looksBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 4096);
  let odd = 0;
  for (const byte of head) if (byte === 0 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)) odd++;
  return odd > head.length * 0.05;
}
