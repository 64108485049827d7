/**
 * A tape of one session: every move of the driver, every act of control code with its answer, and copies of the engine on the way.
 *
 * Owns the recording only. Invariant: the tape with its answers is enough to run the session again from any copy without the record, the
 * matching or the edits that made the answers; a run that does not repeat the tape is a defect (`rerun.ts`). Used by `debugger.ts`.
 */
import type { JsonValue } from '../../base/json.ts';
import type {
  Delivered,
  Sandbox,
  SandboxCheckpoint,
  SandboxHost,
  SandboxOptions,
  SandboxSession,
  StepResult,
} from '../sandbox-port.ts';
import { type Act, createActHost } from './acts.ts';
import { type Situation, createSituation } from './situation.ts';

/** What the driver did: the first is the start, every other a delivery. */
export interface Move {
  readonly delivery: { readonly id: number; readonly observation: Delivered; readonly vt: number } | undefined;
  readonly result: StepResult;
  /** Number of the first act behind this move. */
  readonly actsEnd: number;
}

export interface TapeCopy {
  /** After which move it was taken. */
  readonly move: number;
  readonly engine: SandboxCheckpoint;
  readonly situation: Situation;
}

export interface Tape {
  readonly options: SandboxOptions;
  readonly input: JsonValue;
  readonly moves: readonly Move[];
  readonly acts: readonly Act[];
  /** In order of moves. */
  readonly copies: readonly TapeCopy[];
}

export interface CopySettings {
  /** Moves between two copies, to begin with; doubled whenever there are too many. */
  readonly every: number;
  readonly most: number;
  readonly mostBytes: number;
}

export interface TapingSandbox extends Sandbox {
  /** The last session of each segment; those that only vary the host are not among them. */
  readonly tapes: () => readonly Tape[];
}

export function createTapingSandbox(sandbox: Sandbox, settings: CopySettings): TapingSandbox {
  const byRoot = new Map<string, Recording>();
  return {
    engine: sandbox.engine,
    resume: (options, checkpoint) => sandbox.resume(options, checkpoint),
    async createSession(options) {
      if (options.conditions !== undefined) return sandbox.createSession(options);
      const recording = new Recording(options, settings);
      byRoot.set(options.rootPath ?? '', recording);
      return recording.wrap(await sandbox.createSession({ ...options, host: recording.host }));
    },
    tapes: () => [...byRoot.values()],
  };
}

class Recording implements Tape {
  readonly options: SandboxOptions;
  readonly moves: Move[] = [];
  readonly acts: Act[] = [];
  readonly host: SandboxHost;
  copies: TapeCopy[] = [];
  input: JsonValue = null;
  private readonly settings: CopySettings;
  private readonly situation = createSituation();
  private every: number;

  constructor(options: SandboxOptions, settings: CopySettings) {
    this.options = options;
    this.settings = settings;
    this.every = settings.every;
    this.host = createActHost((act) => this.act(act), options.host);
  }

  wrap(session: SandboxSession): SandboxSession {
    return {
      start: (input) => {
        this.input = input;
        return this.move(session, undefined, () => session.start(input));
      },
      deliver: (id, observation, vt) => {
        this.situation.deliver(id, vt);
        return this.move(session, { id, observation, vt }, () => session.deliver(id, observation, vt));
      },
      openCommands: () => session.openCommands(),
      usage: () => session.usage(),
      checkpoint: (previous) => session.checkpoint(previous),
      dispose: () => session.dispose(),
    };
  }

  private act(act: Act): void {
    this.acts.push(act);
    this.situation.act(act);
  }

  private move(session: SandboxSession, delivery: Move['delivery'], enter: () => StepResult): StepResult {
    const result = enter();
    const move = this.moves.length;
    this.moves.push({ delivery, result, actsEnd: this.acts.length });
    const isOver = result.limit !== undefined || result.settled !== undefined;
    if (!isOver && move % this.every === 0) this.copy(session, move);
    return result;
  }

  private copy(session: SandboxSession, move: number): void {
    const engine = session.checkpoint(this.copies.at(-1)?.engine);
    this.copies.push({ move, engine, situation: this.situation.copy() });
    const bytes = this.copies.reduce((sum, copy) => sum + copy.engine.bytes, 0);
    if (this.copies.length <= this.settings.most && bytes <= this.settings.mostBytes) return;
    this.every *= 2;
    this.copies = this.copies.filter((one) => one.move % this.every === 0);
  }
}
