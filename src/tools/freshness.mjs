/**
 * Tells whether something built is older than what it was built from.
 *
 * A signature over the names, sizes and times of the sources is stored beside the result; a source that is changed,
 * added or removed changes it. Used for the site, the command line and the recording runtime alike.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './install.mjs';

function listFiles(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true }).map((name) => join(path, name));
}

function isSource(file) {
  return !/\.test\.tsx?$|\.md$/.test(file);
}

/** A signature over every file below the given paths, tests and documents left out. */
export function computeSignature(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(listFiles).filter(isSource).sort()) {
    const found = statSync(join(root, file), { throwIfNoEntry: false });
    if (found?.isFile()) hash.update(`${file}\0${found.size}\0${found.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

export function isFresh(stamp, signature) {
  try {
    return readFileSync(join(root, stamp), 'utf8') === signature;
  } catch {
    return false; // Never built.
  }
}

export function markFresh(stamp, signature) {
  mkdirSync(dirname(join(root, stamp)), { recursive: true });
  writeFileSync(join(root, stamp), signature);
}
