/**
 * The views of a trace, each loaded when first shown.
 *
 * To add one: `src/views/<name>/View.tsx` exports a component with `TraceViewComponentProps`, and gets a line here. Its
 * button in the bar, its key and its command follow from that line.
 */
import { type ComponentType, lazy } from 'react';
import type { TraceId } from '../data/index.ts';
import type { TraceView, TraceViewProps } from '../state/location.ts';

export interface TraceViewComponentProps extends TraceViewProps {
  readonly trace: TraceId;
}

export interface TraceViewEntry {
  readonly label: string;
  /** What the button and the command say. */
  readonly verb: string;
  readonly key?: string;
  readonly icon: 'replay' | 'share' | 'target' | 'eye' | 'drill';
  readonly View: ComponentType<TraceViewComponentProps>;
}

export const traceViewEntries: Partial<Readonly<Record<TraceView, TraceViewEntry>>> = {
  explore: {
    label: 'Explore',
    verb: 'Explore',
    key: 'q',
    icon: 'target',
    View: lazy(async () => ({ default: (await import('../views/explorer/View.tsx')).View })),
  },
  replay: {
    label: 'Replay',
    verb: 'Replay',
    key: 'r',
    icon: 'replay',
    View: lazy(async () => ({ default: (await import('../views/replay/View.tsx')).View })),
  },
  recovery: {
    label: 'Recovery',
    verb: 'Recovery',
    key: 'y',
    icon: 'drill',
    View: lazy(async () => ({ default: (await import('../views/recovery/TraceView.tsx')).TraceView })),
  },
  share: {
    label: 'Share',
    verb: 'Share',
    key: 's',
    icon: 'share',
    View: lazy(async () => ({ default: (await import('../views/share/View.tsx')).View })),
  },
};
