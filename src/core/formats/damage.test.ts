/**
 * Damaged variants of every real file: nothing throws, the counts add up, good records stay, and no recorded edge is invented.
 *
 * By default small files, each with a few variants drawn with a fixed seed; `HINDCAST_DAMAGE=all` takes every file and every variant.
 */
import { describe, expect, it } from 'vitest';
import { createIndexBuilder } from '../causal/index.ts';
import { bytesToSource, listTraces, openFiles, type Opened, readTrace, whereFound } from './testing/opening.ts';

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

/** Numbers from 0 to 1, the same in every run. */
function createRandom(seed: string): () => number {
  let state = 2166136261;
  for (const c of seed) state = Math.imul(state ^ (c.codePointAt(0) ?? 0), 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822507) ^ 0x9e3779b9;
    return (state >>> 0) / 2 ** 32;
  };
}

interface Variant {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Nothing was taken away or added, so every record has to be there. */
  readonly isWhole: boolean;
  /** Only the encoding or the line ends differ: the trace has to be the same. */
  readonly isSame: boolean;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function toUtf16(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2 + 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, true);
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2 + 2, text.charCodeAt(i), true);
  return bytes;
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j] as T, out[i] as T];
  }
  return out;
}

/** JSON lines: every line is a value of its own. */
function isLines(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every((line) => line.startsWith('{') && line.trimEnd().endsWith('}'));
}

function toVariants(bytes: Uint8Array, other: string, random: () => number): readonly Variant[] {
  const text = new TextDecoder('utf-8').decode(bytes);
  const isText = encode(text).length === bytes.length && !text.includes('\u0000');
  const cut = bytes.slice(0, Math.floor(bytes.length * (0.1 + 0.85 * random())));
  const variants: Variant[] = [{ name: 'cut', bytes: cut, isWhole: false, isSame: false }];
  if (!isText) return variants;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const strange = other.split('\n').filter((line) => line.trim() !== '');
  const mixed = shuffled([...lines, ...strange], random);
  variants.push({ name: 'utf-16', bytes: toUtf16(text), isWhole: true, isSame: true });
  if (!/\r/.test(text))
    variants.push({ name: 'crlf', bytes: encode(text.replaceAll('\n', '\r\n')), isWhole: true, isSame: true });
  if (!isLines(text)) return variants;
  variants.push({ name: 'shuffled', bytes: encode(shuffled(lines, random).join('\n')), isWhole: true, isSame: false });
  const doubled = lines.flatMap((line) => [line, line]);
  variants.push({ name: 'doubled', bytes: encode(doubled.join('\n')), isWhole: false, isSame: false });
  variants.push({ name: 'interleaved', bytes: encode(mixed.join('\n')), isWhole: false, isSame: false });
  return variants;
}

/** Edges the source says, by the ids at their ends. */
function edgesOf({ events }: Opened): ReadonlySet<string> {
  const builder = createIndexBuilder();
  for (const { event } of events) builder.add(event);
  const index = builder.build();
  const edges = new Set<string>();
  for (let position = 0; position < index.count; position++) {
    for (const { from, as, grade } of index.causesOf(position))
      if (grade === 'recorded') edges.add([index.id(from), index.id(position)].map(withoutSide).concat(as).join('\n'));
  }
  return edges;
}

/** The two halves of a Zipkin span have one id in the source; where one half is lost, what names the id means the other. */
function withoutSide(id: string): string {
  return id.replace(/\/(?:client|server)$/, '');
}

function idsOf({ events }: Opened): ReadonlySet<string> {
  return new Set(events.map(({ event }) => event.id));
}

function expectAccount({ counts }: Opened): void {
  expect(counts.mapped + counts.merged + counts.problems).toBe(counts.input);
}

function expectNoNewEdges(damaged: Opened, clean: Opened): void {
  const known = new Set([...idsOf(clean)].map(withoutSide));
  const edges = edgesOf(clean);
  const invented = [...edgesOf(damaged)].filter((edge) => {
    const [from = '', to = ''] = edge.split('\n');
    return known.has(from) && known.has(to) && !edges.has(edge);
  });
  expect(invented).toEqual([]);
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
      expectNoNewEdges(damaged, clean);
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
