/**
 * Trials in several files: a harness writes one file a trial, and files of different trials use the same ids, so each is a trace of its
 * own. Files without the start of a trial (the ledger of a service) belong to every trial by its run.
 *
 * Called by hindcast.ts. The start of a trial is looked for among the first records of a file, where every harness writes it.
 */
import { type JsonObject, isJsonObject } from '../../base/json.ts';
import type { ImportOptions, SourceFile, TraceEntry } from '../format.ts';
import { readSniff, sniffObjects } from '../sniff.ts';
import { readEntries } from './source.ts';

interface Start {
  readonly run: string;
  readonly title: string;
  readonly startedAt: string | undefined;
}

/** Empty unless two files or more hold the start of a trial each: several streams of one run are one trace. */
export async function listTrials(files: readonly SourceFile[], options: ImportOptions): Promise<readonly TraceEntry[]> {
  if (files.length < 2) return [];
  const found: { readonly start: Start; readonly file: SourceFile }[] = [];
  const shared: string[] = [];
  for (const file of files) {
    const starts = await startsOf(file);
    if (starts.length === 0) shared.push(file.name);
    for (const start of starts) found.push({ start, file });
    if (options.signal?.aborted === true) return [];
  }
  const runs = new Set(found.map(({ start }) => start.run));
  if (runs.size < 2 || new Set(found.map(({ file }) => file)).size < 2) return [];
  const entries: TraceEntry[] = [];
  for (const run of runs) {
    const own = found.filter(({ start }) => start.run === run);
    let records = 0;
    for (const { file } of own) records += await countRecords(file);
    const { title = run, startedAt } = own[0]?.start ?? {};
    const holders = [...own.map(({ file }) => file.name), ...shared];
    entries.push({ key: run, title, records, startedAt, files: holders, isTrial: true });
  }
  return entries;
}

/** What of a file belongs to the wanted trial: all of it, none, or the records of its run. */
export async function partOfTrial(file: SourceFile, trial: string | undefined): Promise<'all' | 'none' | 'run'> {
  if (trial === undefined) return 'all';
  const starts = await startsOf(file);
  if (starts.length === 0) return 'run';
  if (!starts.some(({ run }) => run === trial)) return 'none';
  return starts.length === 1 ? 'all' : 'run';
}

async function startsOf(file: SourceFile): Promise<readonly Start[]> {
  const objects = sniffObjects(await readSniff(file));
  return objects.filter(({ type }) => type === 'trial.started').flatMap(toStart);
}

function toStart({ run, data, time }: JsonObject): readonly Start[] {
  if (typeof run !== 'string') return [];
  const trial = isJsonObject(data) ? data['trial'] : undefined;
  return [
    {
      run,
      title: typeof trial === 'string' ? trial : run,
      startedAt: typeof time === 'string' ? time : undefined,
    },
  ];
}

async function countRecords(file: SourceFile): Promise<number> {
  let records = 0;
  for await (const entries of readEntries(file, () => undefined)) records += entries.length;
  return records;
}
