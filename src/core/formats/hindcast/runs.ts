/**
 * Runs in several files: the streams of one run (worker, service, harness) are one trace, and so are runs of one session and runs of which one
 * is a cause in the other. Runs that were only picked together are traces of their own. A file that names no run belongs to each.
 *
 * Called by hindcast.ts where the files are not one trial each (`trials.ts`).
 */
import { type JsonObject, isJsonArray, isJsonObject } from '../../base/json.ts';
import { type FileNames, groupFiles } from '../file-groups.ts';
import type { ImportOptions, SourceFile, TraceEntry } from '../format.ts';
import { readSniff, sniffObjects } from '../sniff.ts';
import { readEntries } from './source.ts';

interface Surveyed {
  /** Its runs and sessions. */
  readonly names: Set<string>;
  readonly runs: Map<string, number>;
  readonly ids: Set<string>;
  readonly causes: Set<string>;
  readonly title: string | undefined;
  records: number;
  startedAt: string | undefined;
}

/** Empty where all files belong together. */
export async function listRuns(files: readonly SourceFile[], options: ImportOptions): Promise<readonly TraceEntry[]> {
  const groups = await groupRuns(files, options);
  if (groups.length < 2) return [];
  return groups.map(({ key, places, surveyed }) => ({
    key,
    title: surveyed.find(({ title }) => title !== undefined)?.title ?? key,
    records: surveyed.reduce((sum, { records }) => sum + records, 0),
    startedAt: surveyed
      .flatMap(({ startedAt }) => startedAt ?? [])
      .sort()
      .at(0),
    files: places.flatMap((place) => files[place]?.name ?? []),
  }));
}

/** The files of the trace that was chosen; undefined where none of the files is told apart by its runs. */
export async function filesOfRuns(
  files: readonly SourceFile[],
  options: ImportOptions,
): Promise<readonly SourceFile[] | undefined> {
  const chosen = (await groupRuns(files, options)).find(({ key }) => key === options.trace);
  return chosen?.places.flatMap((place) => files[place] ?? []);
}

interface Group {
  readonly key: string;
  readonly places: readonly number[];
  readonly surveyed: readonly Surveyed[];
}

async function groupRuns(files: readonly SourceFile[], options: ImportOptions): Promise<readonly Group[]> {
  if (files.length < 2 || (await areOneByTheirBeginning(files))) return [];
  const surveyed: Surveyed[] = [];
  for (const file of files) {
    surveyed.push(await surveyFile(file));
    if (options.signal?.aborted === true) return [];
  }
  const named = [...surveyed.keys()].filter((place) => (surveyed[place]?.names.size ?? 0) > 0);
  const rest = [...surveyed.keys()].filter((place) => surveyed[place]?.names.size === 0);
  return groupFiles(withEvents(named.flatMap((place) => surveyed[place] ?? []))).map((group) => {
    const own = group.flatMap((at) => named[at] ?? []);
    const parts = own.flatMap((place) => surveyed[place] ?? []);
    return { key: keyOf(parts, files[own[0] ?? 0]?.name ?? ''), places: [...own, ...rest], surveyed: parts };
  });
}

/** Most sets of files are streams of one run, and need not be read a further time to see it. */
async function areOneByTheirBeginning(files: readonly SourceFile[]): Promise<boolean> {
  const found: FileNames[] = [];
  for (const file of files) {
    const names = new Set<string>();
    for (const object of sniffObjects(await readSniff(file))) addNames(names, object);
    if (names.size > 0) found.push({ names, seeks: new Set() });
  }
  return groupFiles(found).length < 2;
}

/** Producers number alike in every run: an event's id joins files only where one file names it as a cause and does not have it. */
function withEvents(surveyed: readonly Surveyed[]): readonly FileNames[] {
  const outside = new Set<string>();
  for (const { ids, causes } of surveyed) for (const id of causes) if (!ids.has(id)) outside.add(id);
  return surveyed.map(({ names, ids, causes }) => {
    const seeks = new Set<string>();
    const all = new Set(names);
    for (const id of outside) {
      if (ids.has(id)) all.add(`event ${id}`);
      else if (causes.has(id)) seeks.add(`event ${id}`);
    }
    return { names: all, seeks };
  });
}

async function surveyFile(file: SourceFile): Promise<Surveyed> {
  let title: string | undefined;
  const surveyed = {
    names: new Set<string>(),
    runs: new Map<string, number>(),
    ids: new Set<string>(),
    causes: new Set<string>(),
    records: 0,
    startedAt: undefined as string | undefined,
  };
  for await (const entries of readEntries(file, () => undefined)) {
    for (const { entry } of entries) {
      surveyed.records += 1;
      const value = entry.record?.value;
      if (!isJsonObject(value)) continue;
      addNames(surveyed.names, value);
      const { id, run, time, causes } = value;
      if (typeof id === 'string') surveyed.ids.add(id);
      if (typeof run === 'string') surveyed.runs.set(run, (surveyed.runs.get(run) ?? 0) + 1);
      if (typeof time === 'string' && (surveyed.startedAt === undefined || time < surveyed.startedAt))
        surveyed.startedAt = time;
      for (const cause of isJsonArray(causes) ? causes : []) {
        const event = isJsonObject(cause) ? cause['event'] : undefined;
        if (typeof event === 'string') surveyed.causes.add(event);
      }
      title ??= titleOf(value);
    }
  }
  return { ...surveyed, title };
}

function addNames(names: Set<string>, { run, session }: JsonObject): void {
  if (typeof run === 'string') names.add(`run ${run}`);
  if (typeof session === 'string') names.add(`session ${session}`);
}

/** The name of a trial, else of the control program. */
function titleOf({ type, data }: JsonObject): string | undefined {
  if (!isJsonObject(data)) return undefined;
  const program = data['program'];
  const name = type === 'trial.started' ? data['trial'] : isJsonObject(program) ? program['name'] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** The run with most records; of as many, the first by its id. */
function keyOf(parts: readonly Surveyed[], file: string): string {
  const counts = new Map<string, number>();
  for (const { runs } of parts) for (const [run, records] of runs) counts.set(run, (counts.get(run) ?? 0) + records);
  const [largest] = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return largest?.[0] ?? file;
}
