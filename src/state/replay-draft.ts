/**
 * What a person has changed in a replay that is not run yet, or is being continued: texts as typed, by trace and branch.
 *
 * Invariant: drafts live in memory alone, survive a walk to another view, and are never part of the record. A link carries none of it:
 * what was run is in the branch it made.
 */
import { create } from 'zustand';
import type { JsonObject } from '../core/base/json.ts';

/** What control code is to receive: a value, or an error with name and message; as text, because it may be half typed. */
export interface DraftValue {
  readonly as: 'value' | 'error';
  readonly text: string;
}

export interface DraftSupply extends DraftValue {
  readonly path: string;
  /** The event that proves an uncertain effect. */
  readonly evidence?: string | undefined;
  /** Where it was taken from, where no person wrote it: another run, or a model that was asked. */
  readonly from?: JsonObject | undefined;
  /** Digest of the arguments it answers, where no person wrote it: after another edit the command may ask something else. */
  readonly asked?: string | undefined;
}

/** What is put in place of an event; its id is whatever a file says, also `constructor`. */
export function draftToStep({ steps }: Pick<ReplayDraft, 'steps'>, event: string): DraftValue | undefined {
  return Object.hasOwn(steps, event) ? steps[event] : undefined;
}

export interface ReplayDraft {
  /** By the event whose value is replaced. */
  readonly steps: Readonly<Record<string, DraftValue>>;
  readonly input: string | undefined;
  readonly program: string | undefined;
  readonly supplies: readonly DraftSupply[];
  readonly reason: string;
  /** Reads that may meet changed resources are delivered and flagged, instead of not delivered. */
  readonly lenient: boolean;
}

export const emptyDraft: ReplayDraft = {
  steps: {},
  input: undefined,
  program: undefined,
  supplies: [],
  reason: '',
  lenient: false,
};

interface Drafts {
  readonly byPlace: Readonly<Record<string, ReplayDraft>>;
  /** The run that the draft of a place changes; the drafts of its other runs are put aside. */
  readonly runOf: Readonly<Record<string, string>>;
}

const useDrafts = create<Drafts>(() => ({ byPlace: {}, runOf: {} }));

function placeOf(trace: string, branch: string): string {
  return `${trace} ${branch}`;
}

export function useReplayDraft(trace: string, branch: string): ReplayDraft {
  return useDrafts(({ byPlace }) => byPlace[placeOf(trace, branch)] ?? emptyDraft);
}

/** The draft after the change. */
export function changeReplayDraft(
  trace: string,
  branch: string,
  change: (draft: ReplayDraft) => ReplayDraft,
): ReplayDraft {
  const place = placeOf(trace, branch);
  const next = change(useDrafts.getState().byPlace[place] ?? emptyDraft);
  useDrafts.setState(({ byPlace }) => ({ byPlace: { ...byPlace, [place]: next } }));
  return next;
}

/**
 * Another run of the trace is shown: what was changed on the one is put aside, and what was changed on the other before is taken up.
 * Nothing happens where the draft is already that of the run, and a draft of no run yet becomes its own.
 */
export function takeUpReplayDraft(trace: string, branch: string, run: string): void {
  useDrafts.setState(({ byPlace, runOf }) => {
    const place = placeOf(trace, branch);
    const before = runOf[place];
    if (before === run) return {};
    if (before === undefined) return { runOf: { ...runOf, [place]: run } };
    const asideOf = (other: string): string => JSON.stringify([place, other]);
    return {
      byPlace: {
        ...byPlace,
        [asideOf(before)]: byPlace[place] ?? emptyDraft,
        [place]: byPlace[asideOf(run)] ?? emptyDraft,
      },
      runOf: { ...runOf, [place]: run },
    };
  });
}
