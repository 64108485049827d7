/**
 * Which of several runs a command took, so that nobody believes that it was the only one. Called by the commands that take `--run`.
 */
import type { HindcastEvent } from '../core/model/index.ts';
import { listRuns } from '../core/replay/index.ts';

/** Runs named in a line; `--json` lists all. */
const mostNamed = 5;

export interface RunChoice {
  /** All runs of the trace, in order of their start. */
  readonly runs: readonly string[];
  /** Nobody said which. */
  readonly isDefault: boolean;
}

export function toRunChoice(events: readonly HindcastEvent[], wanted: string | undefined): RunChoice {
  return { runs: listRuns(events), isDefault: wanted === undefined };
}

/** The run, and where there are more how it was chosen and how to choose another. */
export function runToText(run: string, { runs, isDefault }: RunChoice): string {
  if (runs.length < 2) return run;
  const others = runs.filter((one) => one !== run);
  const named = others.slice(0, mostNamed).join(', ');
  const more = others.length > mostNamed ? ` and ${others.length - mostNamed} more` : '';
  const which = isDefault ? `the first of ${runs.length}` : `one of ${runs.length}`;
  return `${run} (${which} runs; --run RUN takes another: ${named}${more})`;
}
