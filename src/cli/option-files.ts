/**
 * Files that a command reads besides its input: programs, edits, policies, claims, envelopes, golden cases.
 *
 * Invariant: what cannot be used is a sentence that begins with the path and says what is wrong, where, and what to do. Text is read by
 * its byte order mark, as editors write it, and never with silent change. Called by every command that takes a file by an option.
 */
import { readFile, stat } from 'node:fs/promises';
import type { JsonValue } from '../core/base/json.ts';
import { parseLossless } from '../core/base/lossless.ts';
import { type Result, err, ok } from '../core/base/result.ts';
import { bytesToEncoding, bytesToPacking, unopenedContainer } from '../core/formats/decode/magic.ts';
import { decodeText } from '../core/formats/decode/text.ts';
import { createUtf16Transcoder } from '../core/formats/decode/utf16.ts';
import { createUtf32Transcoder } from '../core/formats/decode/utf32.ts';
import { joinBytes } from '../core/formats/decode/decode.ts';
import { readFailure } from './failures.ts';

/** `what` names the file by the part it has, at the beginning of a sentence: "The edit file". */
export async function readText(what: string, path: string): Promise<Result<string, string>> {
  try {
    const found = await stat(path);
    // A device never ends, and a pipe waits for one who writes; what a shell hands over by a descriptor has one.
    if (found.isCharacterDevice() || found.isBlockDevice() || (found.isFIFO() && !/^\/(?:dev|proc)\//.test(path)))
      return err(`${path}: ${what} cannot be read: this is a pipe or device. Save it as a file first.`);
    return bytesToText(what, path, await readFile(path));
  } catch (error) {
    return err(readFailure(what, path, error));
  }
}

function bytesToText(what: string, path: string, bytes: Uint8Array): Result<string, string> {
  const packing = bytesToPacking(bytes);
  const container = packing === 'plain' ? unopenedContainer(bytes) : `It is a ${packing} archive. Unpack it first.`;
  if (container !== undefined) return err(`${path}: ${what} must be text. ${container}`);
  const { text, invalid } = decodeText(toUtf8(bytes));
  if (invalid > 0) {
    const count = invalid === 1 ? 'one byte' : `${invalid} bytes`;
    const place = placeOf(text, text.indexOf('\ufffd'));
    return err(
      `${path}: ${what} is not UTF-8 text: ${count} of it ${invalid === 1 ? 'is' : 'are'} no character, ${place}. Save it as UTF-8.`,
    );
  }
  return ok(text.replace(/^\uFEFF/, ''));
}

function toUtf8(bytes: Uint8Array): Uint8Array {
  const encoding = bytesToEncoding(bytes);
  if (encoding === 'utf-8') return bytes;
  const isBig = encoding.endsWith('be');
  const transcoder = encoding.startsWith('utf-32') ? createUtf32Transcoder(isBig) : createUtf16Transcoder(isBig);
  return joinBytes([transcoder.push(bytes), transcoder.finish()]);
}

/** `parse` answers with a sentence about what it refuses. */
export async function readJsonFile<T>(
  what: string,
  path: string,
  parse: (value: JsonValue) => Result<T, string>,
): Promise<Result<T, string>> {
  const text = await readText(what, path);
  if (!text.ok) return text;
  if (text.value.trim() === '') return err(`${path}: ${what} is empty. It must hold one JSON object.`);
  const value = parseLossless(text.value);
  if (!value.ok) {
    const { message, at } = value.error;
    return err(`${path}: ${what} is not JSON: ${message}, ${placeOf(text.value, at)}. Mend it there.`);
  }
  const parsed = parse(value.value);
  return parsed.ok ? parsed : err(`${path}: ${parsed.error}`);
}

function placeOf(text: string, at: number): string {
  const before = text.slice(0, Math.max(0, at));
  const lines = before.split(/\r\n|\n|\r/);
  return `at line ${lines.length}, character ${(lines.at(-1)?.length ?? 0) + 1}`;
}
