/**
 * `hindcast compare A [B] [--run RUN[,RUN]] [--branch B[,B]] [--json]`: two recorded lines beside each other, nothing is run.
 *
 * Two files, or two runs or branches of one. The first side is *here*, the second *there*, as in the page.
 */
import { type CompareSide, type ComparedSides, compareSides } from '../core/compare/index.ts';
import { type Result, err, ok } from '../core/base/result.ts';
import type { HindcastEvent } from '../core/model/index.ts';
import { listRuns } from '../core/replay/index.ts';
import type { OpenSettings } from './check.ts';
import { type ComparedPlace, areDifferent, compareToJson, compareToText } from './compare-report.ts';
import { sumLeftOut, toOutput } from './left-out.ts';
import { type Opened, openPaths } from './opened.ts';
import { type Failure, type Outcome, unusable } from './output.ts';

export interface CompareSettings extends OpenSettings {
  /** Of the first side, or of both with a comma between them. */
  readonly run?: string | undefined;
  readonly branch?: string | undefined;
}

interface Side extends CompareSide, ComparedPlace {
  readonly run: string | undefined;
}

export async function runCompare([here, there]: readonly string[], settings: CompareSettings): Promise<Outcome> {
  const { json } = settings;
  if (here === undefined)
    return unusable({ code: 'usage', message: 'compare takes one or two files or folders.' }, json);
  const first = await openPaths([here], settings);
  if (!first.ok) return unusable(first.error, json);
  const second = there === undefined ? first : await openPaths([there], settings);
  if (!second.ok) return unusable(second.error, json);
  const files = [here, there ?? here] as const;
  const sides = toSides(files, [toEvents(first.value), toEvents(second.value)], settings);
  if (!sides.ok) return unusable(sides.error, json);
  const [a, b] = sides.value;
  settings.onProgress?.('Comparing');
  const compared = compareSides(a, b);
  if (!compared.ok) return unusable({ code: 'refused', message: compared.error }, json);
  return toOutcome(compared.value, [a, b], first === second ? [first.value] : [first.value, second.value], json);
}

function toOutcome(
  compared: ComparedSides,
  [here, there]: readonly [Side, Side],
  opened: readonly Opened[],
  json: boolean,
): Outcome {
  const leftOut = sumLeftOut(opened.map((one) => one.leftOut()));
  const report = compareToJson(compared, here, there);
  const out = toOutput(json, report, compareToText(compared, here, there), leftOut);
  return { code: areDifferent(compared) ? 1 : 0, out };
}

function toEvents({ source }: Opened): readonly HindcastEvent[] {
  return Array.from({ length: source.count }, (_, position) => source.at(position));
}

/** Of one file its first two runs, or with `--branch` two branches of one run; of two files the first run of each. */
function toSides(
  [fileHere, fileThere]: readonly [string, string],
  [here, there]: readonly [readonly HindcastEvent[], readonly HindcastEvent[]],
  { run, branch }: CompareSettings,
): Result<readonly [Side, Side], Failure> {
  const isOneFile = here === there || fileHere === fileThere;
  const [runs, others] = [listRuns(here), listRuns(there)];
  const [branchHere = 'main', branchThere = 'main'] = branch?.split(',') ?? [];
  const named = run?.split(',') ?? [];
  const runHere = named[0] ?? runs[0];
  const sameThere = others.find((one) => one === named[0]) ?? others[0];
  const runThere = named[1] ?? (isOneFile ? runOfOther(runs, runHere, named, branch) : sameThere);
  const sides = [
    { file: fileHere, events: here, run: runHere, runs, branch: branchHere },
    { file: fileThere, events: there, run: runThere, runs: others, branch: branchThere },
  ] as const;
  if (named.length > 2 || (branch?.split(',').length ?? 0) > 2)
    return err({
      code: 'usage',
      message: 'There are two sides: --run and --branch take one name, or two with a comma.',
    });
  if (isOneFile && runHere === runThere && branchHere === branchThere)
    return err({
      code: 'refused',
      message: `${fileHere} holds one run${runHere === undefined ? '' : `, ${runHere}`}, and it is compared with nothing. Name a second file, two runs (--run A,B), or a branch (--branch B).`,
    });
  return ok(sides);
}

/** The second run of a file: another one, unless two branches of the same are meant. */
function runOfOther(
  runs: readonly string[],
  first: string | undefined,
  named: readonly string[],
  branch: string | undefined,
): string | undefined {
  if (branch !== undefined) return first;
  if (named.length === 1 && first !== runs[0]) return runs[0];
  return runs.find((run) => run !== first) ?? first;
}
