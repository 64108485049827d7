/**
 * `hindcast recovery FILE|FOLDER… [--claim CLAIM.json] [--envelope NOW.json] [--ledger LEDGER] [--json]`: trials of recovery, judged by
 * their records; engines' own tables, held against a ledger; rates and latencies with faults.
 *
 * Every file is opened by itself and trials are put together by run: files of several trials use the same ids, and one trial may be
 * spread over several files.
 */
import { isJsonObject, type JsonObject } from '../core/base/json.ts';
import { type Result, err, ok } from '../core/base/result.ts';
import type { SourceFile } from '../core/formats/format.ts';
import {
  analyseRecovery,
  type Claim,
  compareLabSummary,
  type LabSummary,
  type LedgerFile,
  type RateSeries,
  type RecoveryTrace,
  textToClaim,
  textToLabSummary,
  textToLedger,
} from '../core/recovery/index.ts';
import { pathsToSources } from '../platform/files/node-files.ts';
import type { OpenSettings } from './check.ts';
import { readTrace } from './files.ts';
import { type LeftOut, sumLeftOut, toOutput } from './left-out.ts';
import { type Outcome, unusable } from './output.ts';
import { type NotRead, recoveryToCode, toClaimed, toRecoveryOutput } from './recovery-report.ts';
import { readJsonFile, readText } from './option-files.ts';
import { judgeSeries, readDefinition, readSeries, readTable } from './recovery-series.ts';
import { recoveryToText } from './recovery-text.ts';

export interface RecoverySettings extends OpenSettings {
  readonly claim?: string | undefined;
  readonly envelope?: string | undefined;
  /** File of the ledger of the service. */
  readonly ledger?: string | undefined;
  /** What counts as stable again in a series. */
  readonly tolerance?: string | undefined;
  readonly hold?: string | undefined;
}

export async function runRecovery(paths: readonly string[], settings: RecoverySettings): Promise<Outcome> {
  const sources = await pathsToSources(paths);
  if (!sources.ok) return unusable({ code: 'not-readable', message: sources.error.message }, settings.json);
  const claim = settings.claim === undefined ? ok(undefined) : await readClaim(settings.claim);
  if (!claim.ok) return unusable({ code: 'claim', message: claim.error }, settings.json);
  const present = settings.envelope === undefined ? ok(undefined) : await readEnvelope(settings.envelope);
  if (!present.ok) return unusable({ code: 'envelope', message: present.error }, settings.json);
  const ledger = settings.ledger === undefined ? ok(undefined) : await readLedger(settings.ledger);
  if (!ledger.ok) return unusable({ code: 'ledger', message: ledger.error }, settings.json);
  const definition = readDefinition(settings.tolerance, settings.hold);
  if (!definition.ok) return unusable({ code: 'usage', message: definition.error }, settings.json);
  const { traces, series, summaries, notRead, leftOut } = await readAll(sources.value, settings);
  const report = analyseRecovery(traces, { claim: claim.value, present: present.value, ledger: ledger.value });
  const judged = judgeSeries(series, definition.value);
  if (report.campaigns.length === 0 && report.engines.runs.length === 0 && judged.length === 0) {
    const [told] = summaries.map(
      ({ file }) => `${file} is the summary that a lab wrote of its trials: open their streams.`,
    );
    const seen = traces.length === 0 ? (told ?? notRead[0]?.message) : report.unmatched[0]?.text;
    const message = `There is no trial in these files: no record says that one started.${seen === undefined ? '' : ` ${seen}`}`;
    return unusable({ code: 'no-trial', message }, settings.json);
  }
  const code = recoveryToCode(report, claim.value !== undefined);
  const beside = {
    notRead,
    series: judged,
    claimed: summaries.map((summary) => toClaimed(compareLabSummary(summary, report))),
  };
  const text = recoveryToText(report, beside);
  const out = toOutput(settings.json, toRecoveryOutput(report, beside), text, sumLeftOut(leftOut));
  return { code, out };
}

interface ReadAll {
  readonly traces: readonly RecoveryTrace[];
  readonly series: readonly RateSeries[];
  readonly summaries: readonly LabSummary[];
  readonly notRead: readonly NotRead[];
  readonly leftOut: readonly LeftOut[];
}

async function readAll(sources: readonly SourceFile[], settings: OpenSettings): Promise<ReadAll> {
  const traces: RecoveryTrace[] = [];
  const series: RateSeries[] = [];
  const summaries: LabSummary[] = [];
  const notRead: NotRead[] = [];
  const leftOut: LeftOut[] = [];
  for (const source of sources) {
    const read = await readTrace(source, settings);
    if (read.ok) {
      traces.push(read.value);
      leftOut.push(read.value.leftOut);
      continue;
    }
    const text = await readTable(source);
    const summary = text === undefined ? undefined : textToLabSummary(source.name, text);
    const found = text === undefined ? undefined : readSeries(source.name, text);
    if (summary !== undefined) summaries.push(summary);
    else if (found?.ok === true) series.push(...found.value);
    else notRead.push({ file: source.name, message: found?.error ?? read.error });
  }
  return { traces, series, summaries, notRead, leftOut };
}

async function readLedger(path: string): Promise<Result<LedgerFile, string>> {
  const text = await readText('The ledger', path);
  return text.ok ? textToLedger(path, text.value) : text;
}

async function readClaim(path: string): Promise<Result<Claim, string>> {
  const text = await readText('The claim', path);
  if (!text.ok) return text;
  const claim = textToClaim(text.value);
  return claim.ok ? claim : err(`${path}: ${claim.error}`);
}

async function readEnvelope(path: string): Promise<Result<JsonObject, string>> {
  return readJsonFile('The envelope', path, (value) =>
    isJsonObject(value) ? ok(value) : err('The envelope cannot be used: it is no JSON object.'),
  );
}
