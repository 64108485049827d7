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
  { insert: 'step:', label: 'step:', detail: 'the step it happened in, by its name, the beginning of it, or its id' },
  { insert: 'branch:', label: 'branch:', detail: 'the branch it was written on' },
  { insert: 'tool:', label: 'tool:', detail: 'calls of a tool and their answers, by its name or a part' },
  { insert: 'status:', label: 'status:', detail: 'failed, ok, open, effect, repeated' },
  { insert: 'session:', label: 'session:', detail: 'the session it belongs to' },
  { insert: 'run:', label: 'run:', detail: 'the run it belongs to' },
  { insert: 'principal:', label: 'principal:', detail: 'for whom it was done' },
  { insert: 'duration:>', label: 'duration:', detail: 'from call to answer, such as >2s or 100ms..1s' },
  { insert: 'tokens:>', label: 'tokens:', detail: 'of a model call, in and out, such as >1000' },
  { insert: 'cost:>', label: 'cost:', detail: 'of a model call as recorded, such as >0.01' },
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

interface Offered {
  readonly value: string;
  readonly detail: string;
}

const statuses: readonly Offered[] = [
  { value: 'failed', detail: 'tells of a failure, a refusal, a loss or a death' },
  { value: 'ok', detail: 'does not' },
  { value: 'open', detail: 'a call without a recorded answer' },
  { value: 'effect', detail: 'an act on the outside world' },
  { value: 'repeated', detail: 'read before, or emitted again by a recovery' },
];

function countedToValues(names: TraceSummary['types'] = []): readonly Offered[] {
  return names.map(({ name, count }) => ({ value: name, detail: counted(count) }));
}

function valuesOf(field: string, summary: TraceSummary | undefined): readonly Offered[] {
  switch (field) {
    case 'type':
      return countedToValues(summary?.types);
    case 'agent':
      return countedToValues(summary?.agents);
    case 'step':
      return countedToValues(summary?.steps);
    case 'branch':
      return (summary?.branches ?? []).map(({ id, label, ownEvents }) => ({
        value: id,
        detail: `${label}, ${counted(ownEvents)}`,
      }));
    case 'family':
      return families.map((value) => ({ value, detail: '' }));
    case 'status':
      return statuses;
    case 'tool':
      return countedToValues(summary?.tools);
    case 'principal':
      return countedToValues(summary?.principals);
    case 'session':
      return countedToValues(summary?.sessions);
    case 'run':
      return (summary?.runs ?? []).map(({ run, events, outcome }) => ({
        value: run,
        detail: `${outcome}, ${counted(events)}`,
      }));
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

/** Fields that take the beginning or a part of a value: what is typed so far already means something. */
const takesParts: ReadonlySet<string> = new Set(['tool', 'family', 'step']);

/**
 * True where the word under the caret is on its way to a field or to a value of this trace. As it stands it would hide everything
 * for as long as it is being typed, so the filter before it stays until the word is whole, or is asked for by Enter.
 */
export function isHalfTyped(text: string, caret: number, summary: TraceSummary | undefined): boolean {
  const start = wordAt(text, caret);
  const word = text.slice(text[start] === '-' ? start + 1 : start, caret).toLowerCase();
  if (word === '' || word.startsWith('"') || /^\S/.test(text.slice(caret))) return false;
  const colon = word.indexOf(':');
  if (colon < 0) return fields.some(({ label }) => label.startsWith(word));
  const field = word.slice(0, colon);
  const typed = word.slice(colon + 1).replaceAll('"', '');
  if (!fields.some(({ label }) => label === `${field}:`)) return false;
  if (/^[<>=.]*$/.test(typed)) return true;
  if (takesParts.has(field)) return false;
  const values = valuesOf(field, summary).map(({ value }) => value.toLowerCase());
  return !values.includes(typed) && values.some((value) => value.includes(typed));
}

/** `saved` are whole filters that the person keeps: offered before anything is typed. */
export function completeFilter(
  text: string,
  caret: number,
  summary: TraceSummary | undefined,
  saved: readonly string[] = [],
): Completions {
  if (text.trim() === '' && saved.length > 0) {
    const kept = saved.map((filter) => ({ insert: filter, label: filter, detail: 'kept filter' }));
    return { from: 0, to: text.length, options: [...kept, ...fields] };
  }
  const start = wordAt(text, caret);
  // A minus means the opposite of what follows it.
  const from = text[start] === '-' ? start + 1 : start;
  const word = text.slice(from, caret);
  const colon = word.indexOf(':');
  if (colon < 0) {
    return { from, to: caret, options: fields.filter(({ label }) => label.startsWith(word.toLowerCase())) };
  }
  const field = word.slice(0, colon).toLowerCase();
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

/** What a person typed ahead of the filter in use, and the filter it was typed over. */
export interface FilterDraft {
  readonly text: string;
  readonly over: string;
}

/**
 * The text in the box. A draft counts only over the filter it was typed on, and over the one that came of it, which has no space at its
 * ends: Back, or a link, wins.
 */
export function draftToText(draft: FilterDraft | undefined, filter: string): string {
  if (draft === undefined) return filter;
  return draft.over === filter || draft.text.trim() === filter ? draft.text : filter;
}
