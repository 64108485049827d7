/**
 * `hindcast replay --set FOLDER|FILE… --program FILE [--json]`: a changed control program over many recorded runs.
 *
 * Every file is opened by itself, and every run in it is one of the set. Nothing is written and nothing is sent.
 */
import { basename } from 'node:path';
import { lineToShown } from '../core/base/shown-text.ts';
import { type RunOfSet, type RunSetProgress, eventsToRuns, replayRunSet } from '../core/replay/index.ts';
import { pathsToSources } from '../platform/files/node-files.ts';
import { loadSandbox } from '../platform/sandbox/node.ts';
import type { OpenSettings } from './check.ts';
import { readTrace } from './files.ts';
import { type LeftOut, sumLeftOut, toOutput } from './left-out.ts';
import { type Outcome, toTerminal, unusable } from './output.ts';
import { commandLineAuthor, createStop, readProgram } from './program.ts';
import { type NotRead, runSetToCode, runSetToJson, runSetToText } from './replay-set-report.ts';

export interface ReplaySetSettings extends OpenSettings {
  readonly program: string;
}

export async function runReplaySet(paths: readonly string[], settings: ReplaySetSettings): Promise<Outcome> {
  const { json } = settings;
  const program = await readProgram(settings.program);
  if (!program.ok) return unusable({ code: 'bad-program', message: program.error }, json);
  const runs: RunOfSet[] = [];
  const notRead: NotRead[] = [];
  const leftOut: LeftOut[] = [];
  for (const path of paths) {
    const sources = await pathsToSources([path]);
    if (!sources.ok) return unusable({ code: 'not-readable', message: sources.error.message }, json);
    for (const source of sources.value) {
      const read = await readTrace(source, settings);
      // A folder may hold other things; a file that was named is meant to be a run.
      if (!read.ok && source.name === lineToShown(basename(path)))
        return unusable({ code: 'not-readable', message: read.error }, json);
      if (!read.ok) notRead.push({ file: source.name, message: read.error });
      else {
        for (const run of eventsToRuns(source.name, read.value.events)) runs.push(run);
        leftOut.push(read.value.leftOut);
      }
    }
  }
  if (runs.length === 0) {
    const seen = notRead[0] === undefined ? '' : ` ${notRead[0].message}`;
    return unusable({ code: 'no-run', message: `There is no recorded run in these files.${seen}` }, json);
  }
  const { onProgress } = settings;
  const result = await replayRunSet({
    runs,
    program: program.value,
    sandbox: await loadSandbox(),
    author: commandLineAuthor(),
    createStop,
    ...(onProgress === undefined ? {} : { onProgress: (step) => onProgress(toTerminal(progressToLine(step))) }),
  });
  const out = toOutput(json, runSetToJson(result, notRead), runSetToText(result, notRead), sumLeftOut(leftOut));
  return { code: runSetToCode(result), out };
}

function progressToLine({ done, of, row }: RunSetProgress): string {
  return `${String(done)} of ${String(of)}: ${row.name}: ${row.verdict}`;
}
