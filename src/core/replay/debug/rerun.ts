/**
 * Runs a part of a tape again: from the nearest copy of the engine to the move that was asked for.
 *
 * Invariant: control code must do act for act what the tape says, and is told what it was told then; anything else is a defect of the
 * sandbox or of the copy, and ends here instead of being shown. The cost is bounded by the distance between two copies, in both directions.
 */
import { assert } from '../../base/assert.ts';
import type { Sandbox, SandboxHost, SandboxOptions, SandboxSession, StepResult } from '../sandbox-port.ts';
import { type Act, createActHost } from './acts.ts';
import { type Situation, createSituation } from './situation.ts';
import type { Tape, TapeCopy } from './tape.ts';

export interface Rerun {
  readonly situation: Situation;
  /** Moves that were run again; none when a copy stood there. */
  readonly moves: number;
  /** Digest of the engine's memory, where that is asked for and the session has not ended. */
  readonly memory: string | undefined;
}

export interface RerunOptions {
  /** Not from a copy: to show that it makes no difference. */
  readonly fromStart: boolean;
  readonly digests: boolean;
}

export async function rerunTo(
  sandbox: Sandbox,
  tape: Tape,
  move: number,
  { fromStart, digests }: RerunOptions,
): Promise<Rerun> {
  const copy = fromStart ? undefined : tape.copies.findLast((one) => one.move <= move);
  const fold = createSituation(copy?.situation);
  let next = copy === undefined ? 0 : (tape.moves[copy.move]?.actsEnd ?? 0);
  const take = (): Act => {
    const act = tape.acts[next++];
    assert(act !== undefined, 'the program does nothing that it did not do before');
    return act;
  };
  const host = createActHost((act) => fold.act(act), createAnswers(take));
  const session = await openSession(sandbox, { ...withoutStop(tape.options), host }, copy);
  const first = copy === undefined ? 0 : copy.move + 1;
  for (let n = first; n <= move; n++) {
    const { delivery, result, actsEnd } = tape.moves[n] ?? missingMove(n);
    if (delivery !== undefined) fold.deliver(delivery.id, delivery.vt);
    const made: StepResult =
      delivery === undefined
        ? session.start(tape.input)
        : session.deliver(delivery.id, delivery.observation, delivery.vt);
    assert(next === actsEnd && isSame(made, result), 'a part of a replay that is run again repeats itself');
  }
  const last = tape.moves[move]?.result;
  const isOver = last?.limit !== undefined || last?.settled !== undefined;
  const memory = isOver || !digests ? undefined : session.checkpoint().digest();
  session.dispose();
  return { situation: fold.copy(), moves: move - first + 1, memory };
}

function missingMove(n: number): never {
  throw new Error(`the tape has no move ${String(n)}`);
}

function openSession(sandbox: Sandbox, options: SandboxOptions, copy: TapeCopy | undefined): Promise<SandboxSession> {
  return copy === undefined ? sandbox.createSession(options) : sandbox.resume(options, copy.engine);
}

/** The patience of the first run is over by now; what is run again is known to end. */
function withoutStop(options: SandboxOptions): SandboxOptions {
  const { shouldStop: _patience, ...rest } = options;
  return rest;
}

/** Answers from the tape, each only to the act that got it. */
function createAnswers(take: () => Act): SandboxHost {
  function expect<T extends Act['t']>(t: T, what: unknown): Extract<Act, { readonly t: T }> {
    const act = take();
    assert(isAct(act, t) && isSame(subjectOf(act), what), `the program does again what it did: ${act.t}`);
    return act;
  }
  return {
    issued: (command) => void expect('issued', command),
    spawned: (command) => expect('spawned', command).answer,
    joined: (id, outcome) => expect('joined', [id, outcome]).answer,
    cancelRequested: (id) => void expect('cancelled', id),
    decided: (decision) => expect('decided', decision).answer,
    transitioned: (transition) => expect('transitioned', transition).answer,
    patchAsked: (id) => expect('patched', id).answer,
    drawn: (draw) => expect('drawn', draw).answer,
    noted: (note) => void expect('noted', note),
    pureComputed: (pure) => void expect('pure', pure),
    printed: (line) => void expect('printed', line),
  };
}

function isAct<T extends Act['t']>(act: Act, t: T): act is Extract<Act, { readonly t: T }> {
  return act.t === t;
}

function subjectOf(act: Act): unknown {
  switch (act.t) {
    case 'issued':
    case 'spawned':
      return act.command;
    case 'joined':
      return [act.id, act.outcome];
    case 'cancelled':
    case 'patched':
      return act.id;
    case 'decided':
      return act.decision;
    case 'transitioned':
      return act.transition;
    case 'drawn':
      return act.draw;
    case 'noted':
      return act.note;
    case 'pure':
      return act.pure;
    case 'printed':
      return act.line;
  }
}

/** Both come from the same decoder, so their members stand in the same order. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
