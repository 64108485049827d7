/**
 * What the filter box offers while a person types: the names of fields, then the values that occur in this trace.
 *
 * Pure over the text, the caret and the words of the trace; the meaning of a filter is `parseFilter`'s alone.
 */
import type { TraceSummary } from '../core/projections/trace-reader.ts';

export interface Completion {
  /** Replaces the word under the caret. */
  readonly insert: string;
  readonly label: string;
  readonly detail: string;
}

export interface Completions {
  readonly from: number;
  readonly to: number;
  readonly options: readonly Completion[];
}

const most = 12;

const fields: readonly Completion[] = [
  { insert: 'type:', label: 'type:', detail: 'type of event, such as tool_call.dispatched' },
  { insert: 'family:', label: 'family:', detail: 'model, tool, effect, state, fault …' },
  { insert: 'agent:', label: 'agent:', detail: 'who originated it' },
  { insert: 'step:', label: 'step:', detail: 'the step it happened in' },
  { insert: 'branch:', label: 'branch:', detail: 'the branch it was written on' },
];

const families = [
  'effect',
  'fault',
  'model',
  'tool',
  'observation',
  'state',
  'artifact',
  'governance',
  'check',
  'handoff',
  'step',
  'run',
  'branch',
  'trial',
  'stream',
  'note',
];

/** A value as the filter reads it back: in quotes where it has a space or a quote. */
export function valueToToken(value: string): string {
  return /[\s"]/.test(value) ? `"${value.replaceAll('"', '\\"')}"` : value;
}

function counted(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`;
}

function valuesOf(
  field: string,
  summary: TraceSummary | undefined,
): readonly { readonly value: string; readonly detail: string }[] {
  switch (field) {
    case 'type':
      return (summary?.types ?? []).map(({ name, count }) => ({ value: name, detail: counted(count) }));
    case 'agent':
      return (summary?.agents ?? []).map(({ name, count }) => ({ value: name, detail: counted(count) }));
    case 'branch':
      return (summary?.branches ?? []).map(({ id, label, ownEvents }) => ({
        value: id,
        detail: `${label}, ${counted(ownEvents)}`,
      }));
    case 'family':
      return families.map((value) => ({ value, detail: '' }));
    default:
      return [];
  }
}

/** The word under the caret: from the last space outside quotes to the caret. */
function wordAt(text: string, caret: number): number {
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < caret; at += 1) {
    if (text[at] === '"' && text[at - 1] !== '\\') isQuoted = !isQuoted;
    else if (!isQuoted && /\s/.test(text[at] ?? '')) from = at + 1;
  }
  return from;
}

export function completeFilter(text: string, caret: number, summary: TraceSummary | undefined): Completions {
  const from = wordAt(text, caret);
  const word = text.slice(from, caret);
  const colon = word.indexOf(':');
  if (colon < 0) {
    return { from, to: caret, options: fields.filter(({ insert }) => insert.startsWith(word.toLowerCase())) };
  }
  const field = word.slice(0, colon);
  const typed = word
    .slice(colon + 1)
    .replaceAll('"', '')
    .toLowerCase();
  const matching = valuesOf(field, summary).filter(
    ({ value }) => value.toLowerCase().includes(typed) && value.toLowerCase() !== typed,
  );
  const options = matching
    .slice(0, most)
    .map(({ value, detail }) => ({ insert: `${field}:${valueToToken(value)} `, label: value, detail }));
  return { from, to: caret, options };
}
