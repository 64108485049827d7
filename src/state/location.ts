/**
 * What the address of the page says, and how a view asks for another address.
 *
 * Invariant: trace, branch, event, view, filter and panel live in the URL alone; nothing copies them into a store. The
 * application reads and writes the address (`app/route.ts`) and hands this context down; views take it once at their
 * top and pass values on as parameters.
 */
import { createContext, useContext } from 'react';
// From the file itself: the barrel brings the schemas along, which the first page does not need.
import { type BranchId, type EventId, mainBranch } from '../core/model/ids.ts';

/** What can be shown of one trace. */
export const traceViews = ['explore', 'replay', 'recovery', 'share'] as const;
export type TraceView = (typeof traceViews)[number];

/** Left-hand panels of the explorer. */
export const panels = ['graph', 'timeline', 'transcript', 'effects', 'state', 'findings'] as const;
export type Panel = (typeof panels)[number];

export interface TraceLocation {
  readonly kind: 'trace';
  readonly trace: string;
  readonly view: TraceView;
  readonly branch: BranchId;
  readonly event?: EventId | undefined;
  readonly filter: string;
  readonly panel: Panel;
  /** What a view keeps for itself in the address (an open tab, the branch compared with). */
  readonly extra: Readonly<Record<string, string>>;
}

export interface RecoveryLocation {
  readonly kind: 'recovery';
  readonly traces: readonly string[];
  readonly extra: Readonly<Record<string, string>>;
}

export type Location =
  | {
      readonly kind: 'library';
      /** A URL the person is asked about before it is opened. */ readonly source?: string | undefined;
    }
  | TraceLocation
  /** Recovery trials: of the traces named, or of the whole library. */
  | RecoveryLocation
  /** A share carried by the link itself, or its key; core/share reads the fragment. */
  | { readonly kind: 'received'; readonly fragment: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** What changes; everything else stays as it is. An `extra` of `undefined` is removed. */
export interface TraceChange {
  readonly view?: TraceView;
  readonly branch?: BranchId;
  readonly event?: EventId | undefined;
  readonly filter?: string;
  readonly panel?: Panel;
  readonly extra?: Readonly<Record<string, string | undefined>>;
}

/** The `extra` that keeps the event selected on the branch that was left: the explorer selects what stands in its place. */
export const leftExtra = 'left';

/** Another branch of the same trace; what was selected is no event of it, so the selection is found anew. */
export function branchChange({ branch, event, extra }: TraceLocation, to: BranchId): TraceChange {
  if (branch === to) return {};
  return { branch: to, event: undefined, extra: { [leftExtra]: event ?? extra[leftExtra] } };
}

export interface Navigation {
  readonly location: Location;
  /** `replace` for what a person does many times in a row (walking events): Back then leaves the view at once. */
  readonly go: (to: Location, how?: 'push' | 'replace') => void;
  readonly hrefOf: (to: Location) => string;
}

export function traceLocation(trace: string): TraceLocation {
  return { kind: 'trace', trace, view: 'explore', branch: mainBranch, filter: '', panel: 'graph', extra: {} };
}

export function recoveryLocation(traces: readonly string[] = []): RecoveryLocation {
  return { kind: 'recovery', traces, extra: {} };
}

export function changeLocation(from: TraceLocation, change: TraceChange): TraceLocation {
  const { extra: changedExtra = {}, ...rest } = change;
  const extra: Record<string, string> = {};
  for (const [key, value] of Object.entries({ ...from.extra, ...changedExtra })) {
    if (value !== undefined) extra[key] = value;
  }
  return { ...from, ...rest, extra };
}

export const NavigationContext = createContext<Navigation | undefined>(undefined);

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (navigation === undefined) throw new Error('A view must be shown inside the application, which owns the address.');
  return navigation;
}

/** Every view of a trace receives this. */
export interface TraceViewProps {
  readonly location: TraceLocation;
  /** Changes part of the address; selecting an event replaces, everything else pushes. */
  readonly change: (change: TraceChange, how?: 'push' | 'replace') => void;
  /** The views this page has, so that one view offers only ways that lead somewhere. */
  readonly views: readonly TraceView[];
}
