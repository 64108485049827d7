/**
 * Which events a filter shows. Fields are compared over columns; free text is searched in the records as they were written.
 */
import { type Bitset, addBit, createBitset, hasBit } from '../causal/index.ts';
import { conditionToPredicate } from './conditions.ts';
import type { FilterSpec } from './trace-reader.ts';
import type { TraceView } from './trace-view.ts';
import { matchesType } from './type-match.ts';

export const emptyFilter: FilterSpec = { types: [], families: [], agents: [], steps: [], branches: [], text: '' };

export function isEmptyFilter(filter: FilterSpec): boolean {
  return filterToKey(filter) === filterToKey(emptyFilter);
}

/** Two filters with one key mean the same. */
export function filterToKey({ types, families, agents, steps, branches, text, where = [] }: FilterSpec): string {
  return JSON.stringify([types, families, agents, steps, branches, text.toLowerCase(), where]);
}

export function computeMatches(view: TraceView, filter: FilterSpec): Bitset {
  const { index } = view;
  const shown = createBitset(index.count);
  const types = index.columns.types.map(
    (type) => filter.types.length === 0 || filter.types.some((wanted) => matchesType(type, wanted)),
  );
  const families = new Set(filter.families);
  const agents = new Set(filter.agents);
  const steps = new Set(filter.steps);
  const branches = new Set(filter.branches);
  const conditions = (filter.where ?? []).map((condition) => conditionToPredicate(view, condition));
  const needle = filter.text.trim().toLowerCase();
  const found = needle === '' ? undefined : findText(view, needle);
  for (const position of view.positions) {
    if (types[index.columns.type[position] ?? 0] !== true) continue;
    if (families.size > 0 && !families.has(index.family(position))) continue;
    if (agents.size > 0 && !agents.has(index.agent(position) ?? '')) continue;
    if (steps.size > 0 && !steps.has(index.step(position) ?? '')) continue;
    if (branches.size > 0 && !branches.has(index.branch(position))) continue;
    if (found !== undefined && !found(position)) continue;
    if (conditions.every((meets) => meets(position))) addBit(shown, position);
  }
  return shown;
}

/** Sources that can search whole chunks do so at once; others are asked line by line, last of all conditions. */
function findText({ source }: TraceView, needle: string): (position: number) => boolean {
  const hits = source.search?.(needle);
  if (hits !== undefined) return (position) => hasBit(hits, position);
  return (position) => source.line(position).toLowerCase().includes(needle);
}
