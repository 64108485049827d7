/**
 * Messages of model calls as text, in the shapes that producers write them.
 *
 * Invariant: nothing is paraphrased; a part that is no text is named by its kind. A shape that is not known is shown as JSON.
 */
import { type JsonValue, isJsonArray, isJsonObject, isHole } from '../../base/json.ts';
import { writeLossless } from '../../base/lossless.ts';
import { memberOf, textAt } from '../../causal/index.ts';
import { canon } from '../../model/index.ts';
import { answerToWords } from '../telling.ts';

export interface Message {
  readonly role: string | undefined;
  readonly text: string;
  /** Equal messages have equal digests; used to tell what is new since the last call. */
  readonly identity: string;
}

/** `resolve` follows a reference to a value stored apart. */
export function valueToMessages(value: JsonValue | undefined, resolve: (value: JsonValue) => JsonValue): Message[] {
  if (value === undefined || value === null) return [];
  const read = resolve(value);
  const list = isJsonArray(read) ? read.map(resolve) : [read];
  // A list of parts is one message; a list of messages has roles.
  const isParts =
    list.length > 0 &&
    list.every((item) => memberOf(item, 'role') === undefined && memberOf(item, 'type') !== undefined);
  const messages = isParts ? [list] : list;
  return messages.map((message) => {
    const role = textAt(message, 'role');
    const body = isJsonArray(message)
      ? message
      : (memberOf(message, 'parts') ?? memberOf(message, 'content') ?? message);
    // Identity without what producers add per call, such as the reason why an answer ended.
    return { role, text: bodyToText(body, resolve), identity: `${role ?? ''}|${canon(body)}` };
  });
}

export function bodyToText(body: JsonValue | undefined, resolve: (value: JsonValue) => JsonValue): string {
  if (body === undefined || body === null) return '';
  const read = resolve(body);
  if (typeof read === 'string') return read;
  if (!isJsonArray(read)) return partToText(read, resolve);
  return read
    .map((part) => partToText(resolve(part), resolve))
    .filter((text) => text !== '')
    .join('\n');
}

function partToText(part: JsonValue, resolve: (value: JsonValue) => JsonValue): string {
  if (typeof part === 'string') return part;
  if (!isJsonObject(part)) return writeLossless(part);
  const kind = textAt(part, 'type');
  const text = textAt(part, 'text') ?? textAt(part, 'content') ?? textAt(part, 'thinking');
  switch (kind) {
    case 'text':
    case undefined:
      return text ?? jsonToText(part);
    case 'thinking':
    case 'reasoning':
      return text === undefined || text === '' ? '(reasoning, not recorded as text)' : `(reasoning) ${text}`;
    case 'tool_use':
    case 'tool_call':
      return `→ ${textAt(part, 'name') ?? 'a tool'}(${jsonToText(memberOf(part, 'input') ?? memberOf(part, 'arguments') ?? {})})`;
    case 'tool_result':
    case 'tool_call_response': {
      const answer = memberOf(part, 'content') ?? memberOf(part, 'result') ?? memberOf(part, 'response');
      const read = answer === undefined ? null : resolve(answer);
      return `← ${answerToWords(read) ?? jsonToText(read)}`;
    }
    default:
      return text ?? `(${kind})`;
  }
}

/** With every digit of long numbers and every repeated key, as they were recorded. */
export function jsonToText(value: JsonValue): string {
  if (isHole(value)) return '(withheld)';
  return typeof value === 'string' ? value : writeLossless(value);
}
