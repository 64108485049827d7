/**
 * The beginning of a file for detection, and the questions that `detect` functions ask about it.
 */
import { isJsonObject, type JsonObject } from '../base/json.ts';
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
    // Most lines of a document written over many lines begin or end inside an object: they are told without being parsed.
    if (!line.includes('{') || !line.includes('}')) continue;
    for (const object of lineObjects(line)) objects.push(object);
  }
  return objects;
}

function lineObjects(line: string): readonly JsonObject[] {
  const whole = textToObject(line.trim());
  if (whole !== undefined) return [whole];
  const parts = splitValues(line).map(({ start, end }) => textToObject(line.slice(start, end)));
  return parts.filter((part) => part !== undefined);
}

/** An object, or undefined for anything else; only what could be one is parsed. */
function textToObject(text: string): JsonObject | undefined {
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  const value = parseLossless(text);
  return value.ok && isJsonObject(value.value) ? value.value : undefined;
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
