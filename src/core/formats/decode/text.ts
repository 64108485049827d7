/**
 * UTF-8 bytes to text without silent change.
 *
 * The host's decoder does the work; only bytes it refuses come here: surrogates written as three bytes (sloppy writers, and our
 * own transcoder) become the surrogates they stand for, anything else becomes U+FFFD and is told.
 */

export interface DecodedText {
  readonly text: string;
  /** Bytes that are not UTF-8 in any reading; they show as U+FFFD. */
  readonly invalid: number;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text, or undefined when the bytes are not strict UTF-8. */
export function decodeStrict(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    // Not strict UTF-8: the caller reads line by line with `decodeText`.
    return undefined;
  }
}

export function decodeText(bytes: Uint8Array): DecodedText {
  const exact = decodeStrict(bytes);
  if (exact !== undefined) return { text: exact, invalid: 0 };
  const parts: string[] = [];
  let invalid = 0;
  let start = 0;
  let i = 0;
  const flush = (end: number): void => {
    if (end > start) parts.push(strict.decode(bytes.subarray(start, end)));
  };
  while (i < bytes.length) {
    const width = sequenceWidth(bytes, i);
    if (width > 0) {
      i += width;
      continue;
    }
    flush(i);
    if (isSurrogate(bytes, i)) {
      parts.push(String.fromCharCode(0xd000 | (((bytes[i + 1] ?? 0) & 63) << 6) | ((bytes[i + 2] ?? 0) & 63)));
      i += 3;
    } else {
      parts.push('\ufffd');
      invalid++;
      i++;
    }
    start = i;
  }
  flush(i);
  return { text: parts.join(''), invalid };
}

/** Width of a valid sequence at `i`, 0 when there is none. */
function sequenceWidth(bytes: Uint8Array, i: number): number {
  const a = bytes[i] ?? 0;
  if (a < 0x80) return 1;
  const b = bytes[i + 1] ?? 0;
  if (a >= 0xc2 && a < 0xe0) return isTail(b) ? 2 : 0;
  const c = bytes[i + 2] ?? 0;
  if (a >= 0xe0 && a < 0xf0) {
    if (a === 0xe0 && b < 0xa0) return 0;
    if (a === 0xed && b >= 0xa0) return 0;
    return isTail(b) && isTail(c) ? 3 : 0;
  }
  if (a >= 0xf0 && a < 0xf5) {
    if (a === 0xf0 && b < 0x90) return 0;
    if (a === 0xf4 && b >= 0x90) return 0;
    return isTail(b) && isTail(c) && isTail(bytes[i + 3] ?? 0) ? 4 : 0;
  }
  return 0;
}

function isTail(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function isSurrogate(bytes: Uint8Array, i: number): boolean {
  const b = bytes[i + 1] ?? 0;
  return bytes[i] === 0xed && b >= 0xa0 && b < 0xc0 && isTail(bytes[i + 2] ?? 0);
}
