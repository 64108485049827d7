/**
 * Simulated kills over a stored run: the sweep of core/simulate with progress. Nothing is stored and nothing real is touched.
 *
 * What is run is what the person sees: the branch, and on it what was changed and not replayed yet, which is replayed first and not kept.
 * Called by the replay worker, which loads it when it is first asked for.
 */
import { type Result, err, ok } from '../../core/base/result.ts';
import type { HindcastEvent } from '../../core/model/index.ts';
import { runReplay } from '../../core/replay/replay.ts';
import type { ReplayReport } from '../../core/replay/report-types.ts';
import { type SimulatedSweep, simulateSweep } from '../../core/simulate/index.ts';
import { openedToEvents } from './replay-input.ts';
import { type ReplayDeps, createEngineRequest, defaultPatience } from './replay-job.ts';
import type { KillAsk, KillProgress } from './replay-kill-methods.ts';
import type { ReplayFailure } from './replay-methods.ts';
import type { CallContext } from './server.ts';
import { runTyped } from './typed-program.ts';

export async function sweepKills(
  deps: ReplayDeps,
  ask: KillAsk,
  context: CallContext<KillProgress>,
): Promise<Result<SimulatedSweep, ReplayFailure>> {
  const { loadSandbox, ticks } = deps;
  const seen = await readSeen(deps, ask, context);
  if (!seen.ok) return seen;
  const { run, modelVaries } = ask;
  const { events, branch, paths } = seen.value;
  // The patience is that of one trial.
  let started = ticks();
  const swept = await simulateSweep({
    events,
    sandbox: await loadSandbox(),
    modelVaries,
    shouldStop: () => context.signal.aborted || ticks() - started > defaultPatience,
    onProgress: (step) => {
      started = ticks();
      context.progress(step);
    },
    ...(branch === undefined ? {} : { branch }),
    ...(run === undefined ? {} : { run }),
    ...(paths === undefined ? {} : { paths }),
  });
  return swept.ok ? swept : err({ code: 'refused', message: swept.error });
}

/** The events, branch and effects that are run. */
interface Seen {
  readonly events: readonly HindcastEvent[];
  readonly branch: string | undefined;
  readonly paths: readonly string[] | undefined;
}

export async function readSeen(
  deps: ReplayDeps,
  { trace, branch, change, paths }: Omit<KillAsk, 'modelVaries'>,
  { signal }: Pick<CallContext<KillProgress>, 'signal'>,
): Promise<Result<Seen, ReplayFailure>> {
  if (change === undefined) {
    const opened = await deps.opener.open(trace);
    return opened.ok ? ok({ events: openedToEvents(opened.value), branch, paths }) : opened;
  }
  const request = await createEngineRequest(deps, change, { signal, progress: () => undefined });
  if (!request.ok) return request;
  const replayed = await runTyped(request.value, runReplay, (report) => report);
  if (!replayed.ok) return err({ code: 'refused', message: replayed.error });
  const report = replayed.value;
  if (report.outcome.status === 'open' || report.outcome.status === 'no-program')
    return err({ code: 'refused', message: `No worker can be simulated with this change. ${report.sentence}` });
  // A change that changes nothing makes no branch to run.
  if (report.noop || report.lines.length === 0) return ok({ events: request.value.events, branch: change.base, paths });
  return ok({
    events: [...request.value.events, ...report.lines],
    branch: report.branch,
    paths: paths?.map((path) => pathNow(report, path)),
  });
}

/** An effect is chosen by where the record has it; with the change it may be asked for elsewhere. */
function pathNow({ commands, records }: ReplayReport, path: string): string {
  const event = records.find((record) => record.path === path)?.event;
  return commands.find((command) => event !== undefined && command.event === event)?.path ?? path;
}
