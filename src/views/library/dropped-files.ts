/**
 * What a person dropped, picked or pasted, as files with the path inside what was opened.
 *
 * Folders are walked whole, iteratively, in the order of their names: a run may be several files, and which is which is
 * decided by content, later.
 */
import type { OpenedFile } from '../../data/index.ts';

interface Pending {
  readonly entry: FileSystemEntry;
  readonly path: string;
}

/** Must be called while the drop event is handled: browsers forget the entries after it. */
export function transferToEntries(transfer: DataTransfer): readonly FileSystemEntry[] {
  return [...transfer.items].flatMap((item) => (item.kind === 'file' ? (item.webkitGetAsEntry() ?? []) : []));
}

export async function entriesToFiles(entries: readonly FileSystemEntry[]): Promise<readonly OpenedFile[]> {
  const files: OpenedFile[] = [];
  const pending: Pending[] = entries.map((entry) => ({ entry, path: entry.name })).reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { entry, path } = next;
    if (isFile(entry)) files.push({ path, blob: await readFile(entry) });
    else if (isFolder(entry)) {
      const members = await readFolder(entry);
      const inOrder = members.toSorted((a, b) => (a.name < b.name ? 1 : -1));
      for (const member of inOrder) pending.push({ entry: member, path: `${path}/${member.name}` });
    }
  }
  return files;
}

/** Files of an `<input>`; a picked folder gives each its path. */
export function listToFiles(list: FileList): readonly OpenedFile[] {
  return [...list].map((file) => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    blob: file,
  }));
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
