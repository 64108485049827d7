/**
 * Sessions in several files: a session with its sub-agents and outputs of tools is one trace; other sessions that were picked with it, as all
 * of a project's folder, are traces of their own.
 *
 * Invariant: files are told apart only where nothing joins them: no session, no record that one has and the other names, no folder. What names
 * no session (an output of a tool, or a side chain by itself) and is joined to none belongs to each. Called by claude-code.ts.
 */
import { lineToShown } from '../../base/shown-text.ts';
import { type FileNames, groupFiles } from '../file-groups.ts';
import type { ImportOptions, SourceFile, TraceEntry } from '../format.ts';
import { readSniff, sniffObjects } from '../sniff.ts';
import { type CcRecord, contentToText, textAt } from './record.ts';
import { readEntries, toSessionFile } from './source.ts';

interface Surveyed extends FileNames {
  readonly names: Set<string>;
  readonly seeks: Set<string>;
  readonly sessions: Map<string, number>;
  records: number;
  startedAt: string | undefined;
  about: string | undefined;
}

/** Empty where all files belong together. */
export async function listSessions(
  files: readonly SourceFile[],
  options: ImportOptions,
): Promise<readonly TraceEntry[]> {
  const groups = await groupSessions(files, options);
  if (groups.length < 2) return [];
  return groups.map(({ key, places, surveyed }) => {
    const earliest = surveyed.toSorted((a, b) => ((a.startedAt ?? '~') < (b.startedAt ?? '~') ? -1 : 1));
    const about = earliest.find((file) => file.about !== undefined)?.about;
    return {
      key,
      title: key,
      ...(about === undefined ? {} : { about }),
      records: surveyed.reduce((sum, { records }) => sum + records, 0),
      startedAt: earliest[0]?.startedAt,
      files: places.flatMap((place) => files[place]?.name ?? []),
    };
  });
}

/** The files of the trace that was chosen; all where none was, or all belong together. */
export async function filesOfSession(
  files: readonly SourceFile[],
  options: ImportOptions,
): Promise<readonly SourceFile[]> {
  if (options.trace === undefined) return files;
  const chosen = (await groupSessions(files, options)).find(({ key }) => key === options.trace);
  return chosen === undefined ? files : chosen.places.flatMap((place) => files[place] ?? []);
}

interface Group {
  readonly key: string;
  readonly places: readonly number[];
  readonly surveyed: readonly Surveyed[];
}

async function groupSessions(files: readonly SourceFile[], options: ImportOptions): Promise<readonly Group[]> {
  if (files.length < 2 || (await areOneByTheirBeginning(files))) return [];
  const surveyed: Surveyed[] = [];
  for (const file of files) {
    surveyed.push(await surveyFile(file));
    if (options.signal?.aborted === true) return [];
  }
  const groups = groupFiles(surveyed);
  const isNamed = (place: number): boolean => [...(surveyed[place]?.names ?? [])].some(isSession);
  const named = groups.filter((group) => group.some(isNamed));
  const rest = groups.filter((group) => !group.some(isNamed)).flat();
  return named.map((group) => {
    const parts = group.flatMap((place) => surveyed[place] ?? []);
    return { key: keyOf(parts, files[group[0] ?? 0]?.name ?? ''), places: [...group, ...rest], surveyed: parts };
  });
}

/** Most folders hold one session, and its files need not be read a further time to see it. */
async function areOneByTheirBeginning(files: readonly SourceFile[]): Promise<boolean> {
  const found: FileNames[] = [];
  for (const file of files) {
    const { names, seeks } = namesOfPath(file.name);
    const objects = sniffObjects(await readSniff(file));
    for (const object of objects) {
      const session = textAt(object, 'sessionId') ?? textAt(object, 'session_id');
      if (session !== undefined) names.add(sessionName(session));
    }
    if ([...names].some(isSession)) found.push({ names, seeks });
  }
  return groupFiles(found).length < 2;
}

async function surveyFile(file: SourceFile): Promise<Surveyed> {
  const surveyed: Surveyed = {
    ...namesOfPath(file.name),
    sessions: new Map(),
    records: 0,
    startedAt: undefined,
    about: undefined,
  };
  for await (const entries of readEntries(await toSessionFile(file), () => undefined)) {
    for (const entry of entries) if (entry.kind === 'record') addRecord(surveyed, entry.record);
  }
  return surveyed;
}

function addRecord(surveyed: Surveyed, record: CcRecord): void {
  const { session, uuid, alias, parent, time, raw } = record;
  surveyed.records += 1;
  if (session !== undefined) {
    surveyed.names.add(sessionName(session));
    surveyed.sessions.set(session, (surveyed.sessions.get(session) ?? 0) + 1);
  }
  for (const own of [uuid, alias]) if (own !== undefined) surveyed.names.add(`record ${own}`);
  // A summary stands in the file of a later session and names the last record of the one it is of.
  for (const other of [parent, textAt(raw, 'leafUuid'), textAt(raw, 'sourceToolAssistantUUID')])
    if (other !== undefined) surveyed.seeks.add(`record ${other}`);
  if (time !== undefined && (surveyed.startedAt === undefined || time < surveyed.startedAt)) surveyed.startedAt = time;
  surveyed.about ??= toQuestion(record);
}

const longest = 140;

/** What a person typed, without what the program put in between tags. */
function toQuestion({ type, sidechain, raw, message }: CcRecord): string | undefined {
  if (type !== 'user' || sidechain || raw['isMeta'] === true || (message?.toolResults.length ?? 0) > 0)
    return undefined;
  const text = contentToText(message?.content)
    .slice(0, 4 * longest)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (text === '' || text.startsWith('<')) return undefined;
  return lineToShown(text)
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, '');
}

/**
 * `…/SESSION/subagents/…` and `…/SESSION/tool-results/…` are of one session, whatever their records say, and `…/SESSION.jsonl` is the session
 * that has such folders; two files of one name in other folders are not the same.
 */
function namesOfPath(path: string): { readonly names: Set<string>; readonly seeks: Set<string> } {
  const parts = path.split('/');
  // What stands beside a file under the same name, as `agent-1.meta.json`, is of that file.
  const beside = `file ${[...parts.slice(0, -1), (parts.at(-1) ?? '').replace(/\..*$/, '')].join('/')}`;
  const folder = parts.findLastIndex((part) => part === 'subagents' || part === 'tool-results');
  if (folder > 0) return { names: new Set([sessionName(parts[folder - 1] ?? ''), beside]), seeks: new Set() };
  return { names: new Set([beside]), seeks: new Set([sessionName((parts.at(-1) ?? '').replace(/\.jsonl$/, ''))]) };
}

function sessionName(session: string): string {
  return `session ${session}`;
}

function isSession(name: string): boolean {
  return name.startsWith('session ');
}

/** The session with most records names the trace; of as many, the first by its id. */
function keyOf(parts: readonly Surveyed[], file: string): string {
  const counts = new Map<string, number>();
  for (const { sessions } of parts)
    for (const [session, records] of sessions) counts.set(session, (counts.get(session) ?? 0) + records);
  const [largest] = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return largest?.[0] ?? file;
}
