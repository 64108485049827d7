/**
 * What lies on the disk beside a session and was not opened with it: a session of Claude Code is a file and a folder of its name.
 */
import { readdir } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';

/** A sentence for each session whose sub-agents were left where they are. */
export async function findBeside(paths: readonly string[]): Promise<readonly string[]> {
  const opened = paths.map((path) => resolve(path));
  const sentences: string[] = [];
  for (const path of paths.filter((one) => one.endsWith('.jsonl'))) {
    const folder = path.slice(0, -'.jsonl'.length);
    const subagents = join(folder, 'subagents');
    // The folder itself, one above it, or something in it was named.
    const isOpened = opened.some((one) => isWithin(resolve(subagents), one) || isWithin(one, resolve(folder)));
    const files = isOpened ? [] : (await namesIn(subagents)).filter((name) => name.endsWith('.jsonl'));
    if (files.length === 0) continue;
    const what = files.length === 1 ? 'one file' : `${files.length} files`;
    sentences.push(
      `Beside the session, in ${subagents}, ${files.length === 1 ? 'lies' : 'lie'} ${what} of sub-agents that ${files.length === 1 ? 'was' : 'were'} not opened. With ${files.length === 1 ? 'it' : 'them'}: hindcast check ${toArgument(path)} ${toArgument(`${folder}${sep}`)}`,
    );
  }
  return sentences;
}

/** As a POSIX shell takes it for one argument that is no option: in quotes where any of it means something to the shell. */
function toArgument(path: string): string {
  const plain = path.startsWith('-') ? `./${path}` : path;
  return /^[\w@%+=:,./-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", `'\\''`)}'`;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return []; // There is no such folder, or it may not be read.
  }
}
