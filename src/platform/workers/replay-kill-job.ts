/**
 * Simulated kills over a stored run: the sweep of core/simulate with progress. Nothing is stored and nothing real is touched.
 *
 * Called by the replay worker, which loads it when it is first asked for.
 */
import { type Result, err } from '../../core/base/result.ts';
import { type SimulatedSweep, simulateSweep } from '../../core/simulate/index.ts';
import { openedToEvents } from './replay-input.ts';
import { type ReplayDeps, defaultPatience } from './replay-job.ts';
import type { KillAsk, KillProgress } from './replay-kill-methods.ts';
import type { ReplayFailure } from './replay-methods.ts';
import type { CallContext } from './server.ts';

export async function sweepKills(
  { opener, loadSandbox, ticks }: ReplayDeps,
  { trace, run, paths, modelVaries }: KillAsk,
  { signal, progress }: CallContext<KillProgress>,
): Promise<Result<SimulatedSweep, ReplayFailure>> {
  const opened = await opener.open(trace);
  if (!opened.ok) return opened;
  // The patience is that of one trial.
  let started = ticks();
  const swept = await simulateSweep({
    events: openedToEvents(opened.value),
    sandbox: await loadSandbox(),
    modelVaries,
    shouldStop: () => signal.aborted || ticks() - started > defaultPatience,
    onProgress: (step) => {
      started = ticks();
      progress(step);
    },
    ...(run === undefined ? {} : { run }),
    ...(paths === undefined ? {} : { paths }),
  });
  return swept.ok ? swept : err({ code: 'refused', message: swept.error });
}
