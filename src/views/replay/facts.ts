/**
 * What the trace says about the run to be replayed: its start (input and program), its end, and a title for events.
 *
 * Read from the records through the questions every view asks. What is not recorded is undefined, and shown as such.
 */
import { useMemo } from 'react';
import { type JsonValue, isJsonObject } from '../../core/base/json.ts';
import { type BranchId, type EventId, isContentReference } from '../../core/model/index.ts';
import type { EventRow, FilterSpec, Inspection } from '../../core/projections/trace-reader.ts';
import { type EventsOf, useEventsOf } from '../../data/edit-view.ts';
import { type TraceId, useContent, useRows, useSummary } from '../../data/index.ts';

const noFilter: FilterSpec = { types: [], families: [], agents: [], steps: [], branches: [], text: '' };
/** Rows whose titles are at hand; events beyond are named by their id. */
const titledRows = 5000;

export function useEventTitles(trace: TraceId, branch: BranchId): ReadonlyMap<EventId, EventRow> {
  const { data } = useRows(trace, branch, noFilter, 0, titledRows);
  return useMemo(() => new Map((data?.rows ?? []).map((row) => [row.id, row])), [data]);
}

export interface RunFacts {
  /** What the facts below come from is not all read yet. */
  readonly isLoading: boolean;
  /** Why a part could not be read: what is absent below is then not known, and not “not recorded”. */
  readonly problem: Error | null;
  readonly run: string | undefined;
  readonly start: EventId | undefined;
  readonly input: JsonValue | undefined;
  readonly program: ProgramFacts;
  /** How the recorded run ended. */
  readonly end:
    { readonly event: EventId; readonly value: JsonValue | undefined; readonly failed: boolean } | undefined;
  /** Fields whose absence makes a replay impossible or weaker. */
  readonly missing: readonly string[];
}

export interface ProgramFacts {
  readonly name: string;
  readonly version: string | undefined;
  readonly source: string | undefined;
  /** A replay that made this branch changed it: it never ran outside of one. */
  readonly isOfBranch: boolean;
}

/** `asked` undefined, or the name of no run of the trace: the first one that starts. */
export function useRunFacts(trace: TraceId, branch: BranchId, asked: string | undefined): RunFacts {
  const summary = useSummary(trace);
  const run = summary.data?.runs.some((one) => one.run === asked) === true ? asked : undefined;
  const starts = useEventsOf(trace, branch, startTypes, run);
  const start = starts.events.find((one) => run === undefined || textAt(one.event, 'run') === run);
  const ofRun = run ?? textAt(start?.event, 'run');
  const ends = useEventsOf(trace, branch, endTypes, ofRun);
  const replays = useEventsOf(trace, branch, replayTypes);
  // The last end counts: a run that was restarted may have failed before it completed.
  const end = ends.events.findLast((one) => textAt(one.event, 'run') === ofRun);
  // What the replays that made the branch changed about the run itself: the last one stands.
  const changed = useMemo(() => eventsToChanges(replays.events), [replays.events]);
  const program = changed.program ?? memberAt(start?.event, 'data', 'program');
  const source = memberAt(program, 'source');
  const reference = source !== undefined && isContentReference(source) ? source.$ref : undefined;
  const content = useContent(trace, reference);
  const { isPending: isContentPending, error: contentError } = content;
  const parts = useMemo(
    () => [summary, starts, replays, { isPending: reference !== undefined && isContentPending, error: contentError }],
    [summary, starts, replays, reference, isContentPending, contentError],
  );
  return useMemo(
    () => ({
      ...partsToReading(parts),
      run: ofRun,
      start: start?.row.id,
      input: changed.input ?? start?.editable?.value,
      program: {
        name: textAt(program, 'name') ?? 'program',
        version: textAt(program, 'version'),
        source: typeof source === 'string' ? source : content.data?.text,
        isOfBranch: changed.program !== undefined,
      },
      end: end === undefined ? undefined : inspectionToEnd(end),
      missing: summary.data?.missingForReplay ?? [],
    }),
    [parts, changed, content.data, ofRun, start, program, source, end, summary.data],
  );
}

const startTypes = ['run.started'] as const;
const endTypes = ['run.completed', 'run.failed'] as const;
const replayTypes = ['replay.started'] as const;

type Part = Pick<EventsOf, 'isPending' | 'error'>;

/** Read when every part is; one that failed ends the waiting. */
export function partsToReading(parts: readonly Part[]): Pick<RunFacts, 'isLoading' | 'problem'> {
  const problem = parts.find(({ error }) => error !== null)?.error ?? null;
  return { isLoading: problem === null && parts.some(({ isPending }) => isPending), problem };
}

interface Changes {
  readonly program: JsonValue | undefined;
  readonly input: JsonValue | undefined;
}

/** Program and input as the operations of a branch and of its parents left them; undefined where none changed them. */
export function eventsToChanges(replays: readonly Pick<Inspection, 'event'>[]): Changes {
  const operations = replays.map(({ event }) => memberAt(event, 'data', 'operation'));
  const programs = operations.map((operation) => memberAt(operation, 'program_after'));
  return {
    // One that is withheld is not the one before it.
    program: programs.findLast((program) => memberAt(program, 'source') !== undefined),
    input: operations
      .map((operation) => memberAt(operation, 'input', 'value'))
      .findLast((input) => input !== undefined),
  };
}

function inspectionToEnd({ row, event }: Inspection): NonNullable<RunFacts['end']> {
  const failed = row.type === 'run.failed';
  return { event: row.id, value: memberAt(event, 'data', failed ? 'error' : 'result'), failed };
}

export function memberAt(value: JsonValue | undefined, ...names: readonly string[]): JsonValue | undefined {
  let here = value;
  for (const name of names) here = isJsonObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  return here;
}

export function textAt(value: JsonValue | undefined, ...names: readonly string[]): string | undefined {
  const found = memberAt(value, ...names);
  return typeof found === 'string' ? found : undefined;
}
