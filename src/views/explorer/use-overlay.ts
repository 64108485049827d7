/**
 * The overlay in force: what is supposed or changed comes first, then the comparison asked for, then what made the branch.
 *
 * The draft is the one the replay view edits, so an edit typed there is seen here and the other way round.
 */
import { useEffect, useMemo, useState } from 'react';
import { type BranchId, type EventId, branchId, eventId } from '../../core/model/index.ts';
import type { FilterSpec } from '../../core/projections/trace-reader.ts';
import {
  type ReplayRequest,
  type TraceId,
  useBranchMarks,
  useInspection,
  usePreview,
  useTraceQuery,
} from '../../data/index.ts';
import type { TraceLocation } from '../../state/location.ts';
import { type ReplayDraft, emptyDraft, useReplayDraft } from '../../state/replay-draft.ts';
import { shortId } from '../../ui/format.ts';
import { noFilter } from './explorer.ts';
import { type ListedEvents, type Overlay, marksToOverlay, previewToOverlay } from './overlay.ts';
import { titleToRead } from './title.ts';
import { draftToPreviewRequest, requestToSubject } from './preview-request.ts';

/** Milliseconds without typing before the preview follows. */
const settle = 150;
/** Events whose titles are at hand for paths of reasons; those beyond are named by their id. */
const titledRows = 5000;
const everything: FilterSpec = noFilter;

export interface OverlayState {
  readonly overlay: Overlay | undefined;
  /** What is supposed to be different, for the sentence; undefined where the overlay is no preview. */
  readonly subject: string | undefined;
  /** The event whose value is being changed in place. */
  readonly supposed: EventId | undefined;
  readonly isAsking: boolean;
  /** Why the edit cannot be made. */
  readonly problem: string | undefined;
  readonly draft: ReplayDraft;
  readonly titleOf: (event: EventId) => string;
  /** The branch that `overlay` compares with, or that made it. */
  readonly branch: string | undefined;
  /** What that branch was made from. */
  readonly parent: BranchId | undefined;
}

export function useOverlay(trace: TraceId, location: TraceLocation, hidden: ReplayDraft | undefined): OverlayState {
  const { branch, extra } = location;
  const written = useReplayDraft(trace, branch);
  const supposed = extra['if'] === undefined ? undefined : eventId(extra['if']);
  // A comparison that was asked for comes before an edit that only waits.
  const isSetAside = supposed === undefined && (written === hidden || extra['with'] !== undefined);
  const draft = isSetAside ? emptyDraft : written;
  const first = supposed ?? Object.keys(draft.steps).map(eventId)[0];
  const edited = useInspection(trace, branch, first);
  const run = typeof edited.data?.event === 'object' ? readRun(edited.data.event) : undefined;
  const isReady = first === undefined || !edited.isPending;
  const isInput = edited.data?.editable?.what === 'input';
  const wanted = useMemo(
    () =>
      draftToPreviewRequest(draft, supposed === undefined ? undefined : { event: supposed, isInput }, {
        trace,
        base: branch,
        run,
      }),
    [draft, supposed, isInput, trace, branch, run],
  );
  const preview = useSettledPreview(isReady ? wanted : undefined);
  const compared = extra['with'] === undefined ? branch : branchId(extra['with']);
  const marks = useBranchMarks(trace, compared);
  const { titleOf, all } = useListed(trace, location, wanted !== undefined);
  const overlay = useMemo<Overlay | undefined>(() => {
    if (wanted !== undefined) return preview.data === undefined ? undefined : previewToOverlay(preview.data, all);
    if (marks.data === undefined) return undefined;
    if (compared === branch) return marksToOverlay(marks.data, 'branch');
    return marks.data.parent === branch ? marksToOverlay(marks.data, 'parent') : undefined;
  }, [wanted, preview.data, all, marks.data, compared, branch]);
  return {
    overlay,
    subject: wanted === undefined ? undefined : draftToSubject(draft, first, edited.data?.row.title),
    supposed,
    isAsking: wanted !== undefined && preview.data === undefined && preview.problem === undefined,
    problem: wanted === undefined ? undefined : preview.problem,
    draft,
    titleOf,
    branch: overlay === undefined || overlay.kind === 'preview' ? undefined : compared,
    parent: marks.data?.parent,
  };
}

function readRun(event: object | null): string | undefined {
  const run = event === null ? undefined : new Map<string, unknown>(Object.entries(event)).get('run');
  return typeof run === 'string' ? run : undefined;
}

function draftToSubject(draft: ReplayDraft, first: EventId | undefined, title: string | undefined): string {
  const others = Object.keys(draft.steps).filter((event) => event !== first).length;
  const parts = [
    first === undefined ? undefined : `“${title === undefined ? shortId(first) : titleToRead(title).name}”`,
    others === 0 ? undefined : `${others} more`,
    draft.input === undefined ? undefined : 'the input of the run',
    draft.program === undefined ? undefined : 'the control program',
  ].filter((part) => part !== undefined);
  return parts.join(' and ');
}

interface SettledPreview {
  readonly data: ReturnType<typeof usePreview>['data'];
  readonly problem: string | undefined;
}

/** The last answer about the same places stays while the next one comes: nothing flickers while a person types. */
function useSettledPreview(wanted: ReplayRequest | undefined): SettledPreview {
  const [asked, setAsked] = useState(wanted);
  const [last, setLast] = useState<{ readonly data: SettledPreview['data']; readonly subject: string }>();
  const subject = requestToSubject(wanted);
  // Syncs with the typing of a person: the first question is asked at once, the next when the typing pauses.
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), asked === undefined ? 0 : settle);
    return () => clearTimeout(timer);
  }, [wanted, asked]);
  // What was asked about another subject answers nothing here.
  const isSame = requestToSubject(asked) === subject;
  const { data, error } = usePreview(wanted === undefined || !isSame ? undefined : asked);
  if (data !== undefined && (data !== last?.data || subject !== last.subject)) setLast({ data, subject });
  if (wanted === undefined && last !== undefined) setLast(undefined);
  const kept = last?.subject === subject ? last.data : undefined;
  return { data: wanted === undefined || error !== null ? undefined : (data ?? kept), problem: error?.message };
}

const nothingListed: ListedEvents = { ids: [], total: 0 };

/** The events of the branch, as far as they are at hand, and their titles. */
function useListed(
  trace: TraceId,
  { branch }: TraceLocation,
  enabled: boolean,
): { readonly titleOf: (event: EventId) => string; readonly all: ListedEvents } {
  const { data } = useTraceQuery(trace, 'rows', [branch, everything, 0, titledRows], { enabled });
  return useMemo(() => {
    const titles = new Map((data?.rows ?? []).map(({ id, title }) => [id, titleToRead(title).name]));
    return {
      titleOf: (event) => titles.get(event) ?? shortId(event),
      all: data === undefined ? nothingListed : { ids: data.rows.map(({ id }) => id), total: data.total },
    };
  }, [data]);
}
