/**
 * `hindcast replay FILE [--edit EDIT.json] [--program FILE] [--run RUN] [--json]`: the recorded control program again, in the sandbox.
 *
 * Nothing is written and nothing is sent: the branch is reported and forgotten.
 */
import { type Result, ok } from '../core/base/result.ts';
import { programsFor } from '../core/formats/reference-programs.ts';
import { type EditFile, type ReplayReport, jsonToEditFile, runReplay } from '../core/replay/index.ts';
import type { HindcastEvent } from '../core/model/index.ts';
import { loadSandbox } from '../platform/sandbox/node.ts';
import type { OpenSettings } from './check.ts';
import { toRunChoice } from './choice.ts';
import { readJsonFile } from './option-files.ts';
import { toOutput } from './left-out.ts';
import { openPaths } from './opened.ts';
import { type Outcome, unusable } from './output.ts';
import { commandLineAuthor, createStop, readProgram } from './program.ts';
import { replayToCode, replayToJson, replayToText } from './replay-report.ts';

export interface ReplaySettings extends OpenSettings {
  readonly edit?: string | undefined;
  readonly program?: string | undefined;
  readonly run?: string | undefined;
}

export async function runReplayCommand(path: string, settings: ReplaySettings): Promise<Outcome> {
  const { json } = settings;
  const opened = await openPaths([path], settings);
  if (!opened.ok) return unusable(opened.error, json);
  const edit = await readEdit(settings.edit);
  if (!edit.ok) return unusable({ code: 'bad-edit', message: edit.error }, json);
  const program = settings.program === undefined ? ok(undefined) : await readProgram(settings.program);
  if (!program.ok) return unusable({ code: 'bad-program', message: program.error }, json);
  const { source } = opened.value;
  const events = Array.from({ length: source.count }, (_, position) => source.at(position));
  settings.onProgress?.('Replaying');
  const replayed = await runReplay({
    events,
    sandbox: await loadSandbox(),
    author: commandLineAuthor(),
    shouldStop: createStop(),
    ...(edit.value === undefined ? {} : { edit: edit.value }),
    ...(program.value === undefined ? {} : { program: program.value }),
    ...(settings.run === undefined ? {} : { run: settings.run }),
  });
  if (!replayed.ok) return unusable({ code: 'refused', message: replayed.error }, json);
  const report = withPrograms(replayed.value, events, opened.value.result.format);
  const choice = toRunChoice(events, settings.run);
  const text = replayToText(report, choice);
  const out = toOutput(json, replayToJson(report, choice), text, opened.value.leftOut());
  return { code: replayToCode(report), out };
}

/** Where the loop of a format is known, a record of it that has no program can be replayed with a reference program. */
function withPrograms(report: ReplayReport, events: readonly HindcastEvent[], format: string): ReplayReport {
  const start = events.find((event) => event.type === 'run.started' && event.run === report.run);
  if (report.result !== 'not-replayable' || start?.type !== 'run.started') return report;
  if (start.data.program?.source !== undefined) return report;
  const programs = programsFor(start.imported?.format ?? format);
  if (programs.length === 0) return report;
  const names = programs.map(({ id }) => `--program ${id}`).join(' or ');
  return { ...report, sentence: `${report.sentence} The loop of such records is known: try ${names}.` };
}

async function readEdit(path: string | undefined): Promise<Result<EditFile | undefined, string>> {
  if (path === undefined) return ok(undefined);
  return readJsonFile('The edit file', path, jsonToEditFile);
}
