/**
 * Lines of a decoded file with exact byte offsets and line numbers, in batches of one per chunk.
 *
 * Invariants: work is linear in the bytes, whatever the lengths of lines and chunks; the byte range of each line is exact; a line
 * whose text is not what its bytes say carries the bytes. LF, CRLF and CR all end a line; CR alone only in files that use it so,
 * because sloppy writers leave it inside strings. Called by every line-based format.
 */
import { joinBytes } from './decode/decode.ts';
import { decodeStrict, decodeText } from './decode/text.ts';

export interface Line {
  readonly text: string;
  /** From 1. Blank lines are counted and not given. */
  readonly line: number;
  /** Of the first byte; byte order marks around it and terminators belong to no line. */
  readonly offset: number;
  readonly length: number;
  /** False for a last line without terminator. */
  readonly ended: boolean;
  /** Bytes that are no UTF-8 and show as U+FFFD. */
  readonly invalid: number;
  /** Present where `text` cannot be turned back into the bytes: invalid or lone surrogates, or a line too long to keep. */
  readonly raw?: Uint8Array | undefined;
  /** The line is longer than what is read into memory; `raw` is its beginning and `text` is empty. */
  readonly tooLong: boolean;
}

/** Longest line read as a record. */
export const maxLineBytes = 256 * 2 ** 20;
/** How much of a longer one is kept. */
const keptBytes = 64 * 1024;

const lf = 10;
const cr = 13;

export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  limit = maxLineBytes,
): AsyncGenerator<readonly Line[], void> {
  const splitter = createLineSplitter(limit);
  for await (const chunk of chunks) {
    const lines = splitter.push(chunk);
    if (lines.length > 0) yield lines;
  }
  const rest = splitter.end();
  if (rest.length > 0) yield rest;
}

export interface LineSplitter {
  readonly push: (chunk: Uint8Array) => readonly Line[];
  readonly end: () => readonly Line[];
}

export function createLineSplitter(limit = maxLineBytes): LineSplitter {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  /** Bytes of the present line that were dropped because it is too long. */
  let dropped = 0;
  let offset = 0;
  let line = 1;
  let crEnds: boolean | undefined;
  let crHeld = false;
  /** Of a first line too long to keep: its last bytes, whose CR may end it. */
  let undecided: Uint8Array = new Uint8Array(0);
  let started = false;

  function push(chunk: Uint8Array): readonly Line[] {
    if (chunk.length === 0) return [];
    let bytes = chunk;
    if (crEnds === undefined) {
      // No terminator yet, nothing to decide: joining here would make one long first line quadratic.
      if (!crHeld && !chunk.includes(lf) && !chunk.includes(cr)) return hold(chunk);
      // What is kept of a line too long to keep is no part of what is decided by.
      bytes = dropped > 0 ? joinBytes([undecided, chunk]) : joinBytes([...pending, chunk]);
      undecided = new Uint8Array(0);
      if (dropped === 0) {
        pending = [];
        pendingBytes = 0;
      }
      crEnds = endsWithCr(bytes);
      crHeld = crEnds === undefined;
      if (crHeld && dropped > 0) undecided = bytes;
      else if (crHeld) hold(bytes);
      if (crHeld) return [];
    }
    return cut(crEnds === true ? crToLf(bytes) : bytes);
  }

  function cut(bytes: Uint8Array): readonly Line[] {
    const end = bytes.lastIndexOf(lf) + 1;
    if (end === 0) return hold(bytes);
    const lines: Line[] = [];
    let region = bytes.subarray(0, end);
    if (dropped > 0) {
      const first = region.indexOf(lf);
      lines.push(longLine(first));
      region = region.subarray(first + 1);
    } else {
      region = joinBytes([...pending, region]);
      pending = [];
      pendingBytes = 0;
    }
    takeRegion(region, lines);
    hold(bytes.subarray(end));
    return lines;
  }

  function hold(bytes: Uint8Array): readonly Line[] {
    if (bytes.length === 0) return [];
    if (pendingBytes + bytes.length <= limit && dropped === 0) {
      pending.push(bytes);
      pendingBytes += bytes.length;
      return [];
    }
    if (dropped === 0) {
      const kept = joinBytes([...pending, bytes]).slice(0, Math.min(keptBytes, limit));
      dropped = pendingBytes + bytes.length - kept.length;
      pending = [kept];
      pendingBytes = kept.length;
    } else dropped += bytes.length;
    return [];
  }

  function longLine(more: number): Line {
    const raw = joinBytes(pending);
    const length = pendingBytes + dropped + more;
    const long = { text: '', line, offset, length, ended: true, invalid: 0, raw, tooLong: true };
    line++;
    offset += length + 1;
    pending = [];
    pendingBytes = 0;
    dropped = 0;
    return long;
  }

  /** Whole lines, each ended by LF. Decoded at once: the decoder costs more per call than per byte. */
  function takeRegion(whole: Uint8Array, lines: Line[]): void {
    const from = started ? passBlankLines(whole) : 0;
    const region = whole.subarray(from);
    const texts = decodeStrict(region)?.split('\n');
    let start = 0;
    for (let n = 0; start < region.length; n++) {
      const next = started ? pastBlankLine(region, start) : start;
      if (next > start) {
        offset += next - start;
        line++;
        start = next;
        continue;
      }
      const end = region.indexOf(lf, start);
      takeLine(region, start, end, texts?.[n], true, lines);
      start = end + 1;
    }
  }

  /** Past the blank lines at the beginning: a flood of them is counted, and no text is made of it. */
  function passBlankLines(region: Uint8Array): number {
    let start = 0;
    for (let next = pastBlankLine(region, 0); next > start; next = pastBlankLine(region, start)) {
      start = next;
      line++;
    }
    offset += start;
    return start;
  }

  function takeLine(
    region: Uint8Array,
    from: number,
    end: number,
    known: string | undefined,
    ended: boolean,
    lines: Line[],
  ): void {
    const next = end + 1;
    let start = from;
    let text = known;
    started = true;
    // Also where files were put behind one another, each with a mark of its own.
    while (start < end && region[start] === 0xef && region[start + 1] === 0xbb && region[start + 2] === 0xbf) {
      start += 3;
      text = text?.slice(1);
    }
    let last = end;
    if (last > start && region[last - 1] === cr) {
      last--;
      text = text?.slice(0, -1);
    }
    // And at the end, where a file that held only its mark was put behind another.
    while (last - 3 >= start && region[last - 3] === 0xef && region[last - 2] === 0xbb && region[last - 1] === 0xbf) {
      last -= 3;
      text = text?.slice(0, -1);
    }
    const at = offset + (start - from);
    const here = line;
    offset += next - from;
    line++;
    if (isBlank(region, start, last)) return;
    const length = last - start;
    if (text !== undefined) {
      lines.push({ text, line: here, offset: at, length, ended, invalid: 0, tooLong: false });
      return;
    }
    const bytes = region.subarray(start, last);
    const exact = decodeStrict(bytes);
    const decoded = exact === undefined ? decodeText(bytes) : { text: exact, invalid: 0 };
    const raw = exact === undefined ? bytes.slice() : undefined;
    lines.push({ ...decoded, line: here, offset: at, length, ended, raw, tooLong: false });
  }

  function end(): readonly Line[] {
    const lines: Line[] = [];
    if (dropped > 0) lines.push({ ...longLine(undecided.length), ended: false });
    else {
      const rest = joinBytes(pending);
      pending = [];
      if (rest.length > 0) takeLine(rest, 0, rest.length, undefined, false, lines);
    }
    return lines;
  }

  return { push, end };
}

/** Whether CR alone ends lines, told by the first terminator; undefined while none was seen or what follows it is not there yet. */
function endsWithCr(bytes: Uint8Array): boolean | undefined {
  const firstCr = bytes.indexOf(cr);
  const firstLf = bytes.indexOf(lf);
  if (firstLf >= 0 && (firstCr < 0 || firstLf <= firstCr + 1)) return false;
  if (firstCr < 0) return undefined;
  let next = firstCr;
  while (bytes[next] === cr || bytes[next] === 32 || bytes[next] === 9) next++;
  const after = bytes[next];
  if (after === undefined) return undefined;
  return after === 0x7b || after === 0x5b;
}

function crToLf(bytes: Uint8Array): Uint8Array {
  return bytes.includes(cr) ? bytes.map((byte) => (byte === cr ? lf : byte)) : bytes;
}

/** Where the next line begins, if the line that begins here is blank and ended; else the same place. */
function pastBlankLine(bytes: Uint8Array, start: number): number {
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === lf) return i + 1;
    if (byte !== 32 && byte !== 9 && byte !== cr) return start;
  }
  return start;
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    if (byte !== 32 && byte !== 9 && byte !== cr) return false;
  }
  return true;
}
