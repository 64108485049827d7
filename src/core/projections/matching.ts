/**
 * Which events a filter shows. Fields are compared over columns; free text is searched in the records as they were written.
 */
import { type Bitset, addBit, createBitset } from '../causal/index.ts';
import type { FilterSpec } from './trace-reader.ts';
import type { TraceView } from './trace-view.ts';

export const emptyFilter: FilterSpec = { types: [], families: [], agents: [], steps: [], branches: [], text: '' };

export function isEmptyFilter(filter: FilterSpec): boolean {
  return filterToKey(filter) === filterToKey(emptyFilter);
}

/** Two filters with one key mean the same. */
export function filterToKey({ types, families, agents, steps, branches, text }: FilterSpec): string {
  return JSON.stringify([types, families, agents, steps, branches, text.toLowerCase()]);
}

/** A type matches its own name, a prefix before a dot or underscore (`tool_call`), and with underscores for dots (`run_started`). */
export function matchesType(type: string, wanted: string): boolean {
  if (type === wanted || type.replaceAll('.', '_') === wanted) return true;
  return type.startsWith(wanted) && /^[._]/.test(type.slice(wanted.length));
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
  const needle = filter.text.trim().toLowerCase();
  for (const position of view.positions) {
    if (types[index.columns.type[position] ?? 0] !== true) continue;
    if (families.size > 0 && !families.has(index.family(position))) continue;
    if (agents.size > 0 && !agents.has(index.agent(position) ?? '')) continue;
    if (steps.size > 0 && !steps.has(index.step(position) ?? '')) continue;
    if (branches.size > 0 && !branches.has(index.branch(position))) continue;
    if (needle !== '' && !view.source.line(position).toLowerCase().includes(needle)) continue;
    addBit(shown, position);
  }
  return shown;
}
