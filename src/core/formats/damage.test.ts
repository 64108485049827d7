/**
 * Damaged variants of every real file: nothing throws, the counts add up, good records stay, and no recorded edge is invented.
 *
 * By default small files, each with a few variants drawn with a fixed seed; `HINDCAST_DAMAGE=all` takes every file and every variant.
 */
import { describe, expect, it } from 'vitest';
import {
  createRandom,
  edgesOf,
  expectAccount,
  expectNoInventedEdges,
  idsOf,
  shuffled,
  toVariants,
} from './testing/damage.ts';
import { bytesToSource, listTraces, openFiles, readTrace, whereFound } from './testing/opening.ts';

const isLong = process.env['HINDCAST_DAMAGE'] === 'all';
/** Files of one folder, the smallest first, and the size from which they wait for the long mode. */
const perFolder = isLong ? Infinity : 3;
const largest = isLong ? 8 * 2 ** 20 : 24 * 1024;
const variantsPerFile = isLong ? 6 : 2;

const files = chooseFiles();

function chooseFiles(): readonly string[] {
  const byFolder = new Map<string, { readonly name: string; readonly size: number }[]>();
  for (const path of listTraces('.')) {
    const name = path.replace(/^\.\//, '');
    const size = readTrace(name).length;
    if (name === 'MANIFEST.md' || size > largest) continue;
    const folder = name.split('/')[0] ?? '';
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), { name, size }]);
  }
  return [...byFolder.values()].flatMap((members) =>
    members
      .sort((a, b) => a.size - b.size)
      .slice(0, perFolder)
      .map(({ name }) => name),
  );
}

describe(`damaged files${whereFound(files)}`, () => {
  it.skipIf(files.length === 0).each(files)('R67, R68 %s', { timeout: 120_000 }, async (name) => {
    const bytes = readTrace(name);
    const random = createRandom(name);
    const clean = await openFiles([bytesToSource(name, bytes)]);
    expectAccount(clean);
    const neighbour = files[(files.indexOf(name) + 1) % files.length] ?? name;
    const variants = toVariants(bytes, new TextDecoder().decode(readTrace(neighbour)), random);
    for (const variant of shuffled(variants, random).slice(0, variantsPerFile)) {
      const damaged = await openFiles([bytesToSource(name, variant.bytes, 1000)]);
      const where = `${name}, ${variant.name}`;
      expectAccount(damaged);
      if (clean.error !== undefined) continue;
      expectNoInventedEdges(damaged, clean);
      if (variant.isWhole) {
        expect([where, damaged.counts.input, damaged.counts.problems <= clean.counts.problems]).toEqual([
          where,
          clean.counts.input,
          true,
        ]);
      }
      if (variant.isSame) {
        expect([where, [...idsOf(damaged)].sort()]).toEqual([where, [...idsOf(clean)].sort()]);
        expect([where, [...edgesOf(damaged)].sort()]).toEqual([where, [...edgesOf(clean)].sort()]);
      }
    }
  });
});
