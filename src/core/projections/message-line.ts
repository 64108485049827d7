/**
 * A message as one line that tells what was asked: the first text of it, without what a program put around it.
 *
 * Invariant: nothing is added. Undefined where the message says nothing of its own. Called for titles, and for names of agents and
 * of traces.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { memberOf, textAt } from '../causal/index.ts';

export function messageToLine(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return textToLine(value);
  const parts = isJsonArray(value) ? value : value === undefined ? [] : [value];
  for (const part of parts) {
    const text = typeof part === 'string' ? part : isJsonObject(part) ? partText(part) : undefined;
    const line = text === undefined ? undefined : textToLine(text);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** The last thing that the answer of a model says in words, from its payload. */
export function answerToLine(data: JsonObject): string | undefined {
  for (const message of answerToMessages(data).toReversed()) {
    const line = messageToLine(memberOf(message, 'parts') ?? memberOf(message, 'content') ?? message);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** The tools that the answer of a model calls, as often as it does. */
export function answerToCalls(data: JsonObject): readonly string[] {
  return answerToMessages(data)
    .flatMap((message): readonly JsonValue[] => {
      const parts = memberOf(message, 'parts') ?? memberOf(message, 'content') ?? message;
      return isJsonArray(parts) ? parts : [parts];
    })
    .flatMap((part) => (/^tool_(?:use|call)$/.test(textAt(part, 'type') ?? '') ? (textAt(part, 'name') ?? []) : []));
}

function answerToMessages(data: JsonObject): readonly JsonValue[] {
  const messages = memberOf(data, 'output_messages') ?? memberOf(data, 'result');
  return isJsonArray(messages) ? messages : messages === undefined ? [] : [messages];
}

function partText(part: JsonObject): string | undefined {
  const role = textAt(part, 'role');
  if (role === 'system') return undefined;
  const isMessage = role !== undefined || textAt(part, 'type') === 'text';
  return textAt(part, 'text') ?? (isMessage ? textAt(part, 'content') : undefined);
}

/** What tools write around or before what a person typed. */
const aside =
  /<(system-reminder|local-command-[a-z]+|command-message|ide_[a-z_]+|environment_context|user_instructions)>[^]*?<\/\1>/g;
const notice = /^(?:caveat: the messages below|\[request interrupted|this session is being continued)/i;

/** Of a long text its beginning is read. */
const mostRead = 20_000;

function textToLine(whole: string): string | undefined {
  const text = whole.slice(0, mostRead);
  const command = /<command-name>\s*([^<]+?)\s*<\/command-name>/.exec(text)?.[1];
  const args = /<command-args>\s*([^<]*?)\s*<\/command-args>/.exec(text)?.[1] ?? '';
  if (command !== undefined) return `${command}${args === '' ? '' : ` ${args}`}`.replace(/\s+/g, ' ');
  const said = text.replace(aside, ' ').trim();
  if (notice.test(said)) return undefined;
  const lines = said
    .split('\n')
    .map((one) =>
      one
        .replace(/^#+\s*/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((one) => one !== '');
  // A line that is a mark alone says what follows it is, not what was asked.
  return lines.find((one) => !/^<\/?[\w-]+>$/.test(one)) ?? lines[0];
}
