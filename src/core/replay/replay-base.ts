/**
 * What a replay starts from: the run as declared, its journals, and what the branch to be replayed shows of it.
 */
import { type JsonValue, isJsonObject } from '../base/json.ts';
import { type Result, err, ok } from '../base/result.ts';
import { type Digest, type HindcastEvent, digest, isDigest } from '../model/index.ts';
import {
  branchToExcluded,
  branchToLineage,
  branchToLines,
  computeBranchEvents,
  computeJournalOfBranch,
  lineToPath,
} from './branch-journal.ts';
import { pathToSegment } from './command-path.ts';
import { type Contents, createContents, dataOf } from './contents.ts';
import type { Journal } from './journal-types.ts';
import { rolledFrom } from './log-segments.ts';
import { type RunInfo, computeRunInfos, eventToOutcome, listRuns, programDigest } from './run-info.ts';

/** Everything the run and its base declare, read once. */
export interface ReplayBase {
  readonly run: string;
  readonly branch: string;
  readonly lineage: readonly string[];
  readonly visible: readonly HindcastEvent[];
  readonly contents: Contents;
  readonly infos: readonly RunInfo[];
  readonly journals: readonly Journal[];
}

export function readBase(
  events: readonly HindcastEvent[],
  wanted: string | undefined,
  branch: string,
): Result<ReplayBase, string> {
  const runs = listRuns(events);
  const run = wanted ?? runs[0];
  if (run === undefined) return err('The stream has no events of a run.');
  if (!runs.includes(run)) return err(`The stream has no run ${named(run)}; it has ${listed(runs)}.`);
  const lineage = branchToLineage(events, branch);
  if (lineage === undefined) return err(noBranchToText(events, branch));
  const contents = createContents(events);
  const infos = onLineage(computeRunInfos(events, run, contents), events, lineage);
  // Without a declared start there is still something to preview.
  const segments = infos.length === 0 ? [0] : infos.map((info) => info.segment);
  const journals = segments.map((segment) => computeJournalOfBranch(events, run, segment, lineage));
  const visible = computeBranchEvents(events, run, lineage);
  return ok({ run, branch, lineage, visible, contents, infos, journals });
}

function noBranchToText(events: readonly HindcastEvent[], branch: string): string {
  const made = new Set<string>(['main']);
  for (const event of events) if (event.type === 'branch.created') made.add(event.branch);
  const has = `it has ${listed([...made])}`;
  if (made.has(branch)) return `A branch that ${branch} was made from is missing in the stream; ${has}.`;
  return `The stream has no branch ${named(branch)}; ${has}.`;
}

function named(name: string): string {
  return name === '' ? 'with an empty name' : name;
}

/** Names in a sentence before the rest is a count. */
const mostListed = 20;

function listed(names: readonly string[]): string {
  const rest = names.length - mostListed;
  return `${names.slice(0, mostListed).join(', ')}${rest > 0 ? ` and ${String(rest)} more` : ''}`;
}

/** What the operations of the lineage changed about the run itself: program, input, how each segment ended. */
function onLineage(
  infos: readonly RunInfo[],
  events: readonly HindcastEvent[],
  lineage: readonly string[],
): readonly RunInfo[] {
  let out = infos;
  for (const branch of lineage.slice(1)) {
    const lines = branchToLines(events, branch);
    for (const line of lines) {
      if (line.type !== 'replay.started') continue;
      const { operation } = dataOf(line);
      out = out.map((info) => withOperation(info, operation));
    }
    out = withOutcomes(out, lines, branchToExcluded(events, branch));
  }
  return out;
}

/** A roll-over is that of its own segment and carries the input of the next; any other end is that of the last segment the branch came to. */
function withOutcomes(
  infos: readonly RunInfo[],
  lines: readonly HindcastEvent[],
  excluded: ReadonlySet<string>,
): readonly RunInfo[] {
  const out = infos.map((info): RunInfo => {
    const isLeftOut = info.outcome !== undefined && excluded.has(info.outcome.event);
    return isLeftOut ? { ...info, outcome: undefined } : info;
  });
  let last = out.find((info, n) => info.outcome !== infos[n]?.outcome)?.segment ?? 0;
  for (const line of lines) last = Math.max(last, pathToSegment(lineToPath(line)));
  const places = new Map(out.map(({ segment }, n) => [segment, n]));
  const set = (segment: number, change: Partial<RunInfo>): void => {
    const at = places.get(segment) ?? -1;
    const info = out[at];
    if (info !== undefined) out[at] = { ...info, ...change };
  };
  let end = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const outcome = eventToOutcome(line);
    if (outcome?.kind === 'rolled-over') {
      const segment = rolledFrom(line) ?? last;
      set(segment, { outcome });
      const { carried } = outcome;
      if (carried !== undefined) set(segment + 1, { input: carried, inputDigest: outcome.digest ?? digest(carried) });
      last = Math.max(last, segment + 1);
    } else if (outcome !== undefined) {
      set(last, { outcome });
      end = last;
    }
  }
  // What the run does not come to any more on this branch is no part of it.
  return out.filter(({ segment }) => segment <= end);
}

function withOperation(info: RunInfo, operation: JsonValue | undefined): RunInfo {
  if (!isJsonObject(operation)) return info;
  const { program_after: program, input } = operation;
  let out = info;
  const source = isJsonObject(program) ? program['source'] : undefined;
  if (typeof source === 'string')
    out = {
      ...out,
      program: { ...out.program, source, digest: programDigest(source), withheld: false, isOther: undefined },
    };
  // A copy may hold back what was run: the program before it is another one.
  else if (isJsonObject(program) && source !== undefined)
    out = {
      ...out,
      program: {
        ...out.program,
        source: undefined,
        digest: toDigest(program['digest']),
        withheld: true,
        isOther: undefined,
      },
    };
  const value = isJsonObject(input) ? input['value'] : undefined;
  if (info.segment === 0 && value !== undefined) out = { ...out, input: value, inputDigest: digest(value) };
  return out;
}

function toDigest(value: JsonValue | undefined): Digest | undefined {
  return typeof value === 'string' && isDigest(value) ? value : undefined;
}
