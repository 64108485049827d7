/**
 * What every pane of the explorer receives: the trace, the branch, the filter and the one selection.
 *
 * Invariant: a pane changes the selection only through `select`, and follows it by scrolling, never by taking the focus.
 */
import type { BranchId, EventId } from '../../core/model/index.ts';
import type { FilterSpec } from '../../core/projections/trace-reader.ts';
import type { TraceId } from '../../data/index.ts';
import type { Panel } from '../../state/location.ts';
import type { Overlay } from './overlay.ts';

export interface Explorer {
  readonly trace: TraceId;
  readonly branch: BranchId;
  readonly filter: FilterSpec;
  /** The selected event; where the address names none, the first piece of evidence, or the first event. */
  readonly event: EventId | undefined;
  /** What to select first is not known yet; until then it is the first event, and the address does not name it. */
  readonly isChoosing: boolean;
  readonly select: (event: EventId) => void;
  /** Shows every event again. */
  readonly clearFilter: () => void;
  /** Shows the panel, and unfolds the pane it is in. */
  readonly showPanel: (panel: Panel) => void;
  readonly showFinding: (finding: string) => void;
  /** The finding opened in the list of findings, if any. */
  readonly finding: string | undefined;
  /** Opens the value of a decision or observation in place; undefined where nothing can be replayed. */
  readonly edit: ((event: EventId) => void) | undefined;
  /** True once after a person opened a value: its editor then takes the focus. */
  readonly takeEditFocus: () => boolean;
  /** The event whose value is open. */
  readonly edited: EventId | undefined;
  /** What an edit makes fall, or what a replay made of the run; undefined where neither is shown. */
  readonly overlay: Overlay | undefined;
  readonly titleOf: (event: EventId) => string;
}

export const noFilter: FilterSpec = { types: [], families: [], agents: [], steps: [], branches: [], text: '' };

/** Whether it hides anything. */
export function isFiltering({ text, where = [], types, families, agents, steps, branches }: FilterSpec): boolean {
  const lists: readonly (readonly unknown[])[] = [where, types, families, agents, steps, branches];
  return text !== '' || lists.some((list) => list.length > 0);
}
