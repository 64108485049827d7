/**
 * `hindcast recovery FILE|FOLDER… [--claim CLAIM.json] [--envelope NOW.json] [--json]`: trials of recovery, judged by their records.
 *
 * Every file is opened by itself and trials are put together by run: files of several trials use the same ids, and one trial may be
 * spread over several files.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../core/base/json.ts';
import { parseLossless } from '../core/base/lossless.ts';
import { type Result, err, ok } from '../core/base/result.ts';
import { analyseRecovery, type Claim, parseClaim, type RecoveryTrace } from '../core/recovery/index.ts';
import { pathsToSources } from '../platform/files/node-files.ts';
import type { OpenSettings } from './check.ts';
import { readTrace } from './files.ts';
import { type Outcome, toJson, unusable } from './output.ts';
import { type NotRead, recoveryToCode, toRecoveryOutput } from './recovery-report.ts';
import { readText } from './program.ts';
import { recoveryToText } from './recovery-text.ts';

export interface RecoverySettings extends OpenSettings {
  readonly claim?: string | undefined;
  readonly envelope?: string | undefined;
}

export async function runRecovery(paths: readonly string[], settings: RecoverySettings): Promise<Outcome> {
  const sources = await pathsToSources(paths);
  if (!sources.ok) return unusable({ code: 'not-readable', message: sources.error.message }, settings.json);
  const claim = settings.claim === undefined ? ok(undefined) : await readClaim(settings.claim);
  if (!claim.ok) return unusable({ code: 'claim', message: claim.error }, settings.json);
  const present = settings.envelope === undefined ? ok(undefined) : await readEnvelope(settings.envelope);
  if (!present.ok) return unusable({ code: 'envelope', message: present.error }, settings.json);
  const traces: RecoveryTrace[] = [];
  const notRead: NotRead[] = [];
  for (const source of sources.value) {
    const read = await readTrace(source, settings);
    if (read.ok) traces.push(read.value);
    else notRead.push({ file: source.name, message: read.error });
  }
  const report = analyseRecovery(traces, { claim: claim.value, present: present.value });
  if (report.campaigns.length === 0) {
    const seen = traces.length === 0 ? notRead[0]?.message : report.unmatched[0]?.text;
    const message = `There is no trial in these files: no record says that one started.${seen === undefined ? '' : ` ${seen}`}`;
    return unusable({ code: 'no-trial', message }, settings.json);
  }
  const code = recoveryToCode(report, claim.value !== undefined);
  return { code, out: settings.json ? toJson(toRecoveryOutput(report, notRead)) : recoveryToText(report, notRead) };
}

async function readClaim(path: string): Promise<Result<Claim, string>> {
  const value = await readJson('The claim', path);
  if (!value.ok) return value;
  const claim = parseClaim(value.value);
  return claim.ok ? claim : err(`${path}: ${claim.error}`);
}

async function readEnvelope(path: string): Promise<Result<JsonObject, string>> {
  const value = await readJson('The envelope', path);
  if (!value.ok) return value;
  return isJsonObject(value.value) ? ok(value.value) : err(`${path} is not an envelope: it is no JSON object.`);
}

async function readJson(what: string, path: string): Promise<Result<JsonValue, string>> {
  const text = await readText(what, path);
  if (!text.ok) return text;
  const parsed = parseLossless(text.value);
  return parsed.ok ? parsed : err(`${path} is not JSON: ${parsed.error.message}, at character ${parsed.error.at + 1}.`);
}
