/**
 * Pins a run or a branch: the properties that hold in it, and the slice of the stream that shows it.
 *
 * Invariant: what is pinned was seen to hold in an unedited replay; a record that does not replay is refused. Called by the command line
 * and the page.
 */
import type { JsonValue } from '../base/json.ts';
import { type Result, err, ok } from '../base/result.ts';
import { nameProblem, nameToShown } from '../base/shown-text.ts';
import { type BranchId, type HindcastEvent, isDigest } from '../model/index.ts';
import {
  type ReplayReport,
  type ReplayRequest,
  computeFrontierDigest,
  computeSetDigest,
  readBase,
  runReplay,
} from '../replay/index.ts';
import { type GoldenFinding, evaluateProperty } from './evaluate.ts';
import type { Golden, GoldenProperty } from './schema.ts';
import { type Selector, selectProperties } from './select.ts';
import { reportToSeen } from './seen.ts';
import { sliceTrace } from './slice.ts';

/** The audit, given by the caller: this folder knows no rules. */
export interface GoldenAudit {
  /** Ids of the rules there are: an invariant of a rule that is not there would hold for ever. */
  readonly rules: ReadonlySet<string>;
  findingsOf(events: readonly HindcastEvent[], branch: BranchId): readonly GoldenFinding[];
}

/** The sentence about an invariant whose rule is not there. */
export function whyNoRule(properties: readonly GoldenProperty[], audit: GoldenAudit): string | undefined {
  const [unknown] = properties.flatMap((one) =>
    one.kind === 'invariant' && !audit.rules.has(one.target) ? [one.target] : [],
  );
  return unknown === undefined ? undefined : `There is no rule "${unknown}", so nothing can break it.`;
}

export interface PinRequest extends Pick<ReplayRequest, 'events' | 'sandbox' | 'author'> {
  readonly name: string;
  /** Default: the first run of the stream. */
  readonly run?: string;
  /** Default: the run as recorded. */
  readonly branch?: string;
  /** Default: all decisions, all effects and their idempotency keys, the last state of each name, and the order of effects. */
  readonly properties?: readonly Selector[];
  readonly exempt?: readonly string[];
  readonly reason?: string;
  /** Name of the file the slice will have. */
  readonly stream: string;
  readonly audit: GoldenAudit;
  readonly shouldStop?: () => boolean;
}

export interface Pinned {
  readonly golden: Golden;
  /** Positions, in the events given, of the slice. */
  readonly slice: readonly number[];
}

export async function pinGolden(request: PinRequest): Promise<Result<Pinned, string>> {
  const { events, branch = 'main' } = request;
  const unnamed = request.name.trim() === '' ? 'A golden case needs a name.' : nameProblem(request.name);
  if (unnamed !== undefined) return err(unnamed);
  const base = readBase(events, request.run, branch);
  if (!base.ok) return base;
  const { run, visible, infos } = base.value;
  const slice = sliceTrace(events, run, branch);
  const program = infos[0]?.program.digest;
  if (slice === undefined) return err(`The branch ${branch} was made from one that is not in the stream.`);
  const { sandbox, author, shouldStop } = request;
  const replayed = await runReplay({
    events,
    run,
    base: branch,
    sandbox,
    author,
    ...(shouldStop === undefined ? {} : { shouldStop }),
  });
  if (!replayed.ok) return replayed;
  const report = replayed.value;
  const why = whyNotPinned(report);
  if (why !== undefined) return err(why);
  if (program === undefined || !isDigest(program)) return err('The record does not say which program made it.');
  const properties = selectProperties(report, request.properties);
  if (!properties.ok) return properties;
  const unknown = whyNoRule(properties.value, request.audit);
  if (unknown !== undefined) return err(unknown);
  const broken = whyNotHolding(properties.value, report, request);
  if (broken !== undefined) return err(broken);
  const golden: Golden = {
    golden: 1,
    name: nameToShown(request.name),
    run,
    branch,
    stream: request.stream,
    program,
    set: computeSetDigest([computeFrontierDigest(visible)]),
    properties: [...properties.value],
    exempt: [...(request.exempt ?? [])],
    ...(request.reason === undefined ? {} : { reason: request.reason }),
  };
  return ok({ golden, slice });
}

/** A branch may wait for values; what it shows until there can be pinned. A record that its own program contradicts cannot. */
function whyNotPinned({ result, sentence }: ReplayReport): string | undefined {
  if (result === 'identical' || result === 'identical-where-recorded' || result === 'blocked') return undefined;
  return `This does not replay as it is, so nothing of it can be pinned: ${sentence}`;
}

function whyNotHolding(
  properties: readonly GoldenProperty[],
  report: ReplayReport,
  { events, audit }: PinRequest,
): string | undefined {
  const needsFindings = properties.some(({ kind }) => kind === 'invariant');
  const findings = needsFindings ? audit.findingsOf([...events, ...report.lines], report.branch) : [];
  const input = { seen: reportToSeen(report), findings, exempt: new Set<string>() };
  for (const property of properties) {
    const { status, sentence } = evaluateProperty(property, input);
    if (status !== 'holds') return `"${property.id}" does not hold in the record itself: ${sentence}`;
  }
  return undefined;
}

/** The golden file as JSON; members in the order in which people read them. */
export function goldenToJson(golden: Golden): JsonValue {
  // Cast: a golden case is made of JSON; the text drops members that are undefined.
  return JSON.parse(JSON.stringify(golden)) as JsonValue;
}
