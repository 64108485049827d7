/**
 * OpenCode's storage: a file for each session, each message and each part of a message, below `storage/`.
 *
 * A part does not say whose message it is and a message has no words, so what one file says needs the others: `arrangeStorage` looks at all of
 * them first. Invariant: their order is that of their ids, which rise with time; names of files tell nothing but the session of a list that
 * names none.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import type { Problem, Sniff, SourceFile } from '../format.ts';
import { memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import type { Part, Reading } from '../session/part.ts';
import type { Arranged } from '../session/source.ts';
import { readSniff } from '../sniff.ts';
import { millisToTime } from '../times.ts';
import { infoToData, infoToError, infoToTime, partMembers, partToParts, sessionToStart } from './message.ts';

type Kind = 'session' | 'message' | 'part';

/** What a document of the storage is, by what it holds. */
export function storageKind(document: JsonObject): Kind | undefined {
  const id = textAt(document, 'id') ?? '';
  if (id.startsWith('prt_') && textAt(document, 'messageID') !== undefined) return 'part';
  if (textAt(document, 'type') !== undefined) return undefined;
  if (id.startsWith('msg_') && textAt(document, 'role') !== undefined) return 'message';
  const isSession = id.startsWith('ses_') && objectAt(document, 'time') !== undefined;
  return isSession && !('messages' in document) ? 'session' : undefined;
}

/** Only a document that is one object; long outputs of tools make long parts, whose beginning tells enough. */
export function detectStorage(sniff: Sniff): number {
  const document = sniffDocument(sniff);
  if (document !== undefined) return storageKind(document) === undefined ? 0 : 0.9;
  return sniff.whole ? 0 : /^\s*\{\s*"id"\s*:\s*"prt_\w+"\s*,\s*"(sessionID|messageID)"\s*:/.test(sniff.text) ? 0.8 : 0;
}

function sniffDocument({ text, whole }: Sniff): JsonObject | undefined {
  if (!whole || !/^\s*\{/.test(text) || !/"(prt|msg|ses)_/.test(text)) return undefined;
  const value = parseLossless(text.trim());
  return value.ok && isJsonObject(value.value) ? value.value : undefined;
}

interface Known {
  readonly file: SourceFile;
  readonly kind: Kind | undefined;
  readonly id: string;
  readonly message: string | undefined;
  readonly role: string | undefined;
  readonly parent: string | undefined;
}

function toKnown(file: SourceFile, document: JsonObject | undefined): Known {
  const kind = document === undefined ? undefined : storageKind(document);
  const id = textAt(document, 'id') ?? '';
  return {
    file,
    kind,
    id,
    message: textAt(document, 'messageID'),
    role: textAt(document, 'role'),
    parent: textAt(document, 'parentID'),
  };
}

export async function arrangeStorage(files: readonly SourceFile[]): Promise<Arranged> {
  const known: Known[] = [];
  for (const file of files) known.push(toKnown(file, sniffDocument(await readSniff(file))));
  if (!known.some(({ kind }) => kind !== undefined)) return { files, beside: () => undefined, notes: [] };
  const roles = new Map<string, string>();
  const sessions = new Map<string, string | undefined>();
  for (const { kind, id, role, parent } of known) {
    if (kind === 'message' && role !== undefined) roles.set(id, role);
    if (kind === 'session') sessions.set(id, parent);
  }
  const sorted = [...known].sort(compareKnown);
  return {
    files: sorted.map(({ file }) => file),
    beside: ({ value, place, where }) => {
      const role = roles.get(textAt(value, 'messageID') ?? '');
      const isOther = where === 'document' && (!isJsonObject(value) || storageKind(value) === undefined);
      const session = isOther ? sessionOfName(place.file, sessions) : undefined;
      return role === undefined && session === undefined ? undefined : withoutUndefined({ role, session });
    },
    notes: storageNotes(known, roles),
  };
}

/** Sessions, whose ids fall with time, then messages and parts, whose ids rise; what is none of them comes last. */
function compareKnown(a: Known, b: Known): number {
  const ranks = rankOf(a) - rankOf(b);
  if (ranks !== 0 || a.kind === undefined) return ranks;
  const [left, right] = [a.id.slice(4), b.id.slice(4)];
  const order = left < right ? -1 : left > right ? 1 : 0;
  return a.kind === 'session' ? -order : order;
}

function rankOf({ kind }: Known): number {
  return kind === undefined ? 2 : kind === 'session' ? 0 : 1;
}

/** To-do lists and summaries of changes are named by their session, and say nothing of it; what is named by none is of the only one. */
function sessionOfName(name: string, sessions: ReadonlyMap<string, string | undefined>): string | undefined {
  const base = (name.split('/').at(-1) ?? '').replace(/\.json$/, '');
  if (sessions.has(base)) return base;
  const [only, another] = [...sessions].filter(([, parent]) => parent === undefined || !sessions.has(parent));
  return another === undefined ? only?.[0] : undefined;
}

function storageNotes(known: readonly Known[], roles: ReadonlyMap<string, string>): readonly Problem[] {
  const spoken = new Set(known.map(({ message }) => message));
  const silent = [...roles.keys()].filter((id) => !spoken.has(id));
  const orphans = known.filter(({ kind, message }) => kind === 'part' && !roles.has(message ?? ''));
  const notes: Problem[] = [];
  const note = (code: string, message: string): void => void notes.push({ code, message, severity: 'notice' });
  if (silent.length > 0)
    note(
      'parts-elsewhere',
      `What ${count(silent.length, 'message says', 'messages say')} (first ${silent[0] ?? ''}) is in none of the files: OpenCode keeps it in storage/part/<message>/. Open the folder storage as a whole.`,
    );
  if (orphans.length > 0)
    note(
      'message-elsewhere',
      `The message of ${count(orphans.length, 'part', 'parts')} (first ${orphans[0]?.id ?? ''}) is in none of the files: whose words a part holds stands in storage/message/<session>/. Open the folder storage as a whole.`,
    );
  return notes;
}

function count(n: number, one: string, many: string): string {
  return n === 1 ? `1 ${one}` : `${String(n)} ${many}`;
}

export function storageToReading(document: JsonObject, kind: Kind, beside: JsonObject | undefined): Reading {
  const id = textAt(document, 'id');
  if (kind === 'session') {
    const version = textAt(document, 'version');
    return { kind, session: id, time: infoToTime(document), version, parts: [sessionToStart(document)] };
  }
  const session = textAt(document, 'sessionID');
  if (kind === 'message') return { kind, session, id, ...messageReading(document, id) };
  const role = textAt(beside, 'role');
  return {
    kind,
    session,
    id,
    time: partTime(document),
    parts: storedParts(document, role),
    extra: restOf(document, partMembers),
  };
}

function messageReading(document: JsonObject, key: string | undefined): Pick<Reading, 'time' | 'parts' | 'extra'> {
  const shared = { time: infoToTime(document), extra: { info: document } };
  if (textAt(document, 'role') !== 'assistant') {
    const otherwise = { kind: 'input', role: 'user', content: '', from: 'person', key } as const;
    return { ...shared, parts: [{ kind: 'echo', of: 'input', key, otherwise }] };
  }
  const error = infoToError(document);
  return { ...shared, parts: [{ kind: 'model', key, blocks: [], parts: [], data: infoToData(document), error }] };
}

function partTime(part: JsonObject): string | undefined {
  const time = objectAt(part, 'time') ?? objectAt(objectAt(part, 'state'), 'time');
  return millisToTime(numberAt(time, 'start'));
}

/** Words of a person are input; words of nobody known are kept, unless they were streamed, as only a model's are. */
function storedParts(part: JsonObject, role: string | undefined): readonly Part[] {
  const type = textAt(part, 'type');
  if (type !== 'text' && type !== 'file') return partToParts(part, 'assistant');
  if (role === 'assistant' || (role === undefined && type === 'text' && memberAt(part, 'time') !== undefined))
    return partToParts(part, 'assistant');
  if (role === undefined) return [];
  const key = textAt(part, 'messageID');
  return [{ kind: 'input', role, content: [part], from: part['synthetic'] === true ? 'program' : 'person', key }];
}
