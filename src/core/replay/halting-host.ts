/**
 * The host of a pass up to the moment at which the run has to stop in the midst of computing: a draw without its value (W1).
 *
 * Control code cannot be held up inside a call that answers at once, so it computes on to its next wait; nothing of that counts. Invariant:
 * once halted, no call reaches the pass. Used by `pass.ts`.
 */
import type { SandboxHost } from './sandbox-port.ts';

export function createHaltingHost(pass: SandboxHost & { readonly isHalted: boolean }): SandboxHost {
  return {
    issued(command) {
      if (!pass.isHalted) pass.issued(command);
    },
    spawned: (command) => (pass.isHalted ? 'wait' : pass.spawned(command)),
    joined: (id, outcome) => (pass.isHalted ? outcome : pass.joined(id, outcome)),
    cancelRequested(id) {
      if (!pass.isHalted) pass.cancelRequested(id);
    },
    decided: (decision) => (pass.isHalted ? undefined : pass.decided(decision)),
    transitioned: (transition) => (pass.isHalted ? 0 : pass.transitioned(transition)),
    patchAsked: (id) => !pass.isHalted && pass.patchAsked(id),
    drawn: (draw) => (pass.isHalted ? undefined : pass.drawn(draw)),
    noted(note) {
      if (!pass.isHalted) pass.noted(note);
    },
    pureComputed(pure) {
      if (!pass.isHalted) pass.pureComputed(pure);
    },
  };
}
