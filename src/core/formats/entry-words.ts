/**
 * What tells one trace of a list from the next: the first words of what was asked, and what an evaluation said of it.
 *
 * Invariant: words of the record, escaped and cut. Called where formats list their traces.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { lineToShown } from '../base/shown-text.ts';
import { eventToVerdict } from '../model/index.ts';
import type { EventDraft } from './draft.ts';
import type { TraceEntry } from './format.ts';
import { textAt } from './members.ts';
import type { Trace } from './spans/operation.ts';

type EntryWords = Pick<TraceEntry, 'about' | 'verdict'>;

const longest = 140;
/** Verdicts told of one trace. */
const most = 3;

export function draftsToWords(drafts: Iterable<EventDraft>): EntryWords {
  let about: string | undefined;
  const verdicts: string[] = [];
  for (const { type, data } of drafts) {
    about ??= draftToAbout(type, data);
    const verdict = eventToVerdict(type, data);
    if (verdict !== undefined && !verdicts.includes(verdict)) verdicts.push(verdict);
  }
  return toEntry(about, verdicts);
}

export function traceToWords({ input, operations }: Trace): EntryWords {
  const verdicts = operations.flatMap(({ as }) => (as === undefined ? [] : (eventToVerdict(as.type, as.data) ?? [])));
  return toEntry(valueToWords(input), [...new Set(verdicts)]);
}

function toEntry(about: string | undefined, verdicts: readonly string[]): EntryWords {
  return {
    ...(about === undefined ? {} : { about }),
    ...(verdicts.length === 0 ? {} : { verdict: verdicts.slice(0, most).join(', ') }),
  };
}

function draftToAbout(type: string, data: JsonObject): string | undefined {
  if (type === 'run.started') return valueToWords(data['input']);
  if (type === 'input.received') return valueToWords(data['value']);
  return type === 'message.sent' && data['role'] === 'user' ? valueToWords(data['content']) : undefined;
}

/** The first text that is no instruction to the model: of a text, a list of parts, or a list of messages. */
function valueToWords(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') {
    const line = lineToShown(
      value
        .slice(0, 4 * longest)
        .replace(/\s+/g, ' ')
        .trim(),
    );
    return line === '' ? undefined : line.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
  }
  for (const part of isJsonArray(value) ? value : []) {
    if (typeof part === 'string') return valueToWords(part);
    if (!isJsonObject(part) || textAt(part, 'role') === 'system') continue;
    const inner = part['content'];
    const [first] = isJsonArray(inner) ? inner : [];
    const text = textAt(part, 'text') ?? (typeof inner === 'string' ? inner : textAt(first, 'text'));
    const words = text === undefined ? undefined : valueToWords(text);
    if (words !== undefined) return words;
  }
  return undefined;
}
