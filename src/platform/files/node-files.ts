/**
 * Files and folders of a disk as sources for the importers. Streaming: a file is never read whole. Node only; the command line
 * and the tests use it.
 */
import { type Dirent, createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, sep } from 'node:path';
import { type Result, err, ok } from '../../core/base/result.ts';
import { lineToShown } from '../../core/base/shown-text.ts';
import { type SourceFile, SourceReadError } from '../../core/formats/format.ts';

/** Why a path cannot be opened, as a sentence. */
export interface FileFailure {
  readonly path: string;
  readonly message: string;
}

const chunkBytes = 256 * 1024;

/** The files at the paths; a folder gives all files below it, in a fixed order. */
export async function pathsToSources(paths: readonly string[]): Promise<Result<readonly SourceFile[], FileFailure>> {
  const sources: SourceFile[] = [];
  for (const path of paths) {
    try {
      const found = await stat(path);
      if (found.isDirectory()) {
        const inside = await folderToSources(path);
        if (inside.length === 0) return err({ path, message: emptyFolder(path) });
        for (const source of inside) sources.push(source);
      }
      // A pipe or device can be read once at most, and opening reads twice: it would wait for ever or lose its beginning.
      else if (!found.isFile()) return err({ path, message: `${path} is a pipe or device. Save it as a file first.` });
      else sources.push(fileToSource(path, basename(path), found.size));
    } catch (error) {
      return err({ path, message: failureToSentence(path, error) });
    }
  }
  return ok(sources);
}

function emptyFolder(path: string): string {
  return `${lineToShown(path)} is a folder with no file to open: it is empty, or holds only hidden files, caches, packages and links to folders.`;
}

/** A name is text that others wrote: it is shown in sentences, in one line. */
function fileToSource(path: string | Buffer, shown: string, size: number): SourceFile {
  const name = lineToShown(shown);
  return { name, size, open: () => readChunks(path), slice: (start, end) => readChunks(path, start, end) };
}

async function* readChunks(path: string | Buffer, start = 0, end = Infinity): AsyncGenerator<Uint8Array> {
  if (start >= end) return;
  try {
    // The stream counts its end in.
    for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes, start, end: end - 1 })) {
      // Cast: a stream opened without an encoding gives buffers, which the types do not say.
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw new SourceReadError(failureToSentence(bytesToName(Buffer.from(path)), error, 'reading'));
  }
}

/** Folders that hold what programs keep for themselves: never sessions of agents, and often more files than all the rest. */
const passedOver: ReadonlySet<string> = new Set(
  `.git .hg .svn node_modules __pycache__ .venv .tox .cache .npm .yarn .pnpm-store .nvm .cargo .rustup .gradle .m2 .Trash __MACOSX
   .pytest_cache .mypy_cache .ruff_cache .ipynb_checkpoints .terraform .mozilla .ssh .gnupg .aws .kube`.split(/\s+/),
);

/**
 * Names are paths inside the folder, with `/`, so that they mean the same on every machine. Hidden folders are read, because agents
 * keep their sessions in some; hidden files are no traces. A link to a file is that file; links to folders are not followed, for they
 * may lead in a circle or out of what was meant.
 */
async function folderToSources(folder: string): Promise<readonly SourceFile[]> {
  const found: FoundFile[] = [];
  const pending: FoundFile[] = [{ name: '', path: Buffer.from(folder) }];
  for (let inside = pending.pop(); inside !== undefined; inside = pending.pop()) {
    // A name is bytes to the disk, and need not be text: as text such a file would not be found again.
    for (const entry of await readdir(inside.path, { withFileTypes: true, encoding: 'buffer' })) {
      const own = bytesToName(entry.name);
      const name = inside.name === '' ? own : `${inside.name}/${own}`;
      const path = Buffer.concat([inside.path, Buffer.from(sep), entry.name]);
      if (entry.isDirectory() && !passedOver.has(own)) pending.push({ name, path });
      else if (!own.startsWith('.') && (entry.isFile() || (await isLinkToFile(entry, path))))
        found.push({ name, path });
    }
  }
  found.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  const sources: SourceFile[] = [];
  for (const { name, path } of found) sources.push(fileToSource(path, name, (await stat(path)).size));
  return sources;
}

interface FoundFile {
  readonly name: string;
  readonly path: Buffer;
}

/** As text; where it is none in UTF-8, with `\xNN` for each byte beyond ASCII, so that two such names stay apart. */
function bytesToName(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd') || Buffer.from(text).equals(bytes)) return text;
  return Array.from(bytes, (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('');
}

async function isLinkToFile(entry: Dirent<Buffer>, path: Buffer): Promise<boolean> {
  if (!entry.isSymbolicLink()) return false;
  try {
    return (await stat(path)).isFile();
  } catch {
    // It leads nowhere, or in a circle.
    return false;
  }
}

/** In a folder, what failed may be a file inside: the error knows which. */
function failureToSentence(opened: string, error: unknown, act: 'finding' | 'reading' = 'finding'): string {
  const { code, path: named = opened } = error instanceof Error ? toSystemFailure(error) : {};
  const path = lineToShown(named);
  if (code === 'ENOENT' && act === 'reading') return `${path} was removed while it was opened. Nothing was kept.`;
  if (code === 'ENOENT' && path.includes('\ufffd'))
    return `There is no file or folder at ${path}. If its name holds bytes that are no text in UTF-8, name the folder it is in.`;
  if (code === 'ENOENT') return `There is no file or folder at ${path === '' ? 'an empty path' : path}.`;
  if (code === 'ELOOP') return `${path} is a link that leads in a circle. Name the file itself.`;
  if (code === 'ENAMETOOLONG') return `There is no file or folder of such a long name: ${path.slice(0, 60)}….`;
  if (code === 'ENOTDIR') return `There is no file or folder at ${path}: a part of the path is a file and no folder.`;
  if (code === 'EACCES' || code === 'EPERM') return `${path} may not be read by this user.`;
  if (code === 'EIO')
    return `${path} cannot be read: its disk or drive answers with an input/output error (EIO). Copy it to another disk, as far as that goes, and open the copy.`;
  return `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
}

function toSystemFailure(error: Error): { readonly code?: string; readonly path?: string } {
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  if (!('path' in error)) return code;
  if (Buffer.isBuffer(error.path)) return { ...code, path: bytesToName(error.path) };
  return typeof error.path === 'string' ? { ...code, path: error.path } : code;
}
