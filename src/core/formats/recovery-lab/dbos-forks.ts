/**
 * Forks of DBOS workflows as branches: a fork whose original was opened shows the steps that it copied, and its own.
 *
 * Invariant: copied rows make no events of their own; what the original did from the first step that was run anew is not shown by the fork.
 */
import { mainBranch } from '../../model/index.ts';
import { type DbosNames, stepId, workflowOf } from './dbos-rows.ts';
import { numberAt } from './record.ts';
import type { EventOfRow, ExportRow } from './tables.ts';

export interface Forks {
  readonly branchOf: (execution: string) => string | undefined;
  /** Whether the row is that of a step which stands in the original. */
  readonly isCopied: (row: ExportRow) => boolean;
  /** `branch.created` of every fork, by the row of its workflow; takes the rows that make events, and the ids of these. */
  readonly toEvents: (
    rows: readonly ExportRow[],
    ids: ReadonlySet<string>,
  ) => readonly { readonly row: ExportRow; readonly event: EventOfRow }[];
}

export function createForks(rows: readonly ExportRow[], { originals, parents }: DbosNames): Forks {
  /** The steps that a workflow shows, copied ones as those of the original, by number. */
  const steps = new Map<string, Map<string, number>>();
  for (const row of rows) {
    if (row.table !== 'dbos-output') continue;
    const shown = steps.get(workflowOf(row)) ?? new Map<string, number>();
    steps.set(workflowOf(row), shown);
    shown.set(originals.get(stepId(row)) ?? stepId(row), numberAt(row.cells, 'function_id') ?? 0);
  }
  const stepsOf = (workflow: string): ReadonlyMap<string, number> => steps.get(workflow) ?? new Map<string, number>();
  const branchOf = (execution: string): string | undefined =>
    parents.has(execution) ? `fork-${execution}` : undefined;

  function toEvent(workflow: string, from: string, ids: ReadonlySet<string>): EventOfRow {
    const shown = stepsOf(workflow);
    const copied = [...stepsOf(from)].filter(([id]) => shown.has(id)).sort(([, a], [, b]) => b - a);
    const left = [...stepsOf(from).keys()].filter((id) => !shown.has(id)).flatMap((id) => [id, `${id}/start`]);
    const parent = branchOf(from) ?? mainBranch;
    const fork = copied[0]?.[0] ?? `dbos/${from}`;
    const minus = [...left, `dbos/${from}/end`].filter((id) => ids.has(id)).sort();
    return {
      id: `dbos/${workflow}/branch`,
      type: 'branch.created',
      causes: [{ event: fork, as: 'caused_by', rule: 'dbos-copied-step' }],
      data: { parent, fork, frontier: { base: parent, minus } },
    };
  }

  return {
    branchOf,
    isCopied: (row) => row.table === 'dbos-output' && originals.has(stepId(row)),
    toEvents: (chosen, ids) =>
      chosen.flatMap((row) => {
        const from = row.table === 'dbos-status' ? parents.get(workflowOf(row)) : undefined;
        return from === undefined ? [] : [{ row, event: toEvent(workflowOf(row), from, ids) }];
      }),
  };
}
