/**
 * The acts of control code, each with the answer it got; a host that tells them one by one.
 *
 * Used by the tape, which keeps them, and by the re-run, which compares them.
 */
import type { JsonValue } from '../../base/json.ts';
import type {
  DecisionAsked,
  Delivered,
  DrawAsked,
  IssuedCommand,
  Note,
  PrintedLine,
  PureComputed,
  SandboxHost,
  TransitionAsked,
} from '../sandbox-port.ts';

type Outcome = Exclude<Delivered, { kind: 'cancelled' }>;

/** What control code did, and what it was told. */
export type Act =
  | { readonly t: 'issued'; readonly command: IssuedCommand }
  | { readonly t: 'spawned'; readonly command: IssuedCommand; readonly answer: 'run' | 'wait' }
  | { readonly t: 'joined'; readonly id: number; readonly outcome: Outcome; readonly answer: Outcome }
  | { readonly t: 'cancelled'; readonly id: number }
  | { readonly t: 'decided'; readonly decision: DecisionAsked; readonly answer: JsonValue | undefined }
  | { readonly t: 'transitioned'; readonly transition: TransitionAsked; readonly answer: number }
  | { readonly t: 'patched'; readonly id: string; readonly answer: boolean }
  | { readonly t: 'drawn'; readonly draw: DrawAsked; readonly answer: number | undefined }
  | { readonly t: 'noted'; readonly note: Note }
  | { readonly t: 'pure'; readonly pure: PureComputed }
  | { readonly t: 'printed'; readonly line: PrintedLine };

/** A host that asks another one and tells every act with its answer. */
export function createActHost(tell: (act: Act) => void, host: SandboxHost): SandboxHost {
  return {
    issued(command) {
      host.issued(command);
      tell({ t: 'issued', command });
    },
    spawned(command) {
      const answer = host.spawned(command);
      tell({ t: 'spawned', command, answer });
      return answer;
    },
    joined(id, outcome) {
      const answer = host.joined(id, outcome);
      tell({ t: 'joined', id, outcome, answer });
      return answer;
    },
    cancelRequested(id) {
      host.cancelRequested(id);
      tell({ t: 'cancelled', id });
    },
    decided(decision) {
      const answer = host.decided(decision);
      tell({ t: 'decided', decision, answer });
      return answer;
    },
    transitioned(transition) {
      const answer = host.transitioned(transition);
      tell({ t: 'transitioned', transition, answer });
      return answer;
    },
    patchAsked(id) {
      const answer = host.patchAsked(id);
      tell({ t: 'patched', id, answer });
      return answer;
    },
    drawn(draw) {
      const answer = host.drawn(draw);
      tell({ t: 'drawn', draw, answer });
      return answer;
    },
    noted(note) {
      host.noted(note);
      tell({ t: 'noted', note });
    },
    pureComputed(pure) {
      host.pureComputed(pure);
      tell({ t: 'pure', pure });
    },
    printed(line) {
      host.printed?.(line);
      tell({ t: 'printed', line });
    },
  };
}
