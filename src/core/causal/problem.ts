/**
 * The shape of a problem, and how problems name events and logs. What is checked stands in `problems.ts` and its neighbours.
 */
import type { EventId } from '../model/index.ts';
import type { Branches } from './branches.ts';
import type { CausalIndex } from './causal-index.ts';
import type { CausalOrder } from './order.ts';
import type { EventSource } from './source.ts';

/** Where a record stood in what was opened; the same shape as the importer's places. */
export interface RecordPlace {
  readonly file: string;
  readonly line?: number | undefined;
  readonly offset: number;
}

export interface CausalProblem {
  readonly code: string;
  readonly message: string;
  readonly severity: 'problem' | 'notice';
  readonly place?: RecordPlace | undefined;
  readonly events: readonly EventId[];
  /** How many of what its code names (causes, holes, records) it tells of; absent: one. */
  readonly count?: number | undefined;
}

export interface ProblemInput {
  readonly index: CausalIndex;
  readonly source: EventSource;
  readonly order: CausalOrder;
  readonly branches: Branches;
  /** Place of a record by position, where the caller knows it. */
  readonly placeOf?: ((position: number) => RecordPlace | undefined) | undefined;
  /** Most events that are digested to hold one branch against its base; absent: any number. */
  readonly mostDigested?: number | undefined;
}

/** Adds one problem; the place is that of the first position, the count that of what the code names. */
export type Report = (
  severity: 'problem' | 'notice',
  code: string,
  message: string,
  positions: readonly number[],
  count?: number,
) => void;

/** Most events a problem lists. */
export const eventsPerProblem = 100;
/** `"id"`, with the line where it is known. */
export function nameEvent({ index, placeOf }: ProblemInput, position: number): string {
  const line = placeOf?.(position)?.line;
  return line === undefined ? `"${index.id(position)}"` : `"${index.id(position)}" (line ${line})`;
}

/** An event that a branch has no right to name (SPEC P11). */
export function tellMixture(input: ProblemInput, position: number, other: number, what: string, report: Report): void {
  const { index } = input;
  const message = `Event ${nameEvent(input, position)} of the branch "${index.branch(position)}" ${what} ${nameEvent(input, other)} of the branch "${index.branch(other)}", which it does not inherit.`;
  report('problem', 'mixed-branch', message, [position, other]);
}

export function logName(index: CausalIndex, position: number): string {
  const { component, instance, incarnation } = index.log(position);
  return [
    component,
    ...(instance === undefined ? [] : [instance]),
    ...(incarnation === undefined ? [] : [`life ${incarnation}`]),
  ].join(' ');
}
