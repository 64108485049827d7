/**
 * `hindcast check FILE… [--json]`: opens, runs every rule, says what was found.
 */
import { createReading } from '../core/audit/index.ts';
import { createTraceReader } from '../core/projections/index.ts';
import { checkToCode, computeCheckReport } from './check-report.ts';
import { checkToText } from './check-text.ts';
import { findBeside } from './beside.ts';
import { openPaths } from './opened.ts';
import { type Outcome, toJson, unusable } from './output.ts';

export interface OpenSettings {
  readonly json: boolean;
  readonly acceptFuture: boolean;
  readonly allowHuge: boolean;
  /** Id of the one format to read, where the files are of several. */
  readonly format?: string | undefined;
  /** Key of the one trace to read, where the files hold several. */
  readonly trace?: string | undefined;
  /** Told what goes on, from time to time. */
  readonly onProgress?: ((text: string) => void) | undefined;
}

export async function runCheck(paths: readonly string[], settings: OpenSettings): Promise<Outcome> {
  const opened = await openPaths(paths, settings);
  if (!opened.ok) return unusable(opened.error, settings.json);
  const { index, source, problems, placeOf, result, counts, traces } = opened.value;
  const { format, replayGrade, missingForReplay } = result;
  const summary = { format, replayGrade, missingForReplay, counts };
  const reader = createTraceReader({ index, source, problems, placeOf, summary, createReading });
  const beside = result.format === 'claude-code' ? await findBeside(paths) : [];
  const report = computeCheckReport(reader, result, traces, beside);
  return { code: checkToCode(report), out: settings.json ? toJson(report) : checkToText(report, reader) };
}
