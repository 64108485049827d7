/**
 * The beginning of a file for detection, and the questions that `detect` functions ask about it.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { joinBytes } from './decode/decode.ts';
import { decodeText } from './decode/text.ts';
import type { Sniff, SourceFile } from './format.ts';
import { splitValues } from './values.ts';

/** Enough for the first line of nearly every session; longer first lines are recognised by their beginning. */
export const sniffBytes = 256 * 1024;

export async function readSniff(file: SourceFile): Promise<Sniff> {
  const parts: Uint8Array[] = [];
  let length = 0;
  let whole = true;
  for await (const chunk of file.open()) {
    parts.push(chunk);
    length += chunk.length;
    if (length > sniffBytes) {
      whole = false;
      break;
    }
  }
  const bytes = joinBytes(parts).subarray(0, sniffBytes);
  return { text: withoutMark(decodeText(bytes).text), bytes, whole };
}

// Every format asks the same of the same beginning: it is parsed once.
const sniffed = new WeakMap<Sniff, readonly JsonObject[]>();
const mostObjects = 40;

/** The objects among the first lines; damaged lines are passed over. */
export function sniffObjects(sniff: Sniff, most = mostObjects): readonly JsonObject[] {
  if (most > mostObjects) return readObjects(sniff, most);
  const objects = sniffed.get(sniff) ?? readObjects(sniff, mostObjects);
  sniffed.set(sniff, objects);
  return objects.slice(0, most);
}

function readObjects(sniff: Sniff, most: number): readonly JsonObject[] {
  const objects: JsonObject[] = [];
  const lines = sniff.text.split(/\r\n|\n|\r(?=[[{])/);
  if (!sniff.whole) lines.pop();
  for (const line of lines) {
    if (objects.length >= most) break;
    for (const value of lineValues(line)) if (isJsonObject(value)) objects.push(value);
  }
  return objects;
}

function lineValues(line: string): readonly JsonValue[] {
  if (line.trim() === '') return [];
  const value = parseLossless(line);
  if (value.ok) return [value.value];
  const values: JsonValue[] = [];
  for (const part of splitValues(line)) {
    const one = parseLossless(line.slice(part.start, part.end));
    if (one.ok) values.push(one.value);
  }
  return values;
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
