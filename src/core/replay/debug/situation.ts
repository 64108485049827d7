/**
 * What is so at one moment of a session: virtual time, open commands, states, and how much was issued, delivered and printed.
 *
 * Folded from the acts of control code as they happen, the same way while a tape is made and while a part of it is run again. Used by
 * `tape.ts` and `rerun.ts`.
 */
import type { JsonValue } from '../../base/json.ts';
import type { IssuedCommand } from '../sandbox-port.ts';
import type { Act } from './acts.ts';

export interface StateHeld {
  readonly name: string;
  readonly n: number;
  readonly value: JsonValue;
  readonly path: string;
}

export interface Situation {
  readonly vt: number | undefined;
  /** Issued and not delivered, in order of issue. */
  readonly open: readonly IssuedCommand[];
  /** By name, the version that is current. */
  readonly states: readonly StateHeld[];
  readonly issued: number;
  readonly delivered: number;
  readonly printed: number;
}

export interface SituationFold {
  act(act: Act): void;
  deliver(id: number, vt: number): void;
  copy(): Situation;
}

export function createSituation(from?: Situation): SituationFold {
  const open = new Map<number, IssuedCommand>((from?.open ?? []).map((command) => [command.id, command]));
  const states = new Map<string, StateHeld>((from?.states ?? []).map((state) => [state.name, state]));
  let { vt, issued, delivered, printed } = from ?? { vt: undefined, issued: 0, delivered: 0, printed: 0 };
  return {
    act(act) {
      if (act.t === 'issued' || act.t === 'spawned') {
        issued++;
        open.set(act.command.id, act.command);
      } else if (act.t === 'joined') {
        delivered++;
        open.delete(act.id);
      } else if (act.t === 'transitioned') {
        const { name, value, path } = act.transition;
        states.set(name, { name, n: act.answer, value, path });
      } else if (act.t === 'printed') printed++;
    },
    deliver(id, at) {
      delivered++;
      open.delete(id);
      vt = vt === undefined || at > vt ? at : vt;
    },
    copy: () => ({ vt, open: [...open.values()], states: [...states.values()], issued, delivered, printed }),
  };
}
