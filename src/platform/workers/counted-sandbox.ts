/**
 * A sandbox that tells how many commands its programs have issued: the only sign of progress a replay gives.
 */
import type { Sandbox } from '../../core/replay/sandbox-port.ts';

export function createCountedSandbox(sandbox: Sandbox, onCommand: (commands: number) => void): Sandbox {
  let commands = 0;
  const count = (): void => onCommand(++commands);
  return {
    engine: sandbox.engine,
    resume: (options, checkpoint) => sandbox.resume(options, checkpoint),
    createSession: (options) => {
      const { host } = options;
      return sandbox.createSession({
        ...options,
        host: {
          issued: (command) => {
            count();
            host.issued(command);
          },
          spawned: (command) => {
            count();
            return host.spawned(command);
          },
          joined: (id, outcome) => host.joined(id, outcome),
          cancelRequested: (id) => host.cancelRequested(id),
          decided: (decision) => host.decided(decision),
          transitioned: (transition) => host.transitioned(transition),
          patchAsked: (id) => host.patchAsked(id),
          drawn: (draw) => host.drawn(draw),
          noted: (note) => host.noted(note),
          pureComputed: (pure) => host.pureComputed(pure),
          printed: (line) => host.printed?.(line),
        },
      });
    },
  };
}
