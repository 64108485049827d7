/**
 * What was opened, sorted: archives unpacked into their files, every file decoded and looked at, files of one format put together.
 *
 * Invariant: every file ends in a group, or set aside with one sentence that says what it is. Names tell nothing about formats; only
 * what stands beside what (folders, archives) is read from them. Called by `import.ts`.
 */
import { type Result, err, ok } from '../base/result.ts';
import { type DecodedFile, type RawFile, decodeFile } from './decode/decode.ts';
import { isZip, openZip } from './decode/zip.ts';
import { closeSniff, findCut } from './cut-document.ts';
import { type Detected, describeCut, describeSniff, detectFormat, looksLikeJson } from './detect.ts';
import type { Format, ImportOptions, Problem, Sniff, SourceFile, UnusableInput } from './format.ts';
import { readSniff } from './sniff.ts';

export interface FormatGroup {
  readonly format: Format;
  readonly files: readonly DecodedFile[];
}

export interface OpenedSet {
  /** The surest format first. */
  readonly groups: readonly FormatGroup[];
  /** Files that are no part of any trace, and damage of archives. */
  readonly aside: readonly Problem[];
}

interface LookedAt {
  readonly file: DecodedFile;
  readonly detected: Detected | undefined;
  /** Formats that would take it although they do not know it. */
  readonly takers: readonly Format[];
  readonly what: string;
  /** It is a document that ends in the middle: another file is no help. */
  readonly isCut: boolean;
}

export async function openSet(
  sources: readonly SourceFile[],
  formats: readonly Format[],
  options: ImportOptions,
): Promise<Result<OpenedSet, UnusableInput>> {
  const aside: Problem[] = [];
  const files = await unpackAll(sources, options, aside);
  if (!files.ok) return files;
  const { decoded, refused } = files.value;
  const looked: LookedAt[] = [];
  const empty: string[] = [];
  let stopped = refused;
  for (const file of decoded) {
    const sniff = await readSniff(file);
    if (options.signal?.aborted === true) return err(cancelled);
    const stop = file.report().stopped;
    if (stop?.code === 'archive-too-large') return err(stop);
    if (stop !== undefined) {
      stopped ??= stop;
      aside.push({ ...stop, code: 'not-a-trace', place: { file: file.name, offset: 0 }, severity: 'problem' });
    } else if (sniff.bytes.length === 0) {
      const [damage] = file.report().problems;
      if (damage === undefined) empty.push(file.name);
      else {
        stopped ??= { code: damage.code, message: damage.message, place: damage.place };
        aside.push({ ...damage, code: 'not-a-trace' });
      }
    } else {
      looked.push(await lookAt(file, sniff, formats));
    }
  }
  const groups = toGroups(looked, aside);
  if (groups.length === 0) return err(notRecognised({ sources, looked, empty, stopped }));
  for (const name of empty) {
    const message = `${name} is empty: there is nothing in it to read.`;
    aside.push({ code: 'empty-file', message, place: { file: name, offset: 0 }, severity: 'notice' });
  }
  return ok({ groups, aside });
}

/** A document that was cut off is no format's until it is closed; its format then reads it as far as it goes. */
async function lookAt(file: DecodedFile, sniff: Sniff, formats: readonly Format[]): Promise<LookedAt> {
  let detected = detectFormat(sniff, formats);
  let what: string | undefined;
  if (detected === undefined && looksLikeJson(sniff)) {
    const cut = await findCut(file);
    const closed = cut === undefined ? undefined : closeSniff(sniff);
    if (closed !== undefined) detected = detectFormat(closed, formats);
    if (cut !== undefined) what = describeCut(cut, closed);
  }
  const takers = formats.filter((format) => takes(format, file.name, sniff, detected));
  return { file, detected, takers, what: what ?? describeSniff(sniff), isCut: what !== undefined };
}

export const cancelled: UnusableInput = {
  code: 'cancelled',
  message: 'Opening was cancelled; nothing was kept.',
};

/** A format that says nothing about other files takes what nobody knows and could hold records. */
function takes(format: Format, name: string, sniff: Sniff, detected: Detected | undefined): boolean {
  if (detected?.format === format) return true;
  if (format.accepts !== undefined) return format.accepts(name, sniff);
  return detected === undefined && looksLikeJson(sniff);
}

/** Archives inside archives go down this far. */
const maxDepth = 3;

interface PackedFile {
  readonly file: RawFile;
  readonly depth: number;
  /** Size of the archive it came in, the outermost one. */
  readonly rootBytes: number | undefined;
}

interface Unpacked {
  readonly decoded: readonly DecodedFile[];
  /** The first archive of which nothing could be unpacked. */
  readonly refused: UnusableInput | undefined;
}

async function unpackAll(
  sources: readonly SourceFile[],
  options: ImportOptions,
  aside: Problem[],
): Promise<Result<Unpacked, UnusableInput>> {
  let refused: UnusableInput | undefined;
  const files: DecodedFile[] = [];
  const pending: PackedFile[] = sources.map((file) => ({ file, depth: 0, rootBytes: file.size })).reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { file, depth, rootBytes } = next;
    if (options.signal?.aborted === true) return err(cancelled);
    if (!(await isZip(file)) || depth >= maxDepth) {
      files.push(decodeFile(file, options));
      continue;
    }
    const opened = await openZip(file, options, rootBytes);
    if (!opened.ok) {
      // One archive alone is all there is; one among others, or inside another, leaves the rest to be read.
      if ((sources.length === 1 && depth === 0) || opened.error.code === 'archive-too-large') return opened;
      refused ??= opened.error;
      aside.push({ ...opened.error, place: { file: file.name, offset: 0 }, severity: 'problem' });
      continue;
    }
    for (const problem of opened.value.problems) aside.push(problem);
    for (const member of opened.value.files.toReversed())
      pending.push({ file: member, depth: depth + 1, rootBytes: rootBytes ?? file.size });
  }
  return ok({ decoded: files, refused });
}

function toGroups(looked: readonly LookedAt[], aside: Problem[]): readonly FormatGroup[] {
  const known = looked.filter(({ detected }) => detected !== undefined);
  const best = new Map<Format, number>();
  const members = new Map<Format, LookedAt[]>();
  for (const { detected } of known) {
    if (detected === undefined) continue;
    best.set(detected.format, Math.max(best.get(detected.format) ?? 0, detected.confidence));
  }
  const folders = foldersByFormat(known);
  for (const one of looked) {
    const owner = toOwner(one, best, folders);
    if (owner === undefined) {
      const message = `${one.file.name} is not a trace: it ${one.what}. It was passed over.`;
      aside.push({
        code: 'not-a-trace',
        message,
        place: { file: one.file.name, offset: 0 },
        // Programs keep their settings in hidden folders, beside sessions.
        severity: isBelowHidden(one.file.name) ? 'notice' : 'problem',
      });
      continue;
    }
    const list = members.get(owner);
    if (list === undefined) members.set(owner, [one]);
    else list.push(one);
  }
  return [...members]
    .map(([format, list]) => ({ format, files: list.map(({ file }) => file) }))
    .sort((a, b) => (best.get(b.format) ?? 0) - (best.get(a.format) ?? 0));
}

function isBelowHidden(name: string): boolean {
  return name.split('/').some((part) => part.startsWith('.') && !/^\.+$/.test(part));
}

/** The format that knows the file; for one that none knows, or that another is surer of, the taker with files nearest to it. */
function toOwner(
  { file, detected, takers }: LookedAt,
  best: ReadonlyMap<Format, number>,
  folders: ReadonlyMap<Format, ReadonlySet<string>>,
): Format | undefined {
  let owner = detected?.format;
  let sureness = detected?.confidence ?? 0;
  let nearness = -1;
  for (const format of takers) {
    const confidence = best.get(format);
    if (confidence === undefined || format === detected?.format) continue;
    const near = nearnessOf(file.name, folders.get(format));
    // What a format knows itself is taken from it only by one that is surer and holds the folder.
    if (detected !== undefined && (confidence <= sureness || near === 0)) continue;
    if (detected === undefined && near <= nearness) continue;
    owner = format;
    nearness = near;
    if (detected !== undefined) sureness = confidence;
  }
  return owner;
}

function foldersByFormat(known: readonly LookedAt[]): ReadonlyMap<Format, ReadonlySet<string>> {
  const folders = new Map<Format, Set<string>>();
  for (const { file, detected } of known) {
    if (detected === undefined) continue;
    const set = folders.get(detected.format) ?? new Set<string>();
    set.add(file.name.split('/').slice(0, -1).join('/'));
    folders.set(detected.format, set);
  }
  return folders;
}

/** How many folders from the top a file shares with the nearest file of a format. */
function nearnessOf(name: string, folders: ReadonlySet<string> | undefined): number {
  const parts = name.split('/').slice(0, -1);
  for (let depth = parts.length; depth > 0; depth--) {
    const folder = parts.slice(0, depth).join('/');
    if (folders?.has(folder) === true) return depth;
  }
  return 0;
}

interface Unknown {
  readonly sources: readonly SourceFile[];
  readonly looked: readonly LookedAt[];
  readonly empty: readonly string[];
  readonly stopped: UnusableInput | undefined;
}

/** What to do about a file of no known format. Where the formats are listed, the page and the command line each add in their own words. */
const openAnother = 'Open the file that the agent or its tracer wrote.';

function notRecognised({ sources, looked, empty, stopped }: Unknown): UnusableInput {
  const [only] = looked;
  if (only === undefined) {
    if (stopped !== undefined) return stopped;
    if (sources.length === 0) return { code: 'no-files', message: 'There is no file to open: the folder is empty.' };
    const what = empty.length === 1 ? `${empty[0] ?? 'The file'} is empty` : `All ${empty.length} files are empty`;
    if (empty.length > 0) return { code: 'empty', message: `${what}: there is nothing to read.` };
    return { code: 'empty', message: `${sources[0]?.name ?? 'The archive'} is an archive with no file in it.` };
  }
  // What came out of a damaged archive need not be what went in.
  const damage = only.file.report().problems.find(({ severity }) => severity === 'problem');
  const message =
    looked.length === 1
      ? `${damage === undefined ? '' : `${damage.message} `}${only.file.name} ${only.what}.${only.isCut ? '' : ` ${openAnother}`}`
      : `None of the ${looked.length} files, first ${only.file.name}, holds a trace that is known here. ${openAnother}`;
  const code = looked.length === 1 && only.isCut ? 'cut-off' : 'unknown-format';
  return { code, message, place: { file: only.file.name, offset: 0 } };
}
