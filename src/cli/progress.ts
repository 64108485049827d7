/**
 * What goes on, on one line of a terminal that is written over: for work that takes long enough to be taken for a hang.
 *
 * Invariants: nothing is written where standard error is no terminal, and nothing is left of the line when the command has ended. The
 * first word comes after a second, so that quick work shows nothing. Called by `main.ts` alone.
 */
import { toTerminal } from './output.ts';

interface ProgressLine {
  readonly tell: (text: string) => void;
  /** Takes the line away. */
  readonly end: () => void;
}

interface ProgressHost {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** Milliseconds, from any beginning. */
  readonly now: () => number;
}

const firstAfter = 1_000;
const nextAfter = 200;
const clear = '\r\u001b[2K';

export function createProgressLine({ write, isTerminal, now }: ProgressHost): ProgressLine {
  let due = now() + firstAfter;
  let isShown = false;
  return {
    tell: (text) => {
      if (!isTerminal || now() < due) return;
      due = now() + nextAfter;
      isShown = true;
      write(`${clear}${toTerminal(text)}…`);
    },
    end: () => {
      if (isShown) write(clear);
      isShown = false;
    },
  };
}

/** `done` of `of` in percent; nothing is said of an unknown whole. */
export function toPercent(done: number, of: number): string {
  return of <= 0 || done > of ? '' : ` ${Math.floor((100 * done) / of)} %`;
}
