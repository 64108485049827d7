/**
 * The `summary.json` that the lab writes beside the streams of a campaign: what the lab counted itself, in a list of files.
 *
 * Invariant: it is a claim, like a verdict in a stream. Nothing of it enters a verdict; where it names a file that was opened, it is compared
 * with what the records of that file say, and a disagreement is told (R100).
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../core/base/json.ts';
import { parseLossless } from '../core/base/lossless.ts';
import { canon } from '../core/model/index.ts';
import { modelCallsOf, type RecoveryReport, type TrialReport } from '../core/recovery/index.ts';

export interface LabSummary {
  readonly file: string;
  readonly entries: readonly JsonObject[];
}

export interface ClaimedFile {
  readonly file: string;
  readonly text: string;
  readonly disagreements: readonly string[];
}

/** Undefined for a text that is none. */
export function textToLabSummary(file: string, text: string): LabSummary | undefined {
  const read = parseLossless(text);
  const trials = read.ok && isJsonObject(read.value) ? read.value['trials'] : undefined;
  if (trials === undefined || !isJsonArray(trials)) return undefined;
  const entries = trials.filter(isJsonObject);
  return entries.length > 0 && entries.length === trials.length && entries.every(isEntry)
    ? { file, entries }
    : undefined;
}

function isEntry(entry: JsonObject): boolean {
  return (
    typeof entry['file'] === 'string' && isJsonObject(entry['committed']) && typeof entry['completed'] === 'boolean'
  );
}

export function compareLabSummary(
  { file, entries }: LabSummary,
  { campaigns }: Pick<RecoveryReport, 'campaigns'>,
): ClaimedFile {
  const trials = campaigns.flatMap((campaign) => campaign.trials);
  const found = entries.flatMap((entry) => {
    const name = textIn(entry['file']);
    const trial = trials.find(({ traces }) => traces.some((trace) => baseOf(trace) === name));
    return trial === undefined ? [] : [{ name, entry, trial }];
  });
  const disagreements = found.flatMap(({ name, entry, trial }) => compareEntry(name, entry, trial));
  const rest = entries.length - found.length;
  const others =
    rest === 0
      ? ''
      : `; ${String(rest)} more ${rest === 1 ? 'names a file that was' : 'name files that were'} not opened`;
  const said = `It says the same as the records of ${String(found.length - new Set(disagreements.map(fileOf)).size)} of ${String(found.length)} trials${others}.`;
  return {
    file,
    text: `The summary that a lab wrote of its own trials: claims, compared with the records, and in no verdict. ${said}`,
    disagreements,
  };
}

function textIn(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function baseOf(path: string): string {
  return path.replace(/^.*[/\\]/, '');
}

function fileOf(disagreement: string): string {
  return disagreement.slice(0, disagreement.indexOf(': '));
}

function compareEntry(name: string, entry: JsonObject, { outcome, placements }: TrialReport): readonly string[] {
  const committed: JsonObject = isJsonObject(entry['committed']) ? entry['committed'] : {};
  const executed = new Map(outcome.effects.map((one) => [one.effect, one]));
  const pairs: readonly (readonly [
    what: string,
    claimed: JsonValue | undefined,
    ours: boolean | number | undefined,
  ])[] = [
    ['completed', entry['completed'], outcome.completed],
    ['kills', entry['killed'], placements.length],
    ['model calls', entry['model_calls'], modelCallsOf(outcome).isAtLeast ? undefined : modelCallsOf(outcome).count],
    ...Object.entries(committed).map(([effect, claimed]) => {
      const own = executed.get(effect);
      const isKnown = own === undefined ? outcome.duplicates !== undefined : own.duplicates !== undefined;
      return [`executions of ${effect}`, claimed, isKnown ? (own?.executions.length ?? 0) : undefined] as const;
    }),
  ];
  return pairs.flatMap(([what, claimed, ours]) =>
    claimed === undefined || ours === undefined || claimed === ours
      ? []
      : [`${name}: the summary says ${what}: ${canon(claimed)}; the records say ${String(ours)}.`],
  );
}
