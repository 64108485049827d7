/**
 * `hindcast export FILE… --to hindcast|otlp -o OUT [--json]`: the trace, whatever its format was, as a file for other programs.
 *
 * Everything is written: this is no redacted copy. An existing file is never overwritten, and nothing is left of one that failed.
 */
import { type Result, ok } from '../core/base/result.ts';
import type { EventSource } from '../core/causal/index.ts';
import type { Problem } from '../core/formats/format.ts';
import { type ExportForm, exportForms, exportToParts } from '../core/export/index.ts';
import { sliceTrace } from '../core/golden/index.ts';
import { readBase } from '../core/replay/index.ts';
import type { OpenSettings } from './check.ts';
import { runToText, toRunChoice } from './choice.ts';
import { toOutput } from './left-out.ts';
import { openPaths } from './opened.ts';
import { type Outcome, unusable } from './output.ts';
import { writeParts } from './write-parts.ts';

export interface ExportSettings extends OpenSettings {
  readonly to: string | undefined;
  readonly out: string;
  /** Only this branch, with its parents. */
  readonly branch?: string | undefined;
  /** The run it is of; default: the first. */
  readonly run?: string | undefined;
}

export async function runExport(paths: readonly string[], settings: ExportSettings): Promise<Outcome> {
  const { json, out } = settings;
  const form = exportForms.find((one) => one === settings.to);
  if (form === undefined) {
    const message = `export writes ${exportForms.join(' or ')}; say which with --to.`;
    return unusable({ code: 'usage', message }, json);
  }
  if (settings.run !== undefined && settings.branch === undefined) {
    const message =
      '--run says whose branch is written; name the branch with --branch, or leave --run out to write every run.';
    return unusable({ code: 'usage', message }, json);
  }
  const opened = await openPaths(paths, settings);
  if (!opened.ok) return unusable(opened.error, json);
  const { index, result } = opened.value;
  const chosen = chooseBranch(opened.value.source, settings);
  if (!chosen.ok) return unusable({ code: 'no-branch', message: chosen.error }, json);
  const source = chosen.value;
  const failure = await writeParts('The export', out, exportToParts(source, form));
  if (failure !== undefined) return unusable({ code: 'not-writable', message: failure }, json);
  const all = new Set(Array.from({ length: index.count }, (_, position) => index.run(position))).size;
  const runs = settings.branch === undefined ? all : 1;
  const contradictions = countContradictions(opened.value.problems, source);
  const about = contradictions === 0 ? {} : { contradictions };
  const report = { to: form, out, events: source.count, runs, format: result.format, ...about };
  const note = settings.branch === undefined ? [] : branchToText(opened.value.source, settings);
  const text = [reportToText(report), ...note].join('\n');
  return { code: 0, out: toOutput(json, report, text, opened.value.leftOut()) };
}

/** The lines of the branch, of its parents and of what they refer to, as they stand; without a branch everything. */
function chooseBranch(source: EventSource, { branch, run }: ExportSettings): Result<EventSource, string> {
  if (branch === undefined) return ok(source);
  const events = Array.from({ length: source.count }, (_, position) => source.at(position));
  const base = readBase(events, run, branch);
  if (!base.ok) return base;
  const slice = sliceTrace(events, base.value.run, branch) ?? [];
  const placeOf = (position: number): number => slice[position] ?? -1;
  return ok({
    count: slice.length,
    at: (position) => source.at(placeOf(position)),
    line: (position) => source.line(placeOf(position)),
  });
}

/** Events of the export of which a value is not what the digest beside it says; the rest of very many is told by its first. */
function countContradictions(problems: readonly Problem[], source: EventSource): number {
  const ids = new Set(problems.flatMap(({ code, events }) => (code === 'digest-mismatch' ? (events ?? []) : [])));
  if (ids.size === 0) return 0;
  let count = 0;
  for (let position = 0; position < source.count; position++) if (ids.has(source.at(position).id)) count++;
  return count;
}

interface ExportReport {
  readonly to: ExportForm;
  readonly out: string;
  readonly events: number;
  readonly runs: number;
  readonly contradictions?: number;
}

function reportToText({ to, out, events, runs, contradictions }: ExportReport): string {
  const form = to === 'otlp' ? 'OTLP JSON' : 'a Hindcast stream';
  const whose = runs === 1 ? 'one run' : `${String(runs)} runs`;
  const doubt =
    contradictions === undefined
      ? ''
      : ` ${String(contradictions)} of them ${contradictions === 1 ? 'contradicts itself' : 'contradict themselves'}, a value and the digest beside it; \`check\` names them.`;
  return `Wrote ${out} as ${form}: ${String(events)} ${events === 1 ? 'event' : 'events'} of ${whose}.${doubt} Nothing is withheld in it; \`redact\` makes a copy to give away.`;
}

/** Whose branch it is, where there are several runs: each may have one of that name. */
function branchToText(source: EventSource, { branch = '', run }: ExportSettings): readonly string[] {
  const events = Array.from({ length: source.count }, (_, position) => source.at(position));
  const choice = toRunChoice(events, run);
  const [first = ''] = choice.runs;
  return choice.runs.length < 2 ? [] : [`Branch ${branch} of run ${runToText(run ?? first, choice)}.`];
}
