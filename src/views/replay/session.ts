/**
 * One replay being prepared, run and continued: what every part of the view receives.
 *
 * Invariant: the draft is the only thing that changes here; what was run is kept with its request, so that a result is never shown as the
 * answer to a draft it does not belong to.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { BranchId, EventId } from '../../core/model/index.ts';
import type { EventRow, RunSummary } from '../../core/projections/trace-reader.ts';
import {
  type Preview,
  type ReplayReport,
  type ReplayRequest,
  type ReplayState,
  type TraceId,
  usePreview,
  useReplay,
  useSummary,
} from '../../data/index.ts';
import {
  type DraftSupply,
  type ReplayDraft,
  changeReplayDraft,
  takeUpReplayDraft,
  useReplayDraft,
} from '../../state/replay-draft.ts';
import { countOf } from '../../ui/format.ts';
import { announce, notify } from '../../ui/notices.ts';
import { findDoubtful, replayChecked } from './checked-replay.ts';
import { isBranchThere } from './branch-there.ts';
import { type DraftReading, draftToRequest, underName, requestToPreview, requestToStanding } from './draft-request.ts';
import { type RunFacts, useEventTitles, useRunFacts } from './facts.ts';

export interface ReplayResult {
  readonly request: ReplayRequest;
  readonly report: ReplayReport;
}

export interface ReplaySession {
  readonly trace: TraceId;
  readonly branch: BranchId;
  readonly facts: RunFacts;
  /** All runs of the trace. */
  readonly runs: readonly RunSummary[];
  /** Whether a branch is still in the library; so told while the list is being read. */
  readonly hasBranch: (branch: BranchId | string) => boolean;
  readonly titles: ReadonlyMap<EventId, EventRow>;
  readonly draft: ReplayDraft;
  readonly change: (change: (draft: ReplayDraft) => ReplayDraft) => ReplayDraft;
  readonly reading: DraftReading;
  /** The answer to the edits as they are; undefined while something typed is not usable. */
  readonly preview: {
    readonly data: Preview | undefined;
    readonly problem: string | undefined;
    readonly isAsked: boolean;
  };
  readonly state: ReplayState;
  /** Of this branch and run; what was made of another is no answer about them. */
  readonly result: ReplayResult | undefined;
  /** The last replay was of this branch or run, which is not the one that is shown. */
  readonly elsewhere: ReplayRequest | undefined;
  /** What is changed is not what the result was made of, or nothing is any more. */
  readonly isResultOld: boolean;
  /** The program is not the recorded one and was not shown to repeat the record. */
  readonly isUnverified: boolean;
  /** Recorded, or brought by a person. */
  readonly hasProgram: boolean;
  readonly canReplay: boolean;
  /** The name that was typed here, which the next replay is made under at once: it is kept only when the field is left. */
  readonly person: string | undefined;
  readonly namePerson: (typed: string) => void;
  readonly replay: (draft?: ReplayDraft) => void;
  readonly verify: () => void;
  readonly runAgain: (request: ReplayRequest) => void;
  readonly cancel: () => void;
  readonly dismiss: () => void;
}

const noRuns: readonly RunSummary[] = [];

/** Milliseconds without typing before the preview follows. */
const settle = 150;

export function useReplaySession(
  trace: TraceId,
  branch: BranchId,
  run: string | undefined,
  onResult: () => void,
): ReplaySession {
  const facts = useRunFacts(trace, branch, run);
  const summary = useSummary(trace);
  const titles = useEventTitles(trace, branch);
  const draft = useReplayDraft(trace, branch);
  const change = useCallback(
    (make: (draft: ReplayDraft) => ReplayDraft) => changeReplayDraft(trace, branch, make),
    [trace, branch],
  );
  const place = useMemo(() => ({ trace, base: branch, run: facts.run }), [trace, branch, facts.run]);
  const reading = useMemo(() => draftToRequest(draft, place), [draft, place]);
  const preview = useSettledPreview(reading.request);
  const { state, run: runReplay, cancel, dismiss } = useReplay();
  const [kept, keepResult] = useKept<ReplayResult>('replay result', trace);
  const standing = kept === undefined ? undefined : requestToStanding(kept.request, place, reading);
  // Syncs the drafts, which are by run, with the run that is shown: an event of another run shows that run.
  useEffect(() => {
    if (facts.run !== undefined) takeUpReplayDraft(trace, branch, facts.run);
  }, [trace, branch, facts.run]);
  const [person, namePerson] = useState<string>();
  const [verified, keepVerified] = useKept<string>('verified program', trace);

  const start = useCallback(
    (asked: ReplayRequest, doubtful: readonly DraftSupply[] = []) => {
      replayChecked(underName(asked, person), doubtful, runReplay).then((made) => {
        if (made === undefined) return;
        const { request, report, dropped } = made;
        if (dropped.length > 0) {
          const paths = new Set(dropped.map(({ path }) => path));
          change((now) => ({ ...now, supplies: now.supplies.filter(({ path }) => !paths.has(path)) }));
          notify(droppedToSentence(dropped));
        }
        keepResult({ request, report });
        if (isIdentical(report) && request.program !== undefined) keepVerified(request.program);
        announce(report.sentence);
        onResult();
      }, reportError);
    },
    [person, runReplay, change, keepResult, keepVerified, onResult],
  );
  const replay = useCallback(
    (changed?: ReplayDraft) => {
      const { request } = changed === undefined ? reading : draftToRequest(changed, place);
      if (request !== undefined) start(request, findDoubtful((changed ?? draft).supplies, request, kept?.request));
    },
    [reading, draft, place, kept, start],
  );
  const { program } = draft;
  const verify = useCallback(
    () =>
      start({
        ...place,
        edits: [],
        supply: [],
        ...(facts.program.source === undefined && program !== undefined ? { program } : {}),
      }),
    [start, place, facts.program.source, program],
  );
  // What a branch was made of is run as it was.
  const runAgain = useCallback((request: ReplayRequest) => start(request), [start]);
  const hasProgram = facts.program.source !== undefined || (program !== undefined && program.trim() !== '');
  return {
    trace,
    branch,
    facts,
    runs: summary.data?.runs ?? noRuns,
    hasBranch: (one) => isBranchThere(one, summary.isFetching ? undefined : summary.data?.branches),
    titles,
    draft,
    change,
    reading,
    preview,
    state,
    result: standing === 'elsewhere' ? undefined : kept,
    elsewhere: standing === 'elsewhere' ? kept?.request : undefined,
    isResultOld: standing === 'old',
    isUnverified: facts.program.source === undefined && program !== undefined && program !== verified,
    hasProgram,
    canReplay: reading.request !== undefined && hasProgram && state.status !== 'running',
    person,
    namePerson,
    replay,
    verify,
    runAgain,
    cancel,
    dismiss,
  };
}

function droppedToSentence(dropped: readonly DraftSupply[]): string {
  const one = dropped.length === 1;
  return `${one ? 'An answer that was' : `${countOf(dropped.length, 'answer')} that were`} taken from elsewhere ${one ? 'is' : 'are'} left out, because ${one ? 'its command does' : 'their commands do'} not ask the same any more: ${dropped.map(({ path }) => path).join(', ')}.`;
}

export function isIdentical({ result }: ReplayReport): boolean {
  return result === 'identical' || result === 'identical-where-recorded';
}

function useSettledPreview(request: ReplayRequest | undefined): ReplaySession['preview'] {
  const wanted = useMemo(() => (request === undefined ? undefined : requestToPreview(request)), [request]);
  const [asked, setAsked] = useState(wanted);
  // Syncs with the typing of a person: the worker is asked when it pauses.
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), settle);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data, error } = usePreview(wanted === undefined ? undefined : asked);
  return {
    data: wanted === undefined ? undefined : data,
    problem: error?.message,
    isAsked: wanted !== undefined,
  };
}

/** Of a trace: the last result, and the program that was shown to repeat the record, outlive a walk to the explorer and back. */
function useKept<T>(what: string, trace: TraceId): [T | undefined, (next: T) => void] {
  const client = useQueryClient();
  const key = useMemo(() => [what, trace] as const, [what, trace]);
  const [result, setResult] = useState(() => client.getQueryData<T>(key));
  const keep = useCallback(
    (next: T) => {
      client.setQueryDefaults(key, { gcTime: Infinity });
      client.setQueryData(key, next);
      setResult(next);
    },
    [client, key],
  );
  return [result, keep];
}
