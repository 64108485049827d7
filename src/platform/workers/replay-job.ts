/**
 * One replay, or one preview, over a stored trace: events from the library, the engine of the core, the branch back into the library.
 *
 * Invariant: nothing recorded changes and nothing leaves the machine. A branch is stored, and the act logged, in one transaction before the
 * report is handed out. Called by the replay worker.
 */
import { type Result, err, ok } from '../../core/base/result.ts';
import { eventToLine, type HindcastEvent } from '../../core/model/index.ts';
import type { OperationAuthor } from '../../core/replay/operation.ts';
import { runReplay } from '../../core/replay/replay.ts';
import type { ReplayRequest as EngineRequest } from '../../core/replay/replay-plan.ts';
import type { ReplayReport as EngineReport } from '../../core/replay/report-types.ts';
import type { Sandbox } from '../../core/replay/sandbox-port.ts';
import {
  addBranch,
  type LibraryContext,
  readSettings,
  recordAct,
  saveSettings,
  type StorageFailure,
} from '../storage/index.ts';
import { createCountedSandbox } from './counted-sandbox.ts';
import type { Opener } from './open-traces.ts';
import { openedToEvents, requestToEditFile } from './replay-input.ts';
import { runTyped } from './typed-program.ts';
import type { ReplayFailure, ReplayProgress, ReplayReport, ReplayRequest } from './replay-methods.ts';
import type { CallContext } from './server.ts';

export interface ReplayDeps {
  readonly library: LibraryContext;
  readonly opener: Opener;
  readonly loadSandbox: () => Promise<Sandbox>;
  /** Milliseconds of a clock that never goes back. */
  readonly ticks: () => number;
}

/** How long a program may run before the host stops it (replay 3.12). */
export const defaultPatience = 30_000;
/** Milliseconds between two reports of progress. */
const reportEvery = 100;

export async function replayTrace(
  deps: ReplayDeps,
  request: ReplayRequest,
  context: CallContext<ReplayProgress>,
): Promise<Result<ReplayReport, ReplayFailure>> {
  const { library } = deps;
  await keepName(library, request.person);
  const engineRequest = await createEngineRequest(deps, request, context);
  if (!engineRequest.ok) return engineRequest;
  const replayed = await runTyped(engineRequest.value, runReplay, (report) => report);
  if (!replayed.ok) return err({ code: 'refused', message: replayed.error });
  const { lines, ...report } = replayed.value;
  const stored = await keepBranch(library, request, report, lines);
  return stored.ok ? ok({ ...report, stored: stored.value }) : stored;
}

/** The name that was typed a moment before the replay was asked for: the branch and the log name who asks. */
async function keepName({ db }: LibraryContext, person: string | undefined): Promise<void> {
  const kept = await readSettings(db);
  if (person !== undefined && person !== kept.person) await saveSettings(db, { ...kept, person });
}

/** The request in the engine's words: all events of the trace, the sandbox, who asks, and when the host stops it. */
export async function createEngineRequest(
  { library, opener, ticks, loadSandbox }: ReplayDeps,
  request: ReplayRequest,
  context: CallContext<ReplayProgress>,
): Promise<Result<EngineRequest, ReplayFailure>> {
  const opened = await opener.open(request.trace);
  if (!opened.ok) return opened;
  const { person } = await readSettings(library.db);
  const sandbox = await loadSandbox();
  const started = ticks();
  const patience = request.patience ?? defaultPatience;
  return ok({
    events: openedToEvents(opened.value),
    base: request.base,
    sandbox: createCountedSandbox(
      sandbox,
      createReporter(ticks, (commands) => context.progress({ commands })),
    ),
    author: personToAuthor(person, library.now()),
    shouldStop: () => context.signal.aborted || ticks() - started > patience,
    // Without an edit it is a verification, which reports and makes no branch.
    ...(request.edits.length + request.supply.length === 0 ? {} : { edit: requestToEditFile(request) }),
    ...(request.run === undefined ? {} : { run: request.run }),
    ...(request.program === undefined ? {} : { program: { source: request.program } }),
    ...(request.world === undefined ? {} : { policies: { world: request.world } }),
  });
}

/** Tells of progress now and then. */
export function createReporter(ticks: () => number, tell: (commands: number) => void): (commands: number) => void {
  let last = -Infinity;
  return (commands) => {
    if (ticks() - last < reportEvery) return;
    last = ticks();
    tell(commands);
  };
}

/** Who asks, as it is written into operations. */
export function personToAuthor(person: string, now: Date): OperationAuthor {
  return { actor: { id: person === '' ? 'not named' : person, kind: 'human' }, at: now.toISOString() };
}

/**
 * The host lost patience: how far the program came says nothing of it. The same operation has the same branch, so what is kept now would
 * stand in the place of the result.
 */
function isAborted(lines: readonly HindcastEvent[]): boolean {
  return lines.some((line) => line.type === 'replay.completed' && line.data.status === 'aborted-by-host');
}

/** An unedited replay, one that was stopped from outside and one that could not run make no branch; they are logged all the same. True: the branch is in the library. */
async function keepBranch(
  library: LibraryContext,
  request: ReplayRequest,
  report: Omit<EngineReport, 'lines'>,
  lines: readonly HindcastEvent[],
): Promise<Result<boolean, StorageFailure>> {
  const makesBranch =
    lines.length > 0 &&
    report.operation !== undefined &&
    report.operation.kind !== 'verify' &&
    report.result !== 'error' &&
    !report.noop &&
    !isAborted(lines);
  const act = { what: 'replay', detail: reportToSentence(request, report, makesBranch), trace: request.trace } as const;
  if (!makesBranch) {
    await recordAct(library, act);
    return ok(false);
  }
  const added = await addBranch(
    library,
    {
      trace: request.trace,
      branch: report.branch,
      label: request.reason ?? report.sentence,
      status: report.result,
      lines: lines.map(eventToLine),
    },
    act,
  );
  return added.ok ? ok(true) : added;
}

function reportToSentence(request: ReplayRequest, report: Omit<EngineReport, 'lines'>, makesBranch: boolean): string {
  const changes = [
    request.edits.length === 0 ? undefined : `${request.edits.length} edited`,
    request.supply.length === 0 ? undefined : `${request.supply.length} supplied`,
    request.program === undefined ? undefined : 'another program',
  ].filter((change) => change !== undefined);
  const what = changes.length === 0 ? 'Unedited replay' : `Replay with ${changes.join(', ')}`;
  const why = request.reason === undefined ? '' : ` Reason: ${request.reason}`;
  return `${what} of ${request.base}: ${report.result}${makesBranch ? `, branch ${report.branch}` : ''}.${why}`;
}
