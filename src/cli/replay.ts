/**
 * `hindcast replay FILE [--edit EDIT.json] [--program FILE] [--run RUN] [--json]`: the recorded control program again, in the sandbox.
 *
 * Nothing is written and nothing is sent: the branch is reported and forgotten.
 */
import { readFile } from 'node:fs/promises';
import { type Result, err, ok } from '../core/base/result.ts';
import { type EditFile, runReplay, textToEditFile } from '../core/replay/index.ts';
import { loadSandbox } from '../platform/sandbox/node.ts';
import { stripTypes } from '../platform/sandbox/typescript.ts';
import type { OpenSettings } from './check.ts';
import { openPaths } from './opened.ts';
import { type Outcome, toJson, unusable } from './output.ts';
import { replayToCode, replayToJson, replayToText } from './replay-report.ts';

export interface ReplaySettings extends OpenSettings {
  readonly edit?: string | undefined;
  readonly program?: string | undefined;
  readonly run?: string | undefined;
}

/** How long a program may run before it is stopped, in milliseconds. */
const patience = 30_000;

export async function runReplayCommand(path: string, settings: ReplaySettings): Promise<Outcome> {
  const { json } = settings;
  const opened = await openPaths([path], settings);
  if (!opened.ok) return unusable(opened.error, json);
  const edit = await readEdit(settings.edit);
  if (!edit.ok) return unusable({ code: 'bad-edit', message: edit.error }, json);
  const program = await readProgram(settings.program);
  if (!program.ok) return unusable({ code: 'bad-program', message: program.error }, json);
  const { source } = opened.value;
  const events = Array.from({ length: source.count }, (_, position) => source.at(position));
  const started = performance.now();
  const replayed = await runReplay({
    events,
    sandbox: await loadSandbox(),
    author: { actor: { id: 'command line', kind: 'service' }, at: new Date().toISOString() },
    shouldStop: () => performance.now() - started > patience,
    ...(edit.value === undefined ? {} : { edit: edit.value }),
    ...(program.value === undefined ? {} : { program: program.value }),
    ...(settings.run === undefined ? {} : { run: settings.run }),
  });
  if (!replayed.ok) return unusable({ code: 'refused', message: replayed.error }, json);
  const report = replayed.value;
  return { code: replayToCode(report), out: json ? toJson(replayToJson(report)) : replayToText(report) };
}

async function readEdit(path: string | undefined): Promise<Result<EditFile | undefined, string>> {
  if (path === undefined) return ok(undefined);
  const text = await readText(path);
  return text.ok ? textToEditFile(text.value) : text;
}

interface ProgramText {
  readonly source: string;
  readonly original?: string;
}

/** A file that is named as TypeScript loses its types first. */
async function readProgram(path: string | undefined): Promise<Result<ProgramText | undefined, string>> {
  if (path === undefined) return ok(undefined);
  const text = await readText(path);
  if (!text.ok) return text;
  return /\.[cm]?ts$/.test(path) ? stripTypes(text.value) : ok({ source: text.value });
}

async function readText(path: string): Promise<Result<string, string>> {
  try {
    // Some editors begin a file with a byte order mark; it is no part of the text.
    return ok((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error) {
    return err(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
