/**
 * What a person gives the page (picked files, a dropped folder, pasted text, an address of this site) as named blobs for the import
 * worker. Reads no content: the worker does.
 */
import { type Result, err, ok } from '../../core/base/result.ts';

/** `path` is the path inside what was opened, with `/`. */
export interface NamedBlob {
  readonly path: string;
  readonly blob: Blob;
}

/** Files from an `<input type="file">`, with or without `webkitdirectory`. */
export function filesToBlobs(files: Iterable<File>): readonly NamedBlob[] {
  return [...files].map((file) => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    blob: file,
  }));
}

/**
 * Dropped files and folders. The entries must be taken before the first await of the drop handler: the browser empties the list.
 */
export async function dropToBlobs(items: Iterable<DataTransferItem>): Promise<readonly NamedBlob[]> {
  const entries: (FileSystemEntry | undefined)[] = [];
  const loose: File[] = [];
  for (const item of items) {
    if (item.kind !== 'file') continue;
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    if (entry !== null) entries.push(entry);
    else if (file !== null) loose.push(file);
  }
  const found = [...filesToBlobs(loose)];
  const waiting = entries.filter((entry) => entry !== undefined);
  for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
    if (isFile(entry)) found.push({ path: withoutSlash(entry.fullPath), blob: await entryToFile(entry) });
    else if (isFolder(entry)) waiting.push(...(await readFolder(entry)));
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function withoutSlash(path: string): string {
  return path.startsWith('/') ? path.slice(1) : path;
}

function entryToFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });
}

/** A folder is listed in parts; an empty part is the end. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (part.length === 0) return all;
    all.push(...part.filter((entry) => !entry.name.startsWith('.')));
  }
}

export function textToBlob(text: string): NamedBlob {
  return { path: 'pasted text', blob: new Blob([text], { type: 'text/plain' }) };
}

/** A file of this very site. Addresses elsewhere go through the document that asks first. */
export async function fetchSameOrigin(address: string, signal: AbortSignal): Promise<Result<NamedBlob, string>> {
  const url = new URL(address, document.baseURI);
  if (url.origin !== location.origin) return err(`${url.href} is not on this site.`);
  try {
    const response = await fetch(url, { signal, redirect: 'error' });
    if (!response.ok) return err(`${url.href} could not be fetched: the server answered ${response.status}.`);
    return ok({
      path: decodeURIComponent(url.pathname.split('/').at(-1) ?? url.pathname),
      blob: await response.blob(),
    });
  } catch (error) {
    if (signal.aborted) return err('Fetching was cancelled.');
    return err(`${url.href} could not be fetched: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
