/**
 * An HTTP message as text to its line, headers and body, and its body to what a model answered.
 */
import { type JsonObject, isJsonObject } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { listAt, textAt } from '../members.ts';
import { eventsToResponse, textToEvents } from './sse.ts';

/** Paths at which models are asked. */
const modelPath =
  /\/(messages|chat\/completions|responses|completions|api\/(chat|generate))(\?|$)|:(stream)?[gG]enerateContent/;

export function isModelPath(path: string): boolean {
  return modelPath.test(path);
}

/** A whole response, the one that a stream stands for, or one of the words that are left of it. */
export function messageToResponse(message: JsonObject | undefined): JsonObject | undefined {
  const told = listAt(message, 'events')?.filter(isJsonObject);
  const words = textAt(message, 'words') ?? '';
  return (
    (told === undefined ? bodyToJson(message) : undefined) ??
    eventsToResponse(told ?? textToEvents(textAt(message, 'body') ?? '')) ??
    (words === '' ? undefined : { role: 'assistant', content: [{ type: 'text', text: words }] })
  );
}

/** First line, headers and body; the sizes of chunks are taken out. */
export function textToMessage(text: string): JsonObject {
  const end = text.search(/\r?\n\r?\n/);
  const head = (end < 0 ? text : text.slice(0, end)).split(/\r?\n/);
  const rest = end < 0 ? '' : text.slice(end).replace(/^\r?\n\r?\n/, '');
  const headers: Record<string, string> = {};
  for (const line of head.slice(1)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  const isChunked = /chunked/i.test(headers['transfer-encoding'] ?? '');
  const body = isChunked ? withoutLastChunk(rest.replaceAll(/(^|\r\n)[0-9a-fA-F]{1,8}\r\n/g, '$1')) : rest;
  return { line: head[0] ?? '', headers, body };
}

/** Without the line end, the size 0 and the blanks behind the last chunk. A pattern for it would read a flood of line ends once for each. */
function withoutLastChunk(text: string): string {
  const end = text.trimEnd().length;
  if (text.endsWith('\r\n0', end)) return text.slice(0, end - 3);
  const at = text.indexOf('\r\n', end);
  return at < 0 ? text : text.slice(0, at);
}

/** A body that is one JSON value. */
export function bodyToJson(message: JsonObject | undefined): JsonObject | undefined {
  const parsed = parseLossless((textAt(message, 'body') ?? '').trim());
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}
