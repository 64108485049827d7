/**
 * The debugger of the replay worker: one replay is kept with its tape, and asked by position.
 *
 * Invariant: a question names the replay it is about, so that a worker that was ended and started anew answers like the one before. Nothing
 * is stored and no branch is made: that is what `replay-job.ts` is for.
 */
import { type Result, err, ok } from '../../core/base/result.ts';
import { type Condition, parseCondition } from '../../core/replay/debug/condition.ts';
import { type Debugger, type DebugTarget, createDebugger } from '../../core/replay/debug/debugger.ts';
import type {
  DebugDelivery,
  DebugOverview,
  DebugSearch,
  DebugView,
  ReplayFailure,
  ReplayProgress,
  ReplayRequest,
} from './replay-methods.ts';
import { type ReplayDeps, createEngineRequest } from './replay-job.ts';
import type { CallContext } from './server.ts';
import { runTyped } from './typed-program.ts';

/** Deliveries and lines of the console sent with one position; those before are counted. */
const sentAtOnce = 200;

export interface DebugJobs {
  open(request: ReplayRequest, context: CallContext<ReplayProgress>): Promise<Result<DebugOverview, ReplayFailure>>;
  at(
    request: ReplayRequest,
    position: number,
    context: CallContext<ReplayProgress>,
  ): Promise<Result<DebugView, ReplayFailure>>;
  find(
    request: ReplayRequest,
    search: DebugSearch,
    context: CallContext<ReplayProgress>,
  ): Promise<Result<number | undefined, ReplayFailure>>;
}

export function createDebugJobs(deps: ReplayDeps): DebugJobs {
  let shared: Shared | undefined;

  async function hold(
    request: ReplayRequest,
    context: CallContext<ReplayProgress>,
  ): Promise<Result<Held, ReplayFailure>> {
    const key = JSON.stringify(request);
    const isHeld = shared?.key === key && !shared.stop.signal.aborted;
    const own = isHeld && shared !== undefined ? shared : startShared(deps, key, request, context);
    shared = own;
    const leave = joinShared(own, context.signal);
    let made: Result<Held, ReplayFailure> | undefined;
    try {
      made = await own.made;
      return made;
    } finally {
      leave();
      // What failed is not remembered: asked again, it is tried again.
      if (made?.ok !== true && shared === own) shared = undefined;
    }
  }

  return {
    async open(request, context) {
      const made = await hold(request, context);
      return made.ok ? ok(toOverview(made.value)) : made;
    },
    async at(request, position, context) {
      const made = await hold(request, context);
      return made.ok ? ok(await toView(made.value.debug, position)) : made;
    },
    async find(request, search, context) {
      const made = await hold(request, context);
      if (!made.ok) return made;
      const target = searchToTarget(search);
      return target.ok ? ok(made.value.debug.find(target.value, search.from, search.direction)) : target;
    },
  };
}

/** One replay that several calls wait for: it is stopped when the last of them is given up, never by one alone. */
interface Shared {
  readonly key: string;
  readonly made: Promise<Result<Held, ReplayFailure>>;
  readonly stop: AbortController;
  waiting: number;
}

function startShared(
  deps: ReplayDeps,
  key: string,
  request: ReplayRequest,
  { progress }: CallContext<ReplayProgress>,
): Shared {
  const stop = new AbortController();
  return { key, made: createHeld(deps, request, { signal: stop.signal, progress }), stop, waiting: 0 };
}

/** Gives what a call does when it has its answer. */
function joinShared(shared: Shared, signal: AbortSignal): () => void {
  const giveUp = (): void => {
    shared.waiting--;
    if (shared.waiting === 0) shared.stop.abort();
  };
  shared.waiting++;
  if (signal.aborted) giveUp();
  else signal.addEventListener('abort', giveUp, { once: true });
  return () => {
    if (signal.aborted) return;
    signal.removeEventListener('abort', giveUp);
    shared.waiting--;
  };
}

interface Held {
  readonly debug: Debugger;
  /** What was written, where types were stripped. */
  readonly text: string;
}

async function createHeld(
  deps: ReplayDeps,
  request: ReplayRequest,
  context: CallContext<ReplayProgress>,
): Promise<Result<Held, ReplayFailure>> {
  const engineRequest = await createEngineRequest(deps, request, context);
  if (!engineRequest.ok) return engineRequest;
  const made = await runTyped(engineRequest.value, createDebugger, ({ report }) => report);
  if (!made.ok) return err({ code: 'refused', message: made.error });
  return ok({ debug: made.value, text: request.program ?? made.value.program });
}

function toOverview({ debug, text }: Held): DebugOverview {
  const { length, marks, report } = debug;
  return { length, marks, program: text, sentence: report.sentence, result: report.result };
}

async function toView(debug: Debugger, position: number): Promise<DebugView> {
  const { printed, ...state } = await debug.stateAt(position);
  const deliveries: DebugDelivery[] = [];
  for (let at = Math.max(0, position - sentAtOnce + 1); at <= position; at++) {
    const { delivered, vt } = debug.stepAt(at);
    if (delivered === undefined) continue;
    const { path, kind, name, observation } = delivered;
    deliveries.push({ position: at, path, kind, name, vt, outcome: observation.kind });
  }
  return {
    step: debug.stepAt(position),
    state: { ...state, printed: printed.slice(-sentAtOnce) },
    printedBefore: Math.max(0, printed.length - sentAtOnce),
    deliveries,
  };
}

function searchToTarget({ target }: DebugSearch): Result<DebugTarget, ReplayFailure> {
  if (target.kind !== 'breakpoint') return ok(target);
  const conditions: Condition[] = [];
  for (const text of target.conditions) {
    const parsed = parseCondition(text);
    if (!parsed.ok) return err({ code: 'refused', message: parsed.error.message });
    conditions.push(parsed.value);
  }
  return ok({ kind: 'breakpoint', conditions });
}
