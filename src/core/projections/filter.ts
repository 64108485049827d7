/**
 * The text of the filter box to what it means.
 *
 *     type:tool_call agent:planner step:17 branch:b-12 family:effect "free text"
 *
 * Words of one field are alternatives, different fields narrow each other, and what is no field is text to search for; quotes keep
 * spaces and colons (`agent:"the planner"`, `"a:b"`). A field without a value yet restricts nothing, so that typing is no error.
 */
import { type Result, err, ok } from '../base/result.ts';
import { type EventFamily, eventFamily, knownEventTypes } from '../model/index.ts';
import type { FilterSpec } from './trace-reader.ts';

export interface FilterProblem {
  /** What is wrong and what to write instead. */
  readonly message: string;
  /** Where the word stands in the text. */
  readonly at: number;
  readonly length: number;
}

export const filterFields = ['type', 'family', 'agent', 'step', 'branch'] as const;
type FilterField = (typeof filterFields)[number];

export const eventFamilies: readonly EventFamily[] = [...new Set(knownEventTypes.map(eventFamily)), 'unknown'];

interface Word {
  readonly at: number;
  readonly length: number;
  /** Undefined for text. */
  readonly field?: string | undefined;
  readonly value: string;
}

export function parseFilter(text: string): Result<FilterSpec, FilterProblem> {
  const lists: Record<FilterField, string[]> = { type: [], family: [], agent: [], step: [], branch: [] };
  const families: EventFamily[] = [];
  const texts: string[] = [];
  for (const word of readWords(text)) {
    if (word.field === undefined) {
      if (word.value !== '') texts.push(word.value);
      continue;
    }
    const field = filterFields.find((name) => name === word.field?.toLowerCase());
    if (field === undefined) {
      const meant = filterFields.find((name) => isNear(name, word.field?.toLowerCase() ?? ''));
      if (meant !== undefined) return err(problem(word, unknownField(word.field, meant)));
      texts.push(`${word.field}:${word.value}`);
    } else if (field === 'family' && word.value !== '') {
      const found = eventFamilies.filter((family) => family.startsWith(word.value.toLowerCase()));
      if (found.length === 0) return err(problem(word, unknownFamily(word.value)));
      families.push(...found);
    } else if (word.value !== '') lists[field].push(word.value);
  }
  const { type: types, agent: agents, step: steps, branch: branches } = lists;
  return ok({ types, families, agents, steps, branches, text: texts.join(' ') });
}

function problem(word: Word, message: string): FilterProblem {
  return { message, at: word.at, length: word.length };
}

function unknownField(field: string, meant: string): string {
  return `There is no field "${field}". Write "${meant}:", or put the word in quotes to search for it as text.`;
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
  let at = start;
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
  return { at: start, length: at - start, field, value };
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
