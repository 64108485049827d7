/**
 * Makes a folder and what is missing above it. Called by the commands that write a folder.
 *
 * One level at a time: the recursive call of Node never ends where a file system answers that a folder is not there although it is, as
 * `/proc` does.
 */
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Undefined once the folder is there; else the folder in which none can be made. Any other failure of the host is thrown. */
export async function makeFolder(folder: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let here = resolve(folder); !(await isThere(here)); here = dirname(here)) missing.push(here);
  for (const path of missing.reverse()) {
    try {
      await mkdir(path);
    } catch (error) {
      if (isNotThere(error)) return dirname(path);
      throw error;
    }
  }
  return undefined;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    // The root is always there; below it something is.
    if (isNotThere(error) && dirname(path) !== path) return false;
    throw error;
  }
}

function isNotThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
