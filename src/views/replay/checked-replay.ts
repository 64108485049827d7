/**
 * A replay with answers that were taken from another run or a model: each answers one question, and is given to that question alone.
 *
 * Invariant: after the edit changed, such an answer reaches the program only where its command asks with the very arguments it answered.
 * What that is only a replay can say: it is run without them, and goes on with those that still fit. Called by `session.ts`.
 */
import type { ReplayRequest } from '../../data/index.ts';
import type { DraftSupply } from '../../state/replay-draft.ts';
import { isSameOperation } from './draft-request.ts';

/** Supplies of the draft that may answer another question by now: the last result was made of another edit, or there is none. */
export function findDoubtful(
  supplies: readonly DraftSupply[],
  request: ReplayRequest,
  made: ReplayRequest | undefined,
): readonly DraftSupply[] {
  const isKnown = made !== undefined && isSameOperation({ ...made, supply: [] }, { ...request, supply: [] });
  return isKnown ? [] : supplies.filter(({ from, asked }) => from !== undefined && asked !== undefined);
}

interface Checked<Report> {
  /** What was run in the end. */
  readonly request: ReplayRequest;
  readonly report: Report;
  /** Answers to questions that are not asked any more. */
  readonly dropped: readonly DraftSupply[];
}

/** `run` answers nothing where it failed or was cancelled. */
export async function replayChecked<Report extends { readonly commands: readonly AskedCommand[] }>(
  request: ReplayRequest,
  doubtful: readonly DraftSupply[],
  run: (request: ReplayRequest) => Promise<Report | undefined>,
): Promise<Checked<Report> | undefined> {
  let left = doubtful;
  for (;;) {
    const now = withoutSupplies(request, left);
    const report = await run(now);
    if (report === undefined) return undefined;
    const asked = new Map(report.commands.map(({ path, argsDigest }) => [path, argsDigest]));
    const still = left.filter(({ path, asked: digest }) => asked.get(path) !== digest);
    // Nothing more fits: a command that is not asked with these arguments has no use for the answer.
    if (still.length === left.length) return { request: now, report, dropped: left };
    left = still;
  }
}

/** What is read of a command of the report. */
interface AskedCommand {
  readonly path: string;
  readonly argsDigest?: string | undefined;
}

function withoutSupplies(request: ReplayRequest, supplies: readonly DraftSupply[]): ReplayRequest {
  const paths = new Set(supplies.map(({ path }) => path));
  return { ...request, supply: request.supply.filter(({ path }) => !paths.has(path)) };
}
