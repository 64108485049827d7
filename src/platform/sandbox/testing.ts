/** Drives a session with scripted answers; for the tests of the sandbox. */
import type { JsonValue } from '../../core/base/json.ts';
import {
  type Delivered,
  type HostConditions,
  type IssuedCommand,
  type Note,
  type SandboxHost,
  type SandboxLimits,
  type SandboxSession,
  type StepResult,
  defaultSandboxLimits,
} from '../../core/replay/sandbox-port.ts';
import { loadSandbox } from './node.ts';

export interface Driven {
  readonly session: SandboxSession;
  readonly issued: IssuedCommand[];
  readonly notes: Note[];
  readonly log: string[];
  readonly started: StepResult;
  /** Delivers to the open command at `path`. */
  deliver(path: string, observation: Delivered, vt?: number): StepResult;
}

export interface DriveOptions {
  readonly input?: JsonValue;
  readonly seed?: string;
  readonly startVt?: number;
  readonly draws?: 'derived' | 'ask';
  readonly limits?: Partial<SandboxLimits>;
  readonly host?: Partial<SandboxHost>;
  readonly conditions?: HostConditions;
  readonly shouldStop?: () => boolean;
}

export function ok(value: JsonValue): Delivered {
  return { kind: 'ok', value };
}

export async function drive(program: string, options: DriveOptions = {}): Promise<Driven> {
  const issued: IssuedCommand[] = [];
  const notes: Note[] = [];
  const log: string[] = [];
  let versions = 0;
  const host: SandboxHost = {
    issued: (command) => {
      issued.push(command);
      log.push(`issued ${command.path}`);
    },
    spawned: (command) => {
      issued.push(command);
      log.push(`spawned ${command.path}`);
      return 'run';
    },
    joined: (id, outcome) => {
      log.push(`joined ${String(id)}`);
      return outcome;
    },
    cancelRequested: (id) => log.push(`cancel ${String(id)}`),
    decided: (decision) => {
      log.push(`decided ${decision.path}`);
      return undefined;
    },
    transitioned: (transition) => {
      log.push(`state ${transition.path}`);
      return ++versions;
    },
    patchAsked: () => false,
    drawn: () => undefined,
    noted: (note) => notes.push(note),
    pureComputed: (pure) => log.push(`pure ${pure.path}`),
    ...options.host,
  };
  const sandbox = await loadSandbox();
  const session = await sandbox.createSession({
    program,
    seed: options.seed ?? '0'.repeat(31) + '1',
    startVt: options.startVt ?? 0,
    draws: options.draws ?? 'derived',
    limits: { ...defaultSandboxLimits, ...options.limits },
    host,
    ...(options.conditions === undefined ? {} : { conditions: options.conditions }),
    ...(options.shouldStop === undefined ? {} : { shouldStop: options.shouldStop }),
  });
  const started = session.start(options.input ?? {});
  return {
    session,
    issued,
    notes,
    log,
    started,
    deliver(path, observation, vt = 0) {
      const command = issued.find((c) => c.path === path);
      if (command === undefined)
        throw new Error(`no command at ${path}; issued: ${issued.map((c) => c.path).join(' ')}`);
      return session.deliver(command.id, observation, vt);
    },
  };
}

/** Result of a program without commands. */
export async function evaluate(body: string, options: DriveOptions = {}): Promise<JsonValue> {
  const { started, session } = await drive(`async function main(ctx, input) { ${body} }`, options);
  session.dispose();
  if (started.settled?.kind === 'ok') return started.settled.value;
  throw new Error(JSON.stringify(started));
}
