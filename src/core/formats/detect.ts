/**
 * Which format a file is, by content alone, or words that say what it is instead.
 */
import { recordedToPlain } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import type { CutDocument } from './decode/open-document.ts';
import type { Format, Sniff } from './format.ts';
import { describeOther } from './other-files.ts';
import { sniffObjects } from './sniff.ts';

/** Below this a file counts as not recognised. */
const threshold = 0.5;

export interface Detected {
  readonly format: Format;
  readonly confidence: number;
}

/** The surest format; the first of equals. */
export function detectFormat(sniff: Sniff, formats: readonly Format[]): Detected | undefined {
  let best: Detected | undefined;
  for (const format of formats) {
    const confidence = format.detect(sniff);
    if (confidence >= threshold && confidence > (best?.confidence ?? 0)) best = { format, confidence };
  }
  return best;
}

/** What a file of no known format is, as the rest of a sentence about it. */
export function describeSniff(sniff: Sniff): string {
  const text = sniff.text.trim();
  if (text === '') {
    if (sniff.whole) return 'holds only white space';
    return `holds only white space in its first ${sniff.text.length.toLocaleString('en')} characters; what follows was not looked at`;
  }
  if (looksBinary(sniff.bytes)) return 'is binary data, not JSON text';
  const whole = sniff.whole ? parseLossless(text) : undefined;
  if (whole?.ok === true) {
    const value = recordedToPlain(whole.value);
    if (value === null) return 'holds only the JSON value null, not records';
    if (typeof value !== 'object') return `holds only one JSON ${typeof value}, not records`;
    const other = describeOther(whole.value);
    if (other !== undefined) return other;
    if (Array.isArray(value)) return 'holds a JSON list of no known kind';
    const keys = Object.keys(value).slice(0, 5).join(', ');
    return keys === '' ? 'holds an empty JSON object' : `holds a JSON object of no known kind (its keys: ${keys})`;
  }
  if (looksLikeJson(sniff)) {
    const [first] = sniffObjects(sniff, 1);
    return (first === undefined ? undefined : describeOther(first)) ?? 'holds JSON of no known kind';
  }
  return areScalars(text) ? 'holds only single JSON values, not records' : 'is text that is not JSON';
}

/** What a document of no known kind is that ends in the middle, as the rest of a sentence about it. `closed` is its beginning, closed. */
export function describeCut({ bytes, line }: CutDocument, closed: Sniff | undefined): string {
  const where = `ends in the middle: its JSON document is not closed at byte ${bytes} (line ${line})`;
  const value = closed === undefined ? undefined : parseLossless(closed.text);
  if (value?.ok === false) return `${where}, and before that it is not JSON: ${value.error.message}`;
  const plain = value === undefined ? undefined : recordedToPlain(value.value);
  const keys = typeof plain === 'object' && plain !== null && !Array.isArray(plain) ? Object.keys(plain) : [];
  const some = keys.slice(0, 5).join(', ');
  const so = some === '' ? '' : ` (keys so far: ${some})`;
  return `${where}. What there is of it does not tell its kind${so}; fetch or copy the whole file again`;
}

/** Text that begins as an object or a list does. */
export function looksLikeJson(sniff: Sniff): boolean {
  return /^\s*[[{]/.test(sniff.text) && !looksBinary(sniff.bytes);
}

/** Numbers, texts, null one after another, a line each. */
function areScalars(text: string): boolean {
  const lines = text.split(/\r?\n/, 20).filter((line) => line.trim() !== '');
  return lines.every((line) => parseLossless(line).ok);
}

function looksBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 4096);
  let odd = 0;
  for (const byte of head) if (byte === 0 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)) odd++;
  return odd > head.length * 0.05;
}
