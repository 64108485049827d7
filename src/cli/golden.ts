/**
 * `hindcast golden pin FILE -o DIR` and `hindcast golden run DIR…`: golden cases as folders in a repository.
 *
 * Pinning writes a folder that does not exist yet or is empty; running writes nothing but, with `-o`, the branches that produced the
 * results. Nothing is sent.
 */
import { readdir, writeFile } from 'node:fs/promises';
import { join, dirname, basename } from 'node:path';
import { streamAudit } from '../core/audit/index.ts';
import { type Result, err, ok } from '../core/base/result.ts';
import {
  type Golden,
  type GoldenResult,
  type Selector,
  goldenToJson,
  parseGolden,
  pinGolden,
  runGolden,
  textToSelector,
} from '../core/golden/index.ts';
import { eventToLine } from '../core/model/index.ts';
import { pathsToSources } from '../platform/files/node-files.ts';
import { loadSandbox } from '../platform/sandbox/node.ts';
import type { OpenSettings } from './check.ts';
import { type ReadTrace, readTrace } from './files.ts';
import { toRunChoice } from './choice.ts';
import { readFailure, writeFailure } from './failures.ts';
import { type NotRun, goldenRunToCode, goldenRunToJson, goldenRunToText, pinToText } from './golden-report.ts';
import { sumLeftOut, toOutput } from './left-out.ts';
import { makeFolder } from './make-folder.ts';
import { openPaths } from './opened.ts';
import { readJsonFile } from './option-files.ts';
import { type Outcome, toJson, unusable } from './output.ts';
import { commandLineAuthor, createStop, readProgram } from './program.ts';

export interface GoldenPinSettings extends OpenSettings {
  readonly out: string;
  readonly run?: string | undefined;
  readonly branch?: string | undefined;
  readonly name?: string | undefined;
  readonly reason?: string | undefined;
  readonly properties: readonly string[];
  readonly exempt: readonly string[];
}

export interface GoldenRunSettings extends OpenSettings {
  readonly program?: string | undefined;
  /** Folder for the branches that produced the results. */
  readonly out?: string | undefined;
  /** What is not decided fails too. */
  readonly strict: boolean;
}

const streamName = 'trace.hindcast.jsonl';
const goldenName = 'golden.json';

export async function runGoldenPin(path: string, settings: GoldenPinSettings): Promise<Outcome> {
  const { json, out, run, branch, reason } = settings;
  const selectors = readSelectors(settings.properties);
  if (!selectors.ok) return unusable({ code: 'usage', message: selectors.error }, json);
  const opened = await openPaths([path], settings);
  if (!opened.ok) return unusable(opened.error, json);
  const { source } = opened.value;
  const events = Array.from({ length: source.count }, (_, position) => source.at(position));
  const pinned = await pinGolden({
    events,
    name: settings.name ?? basename(out),
    stream: streamName,
    sandbox: await loadSandbox(),
    author: commandLineAuthor(),
    audit: streamAudit,
    exempt: settings.exempt,
    shouldStop: createStop(),
    ...(selectors.value.length === 0 ? {} : { properties: selectors.value }),
    ...(run === undefined ? {} : { run }),
    ...(branch === undefined ? {} : { branch }),
    ...(reason === undefined ? {} : { reason }),
  });
  if (!pinned.ok) return unusable({ code: 'refused', message: pinned.error }, json);
  const { golden, slice } = pinned.value;
  const stream = slice.map((position) => `${source.line(position)}\n`).join('');
  const failure = await writeFolder(out, [
    [streamName, stream],
    [goldenName, `${toJson(goldenToJson(golden))}\n`],
  ]);
  if (failure !== undefined) return unusable({ code: 'not-writable', message: failure }, json);
  const { name, set, properties } = golden;
  const choice = toRunChoice(events, run);
  const report = { out, name, run: golden.run, runs: choice.runs, set, events: slice.length, properties };
  return { code: 0, out: toOutput(json, report, pinToText(golden, out, choice), opened.value.leftOut()) };
}

function readSelectors(texts: readonly string[]): Result<readonly Selector[], string> {
  const selectors: Selector[] = [];
  for (const text of texts) {
    const selector = textToSelector(text);
    if (!selector.ok) return selector;
    selectors.push(selector.value);
  }
  return ok(selectors);
}

/** A sentence where it cannot be done. Files that are there are never overwritten. */
async function writeFolder(
  folder: string,
  files: readonly (readonly [name: string, text: string])[],
): Promise<string | undefined> {
  try {
    const closed = await makeFolder(folder);
    if (closed !== undefined)
      return `The golden case cannot be written to ${folder}: no folder can be made in ${closed}. Choose another.`;
    for (const [name, text] of files) await writeFile(join(folder, name), text, { flag: 'wx' });
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      return `${folder} has such files already. Choose another folder, or remove them first.`;
    return writeFailure('The golden case', folder, error);
  }
}

export async function runGoldenRun(folders: readonly string[], settings: GoldenRunSettings): Promise<Outcome> {
  const { json } = settings;
  const program = settings.program === undefined ? ok(undefined) : await readProgram(settings.program);
  if (!program.ok) return unusable({ code: 'bad-program', message: program.error }, json);
  const files = await findGoldens(folders);
  if (!files.ok) return unusable({ code: 'not-readable', message: files.error }, json);
  const cases: (ReadCase & { readonly file: string })[] = [];
  for (const file of files.value) {
    const read = await readCase(file, settings);
    if (!read.ok) return unusable({ code: 'bad-golden', message: read.error }, json);
    cases.push({ file, ...read.value });
  }
  const ran: (ReadCase & { readonly result: GoldenResult })[] = [];
  const notRun: NotRun[] = [];
  for (const { file, golden, trace } of cases) {
    const result = await runGolden({
      golden,
      events: trace.events,
      sandbox: await loadSandbox(),
      author: commandLineAuthor(),
      audit: streamAudit,
      shouldStop: createStop(),
      ...(program.value === undefined ? {} : { program: program.value }),
    });
    if (result.ok) ran.push({ golden, trace, result: result.value });
    else notRun.push({ file, message: result.error });
  }
  const [first] = notRun;
  if (ran.length === 0 && first !== undefined)
    return unusable({ code: 'refused', message: `${first.file}: ${first.message}` }, json);
  // What stopped before this left nothing behind.
  for (const { result, trace } of ran) {
    const failure = await writeBranch(settings.out, result, trace);
    if (failure !== undefined) return unusable({ code: 'not-writable', message: failure }, json);
  }
  const results = ran.map(({ result }) => result);
  const code = goldenRunToCode(results, notRun, settings.strict);
  const leftOut = sumLeftOut(ran.map(({ trace }) => trace.leftOut));
  return { code, out: toOutput(json, goldenRunToJson(results, notRun), goldenRunToText(results, notRun), leftOut) };
}

interface ReadCase {
  readonly golden: Golden;
  readonly trace: ReadTrace;
}

/** A folder is a case, or holds cases at any depth. */
async function findGoldens(folders: readonly string[]): Promise<Result<readonly string[], string>> {
  const files: string[] = [];
  for (const folder of folders) {
    try {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const found = entries
        .filter((entry) => entry.isFile() && entry.name === goldenName)
        .map((entry) => join(entry.parentPath, entry.name));
      if (found.length === 0) return err(`${folder} holds no golden case: there is no ${goldenName} in it.`);
      for (const file of found.sort()) files.push(file);
    } catch (error) {
      return err(readFailure('The folder of golden cases', folder, error));
    }
  }
  return ok([...new Set(files)]);
}

async function readCase(file: string, settings: OpenSettings): Promise<Result<ReadCase, string>> {
  const golden = await readJsonFile('The golden case', file, parseGolden);
  if (!golden.ok) return golden;
  const sources = await pathsToSources([join(dirname(file), golden.value.stream)]);
  if (!sources.ok) return err(`${file}: the stream of the golden case cannot be read. ${sources.error.message}`);
  const [source] = sources.value;
  if (source === undefined) return err(`${file}: the stream of the golden case is not there.`);
  const trace = await readTrace(source, settings);
  return trace.ok
    ? ok({ golden: golden.value, trace: trace.value })
    : err(`${file}: the stream of the golden case cannot be used. ${trace.error}`);
}

/** The slice and after it the branch: a trace that opens by itself. */
async function writeBranch(
  out: string | undefined,
  { name, branch, lines }: GoldenResult,
  trace: ReadTrace,
): Promise<string | undefined> {
  if (out === undefined) return undefined;
  const safe = name.replace(/[^\p{L}\p{N}._-]+/gu, '-');
  const text = [...trace.events, ...lines].map((event) => `${eventToLine(event)}\n`).join('');
  return writeFolder(out, [[`${safe}.${branch}.hindcast.jsonl`, text]]);
}
