/**
 * A changed control program over a set of stored runs: opened one by one, replayed by the engine of the core, nothing sent and no branch made.
 *
 * Invariant: the act is in the access log before the answer is handed out, with the digest of the set. Called by the replay worker.
 */
import { type Result, err, ok } from '../../core/base/result.ts';
import { type Digest, type EventOf, mainBranch } from '../../core/model/index.ts';
import { programDigest } from '../../core/replay/run-info.ts';
import type { ReplayRequest as EngineRequest } from '../../core/replay/replay-plan.ts';
import { runReplay } from '../../core/replay/replay.ts';
import { type RunOfSet, computeRunDigest, eventsToRuns, replayRunSet } from '../../core/replay/run-set.ts';
import { type TraceId, readSettings, recordAct } from '../storage/index.ts';
import { createCountedSandbox } from './counted-sandbox.ts';
import { openedToEvents } from './replay-input.ts';
import { type ReplayDeps, createReporter, defaultPatience, personToAuthor } from './replay-job.ts';
import type { ReplayFailure } from './replay-methods.ts';
import type { RunProgram, RunSetAnswer, RunSetAsk, RunSetProgressed, TracePrograms } from './replay-set-methods.ts';
import type { CallContext } from './server.ts';
import { runTyped } from './typed-program.ts';

export async function replaySet(
  deps: ReplayDeps,
  ask: RunSetAsk,
  context: CallContext<RunSetProgressed>,
): Promise<Result<RunSetAnswer, ReplayFailure>> {
  const { library, loadSandbox, ticks } = deps;
  const { runs, places, notRead } = await readRuns(deps, ask);
  const [first] = runs;
  if (first === undefined)
    return err({ code: 'refused', message: `There is no recorded run to replay. ${notRead[0]?.message ?? ''}`.trim() });
  const last = { done: 0, of: runs.length };
  const sandbox = createCountedSandbox(
    await loadSandbox(),
    createReporter(ticks, (commands) => context.progress({ ...last, commands })),
  );
  const { person } = await readSettings(library.db);
  const author = personToAuthor(person, library.now());
  const createStop = (): (() => boolean) => {
    const started = ticks();
    return () => context.signal.aborted || ticks() - started > defaultPatience;
  };
  const program = await settleProgram({
    events: first.events,
    run: first.run,
    program: { source: ask.program },
    sandbox,
    author,
    shouldStop: createStop(),
  });
  const result = await replayRunSet({
    runs,
    program,
    sandbox,
    author,
    createStop,
    onProgress: ({ done, of, row }) => {
      Object.assign(last, { done, of });
      context.progress({ done, of, row, commands: 0 });
    },
  });
  const counts = Object.entries(result.counts).flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []));
  await recordAct(library, {
    what: 'replay',
    detail: `Program ${result.programDigest} over ${result.rows.length} recorded runs (set ${result.set}): ${counts.join(', ')}.`,
  });
  return ok({ ...result, notRead, places });
}

interface ReadRuns {
  readonly runs: readonly RunOfSet[];
  readonly places: Readonly<Record<Digest, TraceId>>;
  readonly notRead: RunSetAnswer['notRead'];
}

async function readRuns({ opener }: ReplayDeps, { traces }: RunSetAsk): Promise<ReadRuns> {
  const runs: RunOfSet[] = [];
  const places: Record<Digest, TraceId> = {};
  const notRead: RunSetAnswer['notRead'][number][] = [];
  for (const { trace, name } of traces) {
    const opened = await opener.open(trace);
    if (!opened.ok) {
      notRead.push({ trace, name, message: opened.error.message });
      continue;
    }
    for (const run of eventsToRuns(name, openedToEvents(opened.value))) {
      runs.push(run);
      places[computeRunDigest(run.events, run.run)] = trace;
    }
  }
  return { runs, places, notRead };
}

/** Read from the starts of runs alone: no trace is gone through. */
export async function readPrograms(
  { opener }: Pick<ReplayDeps, 'opener'>,
  traces: readonly TraceId[],
): Promise<readonly TracePrograms[]> {
  const found: TracePrograms[] = [];
  for (const trace of traces) {
    const opened = await opener.open(trace);
    const programs = new Map<string, RunProgram>();
    for (const position of opened.ok ? opened.value.index.ofType('run.started') : []) {
      const event = opened.ok ? opened.value.source.at(position) : undefined;
      if (event?.type !== 'run.started' || event.branch !== mainBranch || programs.has(event.run)) continue;
      programs.set(event.run, { run: event.run, ...dataToProgram(event.data) });
    }
    found.push({ trace, programs: [...programs.values()] });
  }
  return found;
}

function dataToProgram({ program }: EventOf<'run.started'>['data']): Omit<RunProgram, 'run'> {
  const source = program?.source;
  return {
    name: program?.name ?? 'program',
    version: program?.version,
    digest: program?.digest ?? (typeof source === 'string' ? programDigest(source) : undefined),
  };
}

/** What really runs: the text itself, or where it is no JavaScript, what is left without its types. */
export async function settleProgram(request: EngineRequest & Required<Pick<EngineRequest, 'program'>>) {
  let settled = request.program;
  await runTyped(
    request,
    (tried) => {
      settled = tried.program ?? settled;
      return runReplay(tried);
    },
    (report) => report,
  );
  return settled;
}
