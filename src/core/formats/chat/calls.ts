/**
 * What messages say about tools: the calls an answer asks for, and the results a later request carries.
 *
 * Called with messages in the form of `messages.ts`. Ids are those of the provider; a message without ids gives calls without.
 */
import { canon } from '../../model/index.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../base/json.ts';
import { memberAt, parseText, textAt } from '../members.ts';
import type { ChatMessage } from './messages.ts';

export interface ChatCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: JsonValue;
}

interface ChatAnswer {
  /** The call it answers. */
  readonly id: string | undefined;
  readonly response: JsonValue;
  readonly isError: boolean;
}

export function messagesToCalls(messages: readonly ChatMessage[]): readonly ChatCall[] {
  const calls: ChatCall[] = [];
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part['type'] !== 'tool_call') continue;
      calls.push({ id: textAt(part, 'id'), name: textAt(part, 'name') ?? '', args: memberAt(part, 'arguments') ?? {} });
    }
  }
  return calls;
}

export function messagesToAnswers(messages: readonly ChatMessage[]): readonly ChatAnswer[] {
  const answers: ChatAnswer[] = [];
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part['type'] !== 'tool_call_response') continue;
      const isError = part['is_error'] === true || part['isError'] === true;
      answers.push({ id: textAt(part, 'id'), response: memberAt(part, 'response') ?? null, isError });
    }
  }
  return answers;
}

/** Text of the visible parts of a message, for titles and for comparing what two records say. */
export function messageToText(message: ChatMessage): string {
  const texts: string[] = [];
  for (const part of message.parts) {
    const text = part['type'] === 'text' ? memberAt(part, 'content') : undefined;
    if (typeof text === 'string') texts.push(text);
  }
  return texts.join('\n');
}

/** One spelling for values that two records wrote differently: JSON in a string, a text inside parts or in an envelope of one. */
export function comparable(value: JsonValue | undefined): string {
  const read = parseText(value);
  if (read === undefined || read === null) return '';
  if (typeof read === 'string') return read.trim();
  if (isJsonArray(read)) {
    const texts = read.map((item) => textAt(item, 'text') ?? textAt(item, 'content'));
    if (texts.length > 0 && texts.every((text) => text !== undefined)) return texts.join('\n').trim();
  }
  if (isJsonObject(read)) {
    const only = memberAt(read, 'content') ?? memberAt(read, 'output') ?? memberAt(read, 'result');
    if (typeof only === 'string' || isJsonArray(only)) return comparable(only);
  }
  return canon(read);
}
