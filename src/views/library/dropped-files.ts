/**
 * What a person dropped, picked or pasted, as files with the path inside what was opened.
 *
 * Folders are walked iteratively, in the order of their names: a run may be several files, and which is which is decided by
 * content, later. Folders of tools (`.git`, `node_modules`) are left out and named, unless they are what was dropped.
 */
import type { OpenedFile } from '../../data/index.ts';

interface Pending {
  readonly entry: FileSystemEntry;
  readonly path: string;
}

export interface DroppedItems {
  readonly entries: readonly FileSystemEntry[];
  /** What came without an entry: from a browser that knows none, or from a program. No folder is among them. */
  readonly files: readonly File[];
}

/** Must be called while the drop event is handled: browsers forget the items after it. */
export function transferToItems({ items, files }: Pick<DataTransfer, 'items' | 'files'>): DroppedItems {
  const entries: FileSystemEntry[] = [];
  const plain: File[] = [];
  for (const item of [...items].filter(({ kind }) => kind === 'file')) {
    const entry = 'webkitGetAsEntry' in item ? item.webkitGetAsEntry() : null;
    const file = entry === null ? item.getAsFile() : null;
    if (entry !== null) entries.push(entry);
    else if (file !== null) plain.push(file);
  }
  return { entries, files: entries.length + plain.length === 0 ? [...files] : plain };
}

export async function itemsToFiles({ entries, files }: DroppedItems): Promise<DroppedFiles> {
  const walked = await entriesToFiles(entries);
  const listed = listToFiles(files);
  return { files: [...walked.files, ...listed.files], skipped: [...walked.skipped, ...listed.skipped] };
}

/** Folders that hold what tools keep, in numbers, and no traces. */
const leftOut: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', '__pycache__', '.venv']);

export interface DroppedFiles {
  readonly files: readonly OpenedFile[];
  /** Paths of folders that were not walked. */
  readonly skipped: readonly string[];
}

export async function entriesToFiles(entries: readonly FileSystemEntry[]): Promise<DroppedFiles> {
  const files: OpenedFile[] = [];
  const skipped: string[] = [];
  const pending: Pending[] = entries.map((entry) => ({ entry, path: entry.name })).reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { entry, path } = next;
    if (isFile(entry)) files.push({ path, blob: await readFile(entry) });
    else if (isFolder(entry) && path !== entry.name && leftOut.has(entry.name)) skipped.push(path);
    else if (isFolder(entry)) {
      const members = await readFolder(entry);
      const inOrder = members.toSorted((a, b) => (a.name < b.name ? 1 : -1));
      for (const member of inOrder) pending.push({ entry: member, path: `${path}/${member.name}` });
    }
  }
  return { files, skipped };
}

/** Files of an `<input>`; a picked folder gives each its path. */
export function listToFiles(list: Iterable<File>): DroppedFiles {
  const files: OpenedFile[] = [];
  const skipped = new Set<string>();
  for (const file of list) {
    const path = file.webkitRelativePath === '' ? file.name : file.webkitRelativePath;
    const folder = pathToLeftOut(path);
    if (folder === undefined) files.push({ path, blob: file });
    else skipped.add(folder);
  }
  return { files, skipped: [...skipped] };
}

/** The outermost folder of the path that is left out; the first part is what was picked. */
function pathToLeftOut(path: string): string | undefined {
  const parts = path.split('/');
  const at = parts.findIndex((part, n) => n > 0 && n < parts.length - 1 && leftOut.has(part));
  return at < 0 ? undefined : parts.slice(0, at + 1).join('/');
}

/** “2 folders were left out: a/.git and a/node_modules.” */
export function skippedToSentence(skipped: readonly string[]): string {
  const told = skipped.slice(0, 3).join(', ');
  const rest = skipped.length > 3 ? ` and ${skipped.length - 3} more` : '';
  return `${skipped.length === 1 ? 'A folder was' : `${skipped.length} folders were`} left out: ${told}${rest}. Drop one by itself to open what it holds.`;
}

export function textToFile(text: string): OpenedFile {
  return { path: 'pasted.jsonl', blob: new Blob([text], { type: 'text/plain' }) };
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });
}

/** A reader gives at most 100 members at a time; an empty batch is the end. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const members: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (batch.length === 0) return members;
    for (const member of batch) members.push(member);
  }
}
