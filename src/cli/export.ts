/**
 * `hindcast export FILE… --to hindcast|otlp -o OUT [--json]`: the trace, whatever its format was, as a file for other programs.
 *
 * Everything is written: this is no redacted copy. An existing file is never overwritten, and nothing is left of one that failed.
 */
import { open, rm } from 'node:fs/promises';
import { type ExportForm, exportForms, exportToParts } from '../core/export/index.ts';
import type { OpenSettings } from './check.ts';
import { openPaths } from './opened.ts';
import { type Outcome, toJson, unusable } from './output.ts';

export interface ExportSettings extends OpenSettings {
  readonly to: string | undefined;
  readonly out: string;
}

export async function runExport(paths: readonly string[], settings: ExportSettings): Promise<Outcome> {
  const { json, out } = settings;
  const form = exportForms.find((one) => one === settings.to);
  if (form === undefined) {
    const message = `export writes ${exportForms.join(' or ')}; say which with --to.`;
    return unusable({ code: 'usage', message }, json);
  }
  const opened = await openPaths(paths, settings);
  if (!opened.ok) return unusable(opened.error, json);
  const { source, index, result } = opened.value;
  const failure = await writeParts(out, exportToParts(source, form));
  if (failure !== undefined) return unusable({ code: 'not-writable', message: failure }, json);
  const runs = new Set(Array.from({ length: index.count }, (_, position) => index.run(position))).size;
  const report = { to: form, out, events: source.count, runs, format: result.format };
  return { code: 0, out: json ? toJson(report) : reportToText(report) };
}

/** Parts are gathered to writes of about this many characters. */
const writeLength = 1 << 20;

async function writeParts(out: string, parts: Iterable<string>): Promise<string | undefined> {
  let file;
  try {
    file = await open(out, 'wx');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      return `${out} exists already. Choose another name, or remove it first.`;
    return writeFailure(out, error);
  }
  try {
    let pending: string[] = [];
    let length = 0;
    for (const part of parts) {
      pending.push(part);
      length += part.length;
      if (length < writeLength) continue;
      await file.write(pending.join(''));
      pending = [];
      length = 0;
    }
    await file.write(pending.join(''));
    await file.close();
    return undefined;
  } catch (error) {
    await file.close();
    await rm(out);
    return writeFailure(out, error);
  }
}

function writeFailure(out: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The export cannot be written to ${out}: ${reason}. Choose a name in a folder that exists and may be written to.`;
}

interface ExportReport {
  readonly to: ExportForm;
  readonly out: string;
  readonly events: number;
  readonly runs: number;
}

function reportToText({ to, out, events, runs }: ExportReport): string {
  const form = to === 'otlp' ? 'OTLP JSON' : 'a Hindcast stream';
  return `Wrote ${out} as ${form}: ${String(events)} events of ${runs === 1 ? 'one run' : `${String(runs)} runs`}. Nothing is withheld in it; \`redact\` makes a copy to give away.`;
}
