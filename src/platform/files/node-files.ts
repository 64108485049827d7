/**
 * Files and folders of a disk as sources for the importers. Streaming: a file is never read whole. Node only; the command line
 * and the tests use it.
 */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, posix, relative, sep } from 'node:path';
import { type Result, err, ok } from '../../core/base/result.ts';
import type { SourceFile } from '../../core/formats/format.ts';

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
      if (found.isDirectory()) sources.push(...(await folderToSources(path)));
      // A pipe or device can be read once at most, and opening reads twice: it would wait for ever or lose its beginning.
      else if (!found.isFile()) return err({ path, message: `${path} is a pipe or device. Save it as a file first.` });
      else sources.push(fileToSource(path, basename(path), found.size));
    } catch (error) {
      return err({ path, message: failureToSentence(path, error) });
    }
  }
  return ok(sources);
}

function fileToSource(path: string, name: string, size: number): SourceFile {
  return { name, size, open: () => readChunks(path), slice: (start, end) => readChunks(path, start, end) };
}

async function* readChunks(path: string, start = 0, end = Infinity): AsyncGenerator<Uint8Array> {
  if (start >= end) return;
  // The stream counts its end in.
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes, start, end: end - 1 })) {
    // Cast: a stream opened without an encoding gives buffers, which the types do not say.
    yield chunk as Uint8Array;
  }
}

/** Names are paths inside the folder, with `/`, so that they mean the same on every machine. Hidden files are no traces. */
async function folderToSources(folder: string): Promise<readonly SourceFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, name: relative(folder, path).split(sep).join(posix.sep) }))
    .filter(({ name }) => !name.split('/').some((part) => part.startsWith('.')))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return Promise.all(files.map(async ({ path, name }) => fileToSource(path, name, (await stat(path)).size)));
}

function failureToSentence(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return `There is no file or folder at ${path === '' ? 'an empty path' : path}.`;
  if (code === 'EACCES' || code === 'EPERM') return `${path} may not be read by this user.`;
  return `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
}
