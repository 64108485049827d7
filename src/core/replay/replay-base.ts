/**
 * What a replay starts from: the run as declared, its journals, and what the branch to be replayed shows of it.
 */
import { type JsonValue, isJsonObject } from '../base/json.ts';
import { type Result, err, ok } from '../base/result.ts';
import { type HindcastEvent, digest } from '../model/index.ts';
import { branchToLineage, branchToLines, computeBranchEvents, computeJournalOfBranch } from './branch-journal.ts';
import { type Contents, createContents, dataOf } from './contents.ts';
import type { Journal } from './journal-types.ts';
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
  const infos = computeRunInfos(events, run, contents).map((info) => onBranch(info, events, lineage));
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

/** What the operations of the lineage changed about the run itself: program, input, outcome. */
function onBranch(info: RunInfo, events: readonly HindcastEvent[], lineage: readonly string[]): RunInfo {
  let out = info;
  for (const branch of lineage.slice(1)) {
    for (const event of branchToLines(events, branch)) {
      const outcome = eventToOutcome(event);
      if (outcome !== undefined) out = { ...out, outcome };
      else if (event.type === 'replay.started') out = withOperation(out, dataOf(event)['operation']);
      else if (event.type === 'replay.completed' && dataOf(event)['status'] !== 'complete')
        out = { ...out, outcome: undefined };
    }
  }
  return out;
}

function withOperation(info: RunInfo, operation: JsonValue | undefined): RunInfo {
  if (!isJsonObject(operation)) return info;
  const { program_after: program, input } = operation;
  let out = info;
  const source = isJsonObject(program) ? program['source'] : undefined;
  if (typeof source === 'string') out = { ...out, program: { ...out.program, source, digest: programDigest(source) } };
  const value = isJsonObject(input) ? input['value'] : undefined;
  if (info.segment === 0 && value !== undefined) out = { ...out, input: value, inputDigest: digest(value) };
  return out;
}
