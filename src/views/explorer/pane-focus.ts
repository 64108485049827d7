/**
 * Which part of the page a key asked the focus for: shown first, focused when it is there.
 *
 * Invariant: the focus moves only where a person asked for it, never because a selection changed.
 */
import type { Panel } from '../../state/location.ts';
import type { PaneId } from './FoldablePanes.tsx';

/** The panels have the numbers before it. */
export const inspectorKey = '7';

/** Asked again, the same pane is focused again: every request is an object of its own. */
export interface FocusRequest {
  readonly pane: PaneId;
}

/** The transcript has a pane of its own only where there are three. */
export function panelToPane(panel: Panel, hasTranscriptPane: boolean): PaneId {
  return panel === 'transcript' && hasTranscriptPane ? 'transcript' : 'left';
}

/** The inspector as a whole, in which the value that is to be edited will stand. */
export const inspectorId = 'inspector';

/** The element that holds what a pane shows, and takes the focus for it. */
export function paneToElementId(pane: PaneId): string {
  return `content-of-${pane}`;
}
