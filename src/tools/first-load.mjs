/**
 * The build report: how much script a page loads before the library can be used, against the budget.
 *
 * Counted are the entry and everything it imports statically, each compressed as a host would. The library view is one of them
 * (src/app/App.tsx), so nothing that is loaded later stands between the person and it; workers load beside it, and a file can be
 * dropped before they answer. Read from Vite's manifest, by `npm test` after the build.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Bytes of compressed script. */
export const firstLoadBudget = 200_000;

/** Files of the entry and of all it imports statically, each once, the entry first. */
export function listFirstScripts(manifest, entry) {
  const keys = new Set([entry]);
  // A set grows while it is walked: imports of imports come up in turn.
  for (const key of keys) {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The build's manifest has no “${key}”.`);
    for (const imported of chunk.imports ?? []) keys.add(imported);
  }
  return [...keys].map((key) => manifest[key].file);
}

/** Whether the build in the folder stays within the budget; prints the figure and what it is made of. */
export function reportFirstLoad(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8'));
  const scripts = listFirstScripts(manifest, 'index.html')
    .map((file) => ({ file, bytes: gzipSync(readFileSync(join(folder, file))).length }))
    .sort((a, b) => b.bytes - a.bytes);
  const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { file, bytes } of scripts) console.log(`${kilobytes(bytes)}  ${file}`);
  console.log(
    `${kilobytes(total)}  of ${kilobytes(firstLoadBudget).trim()} compressed script before the library is usable`,
  );
  if (total <= firstLoadBudget) return true;
  console.error(
    `The first load is ${kilobytes(total - firstLoadBudget).trim()} over its budget. Load what the library does not need with import().`,
  );
  return false;
}

function kilobytes(bytes) {
  return `${(bytes / 1_000).toFixed(1).padStart(7)} kB`;
}
