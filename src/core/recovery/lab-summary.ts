/**
 * The `summary.json` that the lab writes beside the streams of a campaign: what the lab counted itself, in a list of files.
 *
 * Invariant: it is a claim, like a verdict in a stream. Nothing of it enters a verdict; where it names a file that was opened, each field is
 * compared with what the records of that file say, a difference is told with both values, and so is a field that was not compared (R100).
 * Called by the command line and the page with a report that is finished.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { canon } from '../model/index.ts';
import { isAtLeast, modelCallsOf, type SeenCount } from './outcome.ts';
import type { CampaignReport, Placement, RecoveryReport, TrialReport } from './report.ts';
import { textIn } from './trial-records.ts';

export interface LabSummary {
  readonly file: string;
  readonly entries: readonly JsonObject[];
  /** Members beside the list of trials. */
  readonly beside: readonly string[];
}

export interface SummaryDifference {
  readonly trial: string;
  /** As the summary names it. */
  readonly file: string;
  readonly field: string;
  readonly claimed: string;
  readonly ours: string;
}

export interface SummaryReport {
  readonly file: string;
  readonly text: string;
  /** Trials that it has an entry of. */
  readonly trials: readonly string[];
  readonly differences: readonly SummaryDifference[];
  /** Fields, each with the reason, and with the number of trials where it was compared in others. */
  readonly notCompared: readonly string[];
}

/** Undefined for a text that is none. */
export function textToLabSummary(file: string, text: string): LabSummary | undefined {
  const read = parseLossless(text.replace(/^\uFEFF/, ''));
  if (!read.ok || !isJsonObject(read.value)) return undefined;
  const { trials, ...beside } = read.value;
  if (trials === undefined || !isJsonArray(trials)) return undefined;
  const entries = trials.filter(isJsonObject);
  return entries.length > 0 && entries.length === trials.length && entries.every(isEntry)
    ? { file, entries, beside: Object.keys(beside) }
    : undefined;
}

function isEntry(entry: JsonObject): boolean {
  return (
    typeof entry['file'] === 'string' &&
    isJsonObject(entry['committed'] ?? null) &&
    typeof entry['completed'] === 'boolean'
  );
}

interface Found {
  readonly entry: JsonObject;
  readonly name: string;
  readonly trial: TrialReport;
  readonly campaign: CampaignReport;
}

/** `namesOf`: names of the files that a trace was opened from; the trace's own where it is called like its file. */
export function compareLabSummary(
  summary: LabSummary,
  { campaigns }: Pick<RecoveryReport, 'campaigns'>,
  namesOf: (trace: string) => readonly string[] = (trace) => [trace],
): SummaryReport {
  const { file, entries, beside } = summary;
  const candidates = entries.map((entry) => candidatesOf(file, entry, campaigns, namesOf));
  const found = candidates.flatMap((list): readonly Found[] => (list.length === 1 ? list : []));
  const strategies = createStrategies(found);
  const compared = found.map((one) => compareEntry(one, strategies));
  const differences = compared.flatMap((entry) => entry.differences);
  const counts = {
    same: compared.filter((entry) => entry.differences.length === 0).length,
    found: found.length,
    absent: candidates.filter((list) => list.length === 0).length,
    several: candidates.filter((list) => list.length > 1).length,
    unnamed: unnamedIn(found),
  };
  return {
    file,
    text: `The summary that a lab wrote of its own trials: claims, compared with the records, and in no verdict. ${countsToText(counts)}`,
    trials: found.map(({ trial }) => trial.id),
    differences,
    notCompared: [
      ...beside.map((name) => `${name}: no record tells of it`),
      ...notComparedToTexts(compared.flatMap((entry) => entry.notCompared)),
    ],
  };
}

/** Trials of a file of this name; of several those that were opened beside the summary. */
function candidatesOf(
  summary: string,
  entry: JsonObject,
  campaigns: readonly CampaignReport[],
  namesOf: (trace: string) => readonly string[],
): readonly Found[] {
  const name = textIn(entry, 'file') ?? '';
  const all = campaigns.flatMap((campaign) =>
    campaign.trials.flatMap((trial) => {
      const paths = trial.traces.flatMap(namesOf).filter((path) => baseOf(path) === baseOf(name));
      return paths.length === 0 ? [] : [{ entry, name, trial, campaign, paths }];
    }),
  );
  const near = all.filter(({ paths }) => paths.some((path) => folderOf(path) === folderOf(summary)));
  return near.length > 0 ? near : all;
}

function baseOf(path: string): string {
  return path.slice(folderOf(path).length);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Trials beside those that it names: a summary that leaves some out tells of the others only. */
function unnamedIn(found: readonly Found[]): number {
  const named = new Set(found.map(({ trial }) => trial.id));
  const campaigns = new Set(found.map(({ campaign }) => campaign));
  return [...campaigns].flatMap(({ trials }) => trials).filter(({ id }) => !named.has(id)).length;
}

function countsToText({
  same,
  found,
  absent,
  several,
  unnamed,
}: Readonly<Record<'same' | 'found' | 'absent' | 'several' | 'unnamed', number>>): string {
  const parts = [
    `It says the same as the records of ${String(same)} of ${String(found)} trials`,
    ...(absent === 0
      ? []
      : [`${String(absent)} more ${absent === 1 ? 'names a file that was' : 'name files that were'} not opened`]),
    ...(several === 0
      ? []
      : [`${String(several)} more ${several === 1 ? 'names' : 'name'} a file of which several trials are open`]),
    ...(unnamed === 0
      ? []
      : [`it has no entry of ${String(unnamed)} opened ${unnamed === 1 ? 'trial' : 'trials'} of the same campaign`]),
  ];
  return `${parts.join('; ')}.`;
}

export function differenceToText({ file, field, claimed, ours }: SummaryDifference): string {
  return `${file}: the summary says ${field}: ${claimed}; the records say ${ours}.`;
}

/** What the records say of a field, or why they do not. */
type Ours =
  | { readonly value: JsonValue; readonly isAtLeast?: boolean | undefined; readonly whyNot?: undefined }
  | { readonly whyNot: string };

interface Pair {
  readonly field: string;
  readonly claimed: JsonValue;
  readonly ours: Ours;
}

interface NotCompared {
  readonly field: string;
  readonly why: string;
}

function compareEntry(
  found: Found,
  strategies: (one: Found) => Ours,
): {
  readonly differences: readonly SummaryDifference[];
  readonly notCompared: readonly NotCompared[];
} {
  const { entry, name, trial } = found;
  const pairs = Object.entries(entry).flatMap(([field, claimed]) => pairsOf(found, field, claimed, strategies));
  return {
    differences: pairs.flatMap(({ field, claimed, ours }) =>
      ours.whyNot !== undefined || isSame(claimed, ours)
        ? []
        : [{ trial: trial.id, file: name, field, claimed: valueToText(claimed), ours: oursToText(ours) }],
    ),
    notCompared: pairs.flatMap(({ field, ours: { whyNot: why } }) => (why === undefined ? [] : [{ field, why }])),
  };
}

function isSame(
  claimed: JsonValue,
  { value, isAtLeast: isMore }: Extract<Ours, { readonly value: JsonValue }>,
): boolean {
  if (isMore === true && typeof claimed === 'number' && typeof value === 'number') return claimed >= value;
  return canon(claimed) === canon(value);
}

function oursToText({ value, isAtLeast: isMore }: Extract<Ours, { readonly value: JsonValue }>): string {
  return `${isMore === true ? 'at least ' : ''}${valueToText(value)}`;
}

function valueToText(value: JsonValue): string {
  return typeof value === 'string' ? value : canon(value);
}

function notComparedToTexts(fields: readonly NotCompared[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { field, why } of fields) {
    const text = `${field}: ${why}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, n]) => `${text} (${String(n)} ${n === 1 ? 'trial' : 'trials'})`);
}

/** An empty value says nothing. */
function pairsOf(found: Found, field: string, claimed: JsonValue, strategies: (one: Found) => Ours): readonly Pair[] {
  if (field === 'file' || claimed === null || claimed === '') return [];
  if (field === 'committed' && isJsonObject(claimed)) return commitments(found.trial, claimed);
  const read = field === 'strategy' ? strategies : fieldReaders.get(field);
  const ours = read?.(found) ?? { whyNot: 'no record tells of it' };
  return [{ field, claimed: field === 'kills' ? plannedToText(claimed) : claimed, ours }];
}

const noRecordNames: Ours = { whyNot: 'no record names it' };

const fieldReaders: ReadonlyMap<string, (one: Found) => Ours> = new Map<string, (one: Found) => Ours>([
  ['campaign', ({ campaign: { basis, id } }) => (basis === 'recorded' ? { value: id } : noRecordNames)],
  ['design', ({ trial: { designBasis, design } }) => (designBasis === 'recorded' ? { value: design } : noRecordNames)],
  ['arm', ({ trial: { armBasis, arm } }) => (armBasis === 'recorded' ? { value: arm } : noRecordNames)],
  ['kills', ({ trial: { placements } }) => killsTo(placements)],
  ['repeat', ({ trial: { repeat } }) => (repeat === undefined ? noRecordNames : { value: repeat })],
  ['fault', ({ trial: { faults } }) => ({ value: faults.map((one) => one.class).join(', ') || 'none' })],
  ['deduplicated', ({ trial }) => answersTo(trial, 'savedAnswers', 'effect.deduplicated')],
  ['refused', ({ trial }) => answersTo(trial, 'refused', 'effect.refused')],
  ['model_calls', ({ trial: { outcome } }) => seenTo(modelCallsOf(outcome))],
  ['killed', ({ trial: { placements } }) => ({ value: placements.length })],
  [
    'completed',
    ({ trial: { outcome } }) =>
      outcome.completed === undefined ? { whyNot: 'it is not known' } : { value: outcome.completed },
  ],
]);

/** A command that the summary does not name was executed all the same. */
function commitments({ outcome }: TrialReport, claimed: JsonObject): readonly Pair[] {
  const effects = new Map(outcome.effects.map((one) => [one.effect, one]));
  const unnamed = outcome.effects.filter(
    ({ effect, executions }) => executions.length > 0 && !Object.hasOwn(claimed, effect),
  );
  return [
    ...Object.entries(claimed).map(([effect, count]): Pair => {
      const own = effects.get(effect);
      const { duplicates, executions = [] } = own ?? { duplicates: outcome.duplicates };
      const isMore = duplicates === undefined || isAtLeast(own ?? outcome);
      const seen = seenTo({
        count: isMore && executions.length === 0 ? undefined : executions.length,
        isAtLeast: isMore,
      });
      return { field: `committed ${effect}`, claimed: count, ours: seen };
    }),
    ...unnamed.map(({ effect, executions }): Pair => ({
      field: `committed ${effect}`,
      claimed: 'nothing',
      ours: { value: executions.length },
    })),
  ];
}

/** Less than is seen is contradicted also where there may be more. */
function seenTo({ count, isAtLeast: isMore }: SeenCount): Ours {
  return count === undefined ? { whyNot: 'it is not known' } : { value: count, isAtLeast: isMore };
}

/** A record that answers no command of the trial is none of the number. */
function answersTo({ outcome, timeline }: TrialReport, which: 'savedAnswers' | 'refused', recorded: string): Ours {
  const count = outcome.effects.reduce((sum, effect) => sum + effect[which].length, 0);
  if (timeline.filter(({ type }) => type === recorded).length !== count)
    return { whyNot: 'a record of it is of no command' };
  const isMore = outcome.duplicates === undefined || isAtLeast(outcome);
  return isMore && count === 0 ? { whyNot: 'it is not known' } : { value: count, isAtLeast: isMore };
}

function plannedToText(claimed: JsonValue): JsonValue {
  if (!isJsonArray(claimed)) return claimed;
  const kills = claimed.map((kill) => killToText(textIn(kill, 'point'), textIn(kill, 'path')));
  return kills.join(', ') || 'none';
}

function killsTo(placements: readonly Placement[]): Ours {
  const open = placements.find(({ point, verdict }) => point === undefined && verdict !== 'verified');
  if (open !== undefined) return { whyNot: 'where a kill struck is not established' };
  const kills = placements.map(({ point, effect }) => killToText(point ?? 'model', effect));
  return { value: kills.join(', ') || 'none' };
}

function killToText(point: string | undefined, effect: string | undefined): string {
  return `${point ?? 'no point'} of ${effect ?? 'no command'}`;
}

/**
 * A lab may call its strategies otherwise than the records do. Then two names go together where most trials have both, and a trial that
 * has another one is named. Of one name alone nothing tells which it means.
 */
function createStrategies(found: readonly Found[]): (one: Found) => Ours {
  const claimedOf = ({ entry }: Found): string => textIn(entry, 'strategy') ?? '';
  const pairs = new Map<string, { readonly claimed: string; readonly recorded: string; count: number }>();
  for (const one of found) {
    const [claimed, recorded] = [claimedOf(one), one.trial.strategy];
    const key = JSON.stringify([claimed, recorded]);
    const pair = pairs.get(key) ?? { claimed, recorded, count: 0 };
    pair.count += 1;
    pairs.set(key, pair);
  }
  const together = new Map<string, string>();
  for (const { claimed, recorded } of [...pairs.values()].sort((a, b) => b.count - a.count))
    if (!together.has(claimed) && ![...together.values()].includes(recorded)) together.set(claimed, recorded);
  return (one) => {
    const [claimed, recorded] = [claimedOf(one), one.trial.strategy];
    if (claimed === recorded) return { value: recorded };
    if (pairs.size === 1) return { whyNot: `the records call it "${recorded}"` };
    return { value: together.get(claimed) === recorded ? claimed : recorded };
  };
}
