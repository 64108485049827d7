/**
 * Which events a filter shows. Fields are compared over columns; every word of free text is searched in the records as they were written,
 * and in the titles that events are shown under.
 */
import { type Bitset, addBit, createBitset, hasBit } from '../causal/index.ts';
import { conditionToPredicate } from './conditions.ts';
import { findSteps } from './step-match.ts';
import { viewToTitleSearch } from './title-search.ts';
import type { FilterSpec } from './trace-reader.ts';
import type { TraceView } from './trace-view.ts';
import { matchesType } from './type-match.ts';

export const emptyFilter: FilterSpec = { types: [], families: [], agents: [], steps: [], branches: [], text: '' };

export function isEmptyFilter(filter: FilterSpec): boolean {
  return filterToKey(filter) === filterToKey(emptyFilter);
}

/** Two filters with one key mean the same. */
export function filterToKey(filter: FilterSpec): string {
  const { types, families, agents, steps, branches, where = [] } = filter;
  return JSON.stringify([types, families, agents, steps, branches, filterToTerms(filter), where]);
}

/** What is searched for, in lower case; each must be found. A text not cut into words is one phrase. */
export function filterToTerms({ text, terms = [text] }: Pick<FilterSpec, 'text' | 'terms'>): readonly string[] {
  return terms.map((term) => term.trim().toLowerCase()).filter((term) => term !== '');
}

export function computeMatches(view: TraceView, filter: FilterSpec): Bitset {
  const { index } = view;
  const shown = createBitset(index.count);
  const types = index.columns.types.map(
    (type) => filter.types.length === 0 || filter.types.some((wanted) => matchesType(type, wanted)),
  );
  const families = new Set(filter.families);
  const agents = new Set(filter.agents);
  const steps = findSteps(index.columns.steps, filter.steps);
  const branches = new Set(filter.branches);
  const conditions = (filter.where ?? []).map((condition) => conditionToPredicate(view, condition));
  const terms = filterToTerms(filter);
  const found = terms.length === 0 ? undefined : findText(view, terms);
  for (const position of view.positions) {
    if (types[index.columns.type[position] ?? 0] !== true) continue;
    if (families.size > 0 && !families.has(index.family(position))) continue;
    if (agents.size > 0 && !agents.has(index.agent(position) ?? '')) continue;
    if (filter.steps.length > 0 && !steps.has(index.step(position) ?? '')) continue;
    if (branches.size > 0 && !branches.has(index.branch(position))) continue;
    if (!conditions.every((meets) => meets(position))) continue;
    if (found === undefined || found(position)) addBit(shown, position);
  }
  return shown;
}

/** Records first: a title is asked only for what a record has not, and where it has all the rest. */
function findText(view: TraceView, terms: readonly string[]): (position: number) => boolean {
  const inRecord = terms.map((term) => ({ term, has: findInRecords(view, term) }));
  const titles = viewToTitleSearch(view);
  return (position) => {
    const missed = inRecord.filter(({ has }) => !has(position));
    return missed.every(({ term }) => titles.has(position, term));
  };
}

/** Sources that can search whole chunks do so at once; others are asked line by line, last of all conditions. */
function findInRecords({ source }: TraceView, needle: string): (position: number) => boolean {
  const hits = source.search?.(needle);
  if (hits !== undefined) return (position) => hasBit(hits, position);
  return (position) => source.line(position).toLowerCase().includes(needle);
}
