/**
 * What every pane of the explorer receives: the trace, the branch, the filter and the one selection.
 *
 * Invariant: a pane changes the selection only through `select`, and follows it by scrolling, never by taking the focus.
 */
import type { BranchId, EventId } from '../../core/model/index.ts';
import type { FilterSpec } from '../../core/projections/trace-reader.ts';
import type { TraceId } from '../../data/index.ts';
import type { Panel } from '../../state/location.ts';

export interface Explorer {
  readonly trace: TraceId;
  readonly branch: BranchId;
  readonly filter: FilterSpec;
  /** The selected event; where the address names none, the first piece of evidence, or the first event. */
  readonly event: EventId | undefined;
  readonly select: (event: EventId) => void;
  /** Selects and shows it in the graph. */
  readonly showPanel: (panel: Panel) => void;
  readonly showFinding: (finding: string) => void;
  /** The finding opened in the list of findings, if any. */
  readonly finding: string | undefined;
  readonly edit: ((event: EventId) => void) | undefined;
}

export const noFilter: FilterSpec = { types: [], families: [], agents: [], steps: [], branches: [], text: '' };
