/**
 * The text of the filter box to what it means.
 *
 *     type:tool_call agent:planner step:17 branch:b-12 family:effect "free text"
 *     tool:create_ticket status:failed session:s-1 principal:ana tokens:>1000 cost:0.01..0.5 duration:>=2s -type:note
 *
 * Words of one field are alternatives, different fields narrow each other, a minus means the opposite, and what is no field is text to
 * search for, each word in the record or the title of an event; quotes keep spaces and colons (`agent:"the planner"`, `"a:b"`). A field
 * without a value yet restricts nothing, so that typing is no error. Amounts may do without the colon (`tokens>12`); `word>…` with any
 * other word is an error, for as text it would hide everything. `tool:` takes a whole name, else a part of one (`conditions.ts`); `step:` an
 * id, the name that is shown, else the beginning of one (`step-match.ts`).
 * Written by hand: the policy of the page allows no code made at run time, which generated parsers may want.
 */
import { type Result, err, ok } from '../base/result.ts';
import { type EventFamily, eventFamily, knownEventTypes } from '../model/index.ts';
import { textToBounds } from './filter-amounts.ts';
import type { ConditionField, FilterCondition, FilterSpec } from './trace-reader.ts';

export interface FilterProblem {
  /** What is wrong and what to write instead. */
  readonly message: string;
  /** Where the word stands in the text. */
  readonly at: number;
  readonly length: number;
}

/** Fields with lists of their own in a filter, which every answer knows. */
const listFields = ['type', 'family', 'agent', 'step', 'branch'] as const;
type ListField = (typeof listFields)[number];

const nameFields = ['session', 'run', 'tool', 'principal'] as const;
const amountFields = ['tokens', 'cost', 'duration'] as const;
type AmountField = (typeof amountFields)[number];

const filterFields: readonly ConditionField[] = [...listFields, ...nameFields, 'status', ...amountFields];

export const filterStatuses = ['failed', 'ok', 'open', 'effect', 'repeated'] as const;

const eventFamilies: readonly EventFamily[] = [...new Set(knownEventTypes.map(eventFamily)), 'unknown'];

interface Word {
  readonly at: number;
  readonly length: number;
  /** Undefined for text. */
  readonly field?: string | undefined;
  readonly value: string;
  /** A comparison of what is no amount, as written: `agent>x`. */
  readonly compared?: string | undefined;
  /** Written with a minus before the field. */
  readonly isNot: boolean;
}

interface Draft {
  readonly lists: Record<ListField, string[]>;
  readonly families: EventFamily[];
  readonly where: { readonly field: ConditionField; readonly values: string[]; readonly not?: true | undefined }[];
  readonly bounds: FilterCondition[];
  readonly texts: string[];
}

export function parseFilter(text: string): Result<FilterSpec, FilterProblem> {
  const draft: Draft = {
    lists: { type: [], family: [], agent: [], step: [], branch: [] },
    families: [],
    where: [],
    bounds: [],
    texts: [],
  };
  for (const word of readWords(text)) {
    const message = takeWord(draft, word);
    if (message !== undefined) return err(problem(word, message));
  }
  const { type: types, agent: agents, step: steps, branch: branches } = draft.lists;
  const where = [...draft.where, ...draft.bounds];
  const { texts, families } = draft;
  const spec = { types, families, agents, steps, branches, text: texts.join(' ') };
  return ok({ ...spec, ...(texts.length > 1 ? { terms: texts } : {}), ...(where.length === 0 ? {} : { where }) });
}

/** Adds a word to the draft; the sentence where it cannot be understood. */
function takeWord(draft: Draft, word: Word): string | undefined {
  if (word.compared !== undefined) return noComparison(word.compared, word.value);
  if (word.field === undefined) {
    if (word.value !== '') draft.texts.push(word.value);
    return undefined;
  }
  const typed = word.field.toLowerCase();
  const field = filterFields.find((name) => name === typed);
  if (field === undefined) {
    const meant = filterFields.find((name) => isNear(name, typed));
    if (meant !== undefined) return unknownField(word.field, meant);
    draft.texts.push(`${word.isNot ? '-' : ''}${word.field}:${word.value}`);
    return undefined;
  }
  if (word.value === '') return undefined;
  if (isAmount(field)) return takeAmount(draft, field, word);
  const values = field === 'family' ? familiesFrom(word.value) : [word.value];
  if (values.length === 0) return unknownFamily(word.value);
  if (field === 'status' && !filterStatuses.some((status) => status === word.value)) {
    return `There is no status "${word.value}". Write one of ${filterStatuses.join(', ')}.`;
  }
  takeNames(draft, field, word, values);
  return undefined;
}

function takeNames(draft: Draft, field: ConditionField, { isNot }: Word, values: readonly string[]): void {
  const list = listFields.find((name) => name === field);
  if (list === 'family' && !isNot) draft.families.push(...eventFamilies.filter((family) => values.includes(family)));
  else if (list !== undefined && !isNot) draft.lists[list].push(...values);
  else {
    const known = draft.where.find((condition) => condition.field === field && (condition.not === true) === isNot);
    if (known === undefined) draft.where.push({ field, values: [...values], ...(isNot ? { not: true } : {}) });
    else known.values.push(...values);
  }
}

function takeAmount(draft: Draft, field: AmountField, { value, isNot }: Word): string | undefined {
  const bounds = textToBounds(value, field === 'duration');
  if (!bounds.ok) return bounds.error;
  if (bounds.value === undefined) return undefined;
  draft.bounds.push({ field, values: [], ...bounds.value, ...(isNot ? { not: true } : {}) });
  return undefined;
}

function isAmount(field: ConditionField): field is AmountField {
  return amountFields.some((name) => name === field);
}

function familiesFrom(value: string): readonly EventFamily[] {
  return eventFamilies.filter((family) => family.startsWith(value.toLowerCase()));
}

function problem(word: Word, message: string): FilterProblem {
  return { message, at: word.at, length: word.length };
}

function unknownField(field: string, meant: string): string {
  return `There is no field "${field}". Write "${meant}:", or put the word in quotes to search for it as text.`;
}

function noComparison(field: string, value: string): string {
  const typed = field.toLowerCase();
  const known = filterFields.find((name) => name === typed);
  const meant = filterFields.find((name) => isNear(name, typed));
  const what = known === undefined ? `There is no field "${field}".` : `"${known}" is no amount.`;
  const write = known === undefined ? meant : `${known}:`;
  const instead = write === undefined ? 'Put' : `Write "${write}", or put`;
  const rest =
    known === undefined ? `. The other fields are ${filterFields.filter((name) => !isAmount(name)).join(', ')}` : '';
  return `${what} What can be compared is ${amountFields.join(', ')}${rest}. ${instead} "${field}${value}" in quotes to search for it as text.`;
}

function unknownFamily(family: string): string {
  return `There is no family "${family}". Families are ${eventFamilies.join(', ')}.`;
}

function readWords(text: string): Word[] {
  const words: Word[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at] ?? '')) {
      at++;
      continue;
    }
    const word = readWord(text, at);
    words.push(word);
    at += word.length;
  }
  return words;
}

/** One word from `start`: the first colon outside quotes ends a field name; a backslash keeps a quote inside quotes. */
function readWord(text: string, start: number): Word {
  let field: string | undefined;
  let value = '';
  let isQuoted = false;
  let wasQuoted = false;
  const isMinus = text[start] === '-';
  let at = isMinus ? start + 1 : start;
  for (; at < text.length; at++) {
    const char = text[at] ?? '';
    if (isQuoted && char === '\\' && at + 1 < text.length) value += text[++at] ?? '';
    else if (char === '"') {
      isQuoted = !isQuoted;
      wasQuoted = true;
    } else if (!isQuoted && /\s/.test(char)) break;
    else if (!isQuoted && !wasQuoted && field === undefined && char === ':' && value !== '') {
      field = value;
      value = '';
    } else value += char;
  }
  const length = at - start;
  const compared = field === undefined && !wasQuoted ? readComparison(value) : undefined;
  if (compared !== undefined) return { at: start, length, isNot: isMinus, ...compared };
  // A minus before what is no field is part of the text.
  if (field === undefined)
    return { at: start, length, value: isMinus && value !== '' ? `-${value}` : value, isNot: false };
  return { at: start, length, field, value, isNot: isMinus };
}

/** `tokens>12` is `tokens:>12`. With `=` only an amount is meant: `key=value` is a text that people search for. */
function readComparison(text: string): Pick<Word, 'field' | 'compared' | 'value'> | undefined {
  const [, name = '', value = ''] = /^([a-z_]+)([<>=].*)$/i.exec(text) ?? [];
  if (name === '') return undefined;
  if (amountFields.some((field) => field === name.toLowerCase())) return { field: name, value };
  return value.startsWith('=') ? undefined : { compared: name, value };
}

/** One letter added, left out, changed, or two neighbours swapped. */
function isNear(name: string, typed: string): boolean {
  if (Math.abs(name.length - typed.length) > 1 || typed.length < 3) return false;
  let start = 0;
  while (start < name.length && name[start] === typed[start]) start++;
  const rest = name.slice(start);
  const typedRest = typed.slice(start);
  return (
    rest.slice(1) === typedRest ||
    rest === typedRest.slice(1) ||
    rest.slice(1) === typedRest.slice(1) ||
    (rest[0] === typedRest[1] && rest[1] === typedRest[0] && rest.slice(2) === typedRest.slice(2))
  );
}
