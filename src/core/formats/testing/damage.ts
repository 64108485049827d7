/** Damaged variants of a file, drawn with a fixed seed, and what has to hold of each. */
import { expect } from 'vitest';
import { createIndexBuilder } from '../../causal/index.ts';
import type { Opened } from './opening.ts';

/** Numbers from 0 to 1, the same in every run. */
export function createRandom(seed: string): () => number {
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

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function toUtf16(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2 + 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, true);
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2 + 2, text.charCodeAt(i), true);
  return bytes;
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
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

export function toVariants(bytes: Uint8Array, other: string, random: () => number): readonly Variant[] {
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
export function edgesOf({ events }: Opened): ReadonlySet<string> {
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

export function idsOf({ events }: Opened): ReadonlySet<string> {
  return new Set(events.map(({ event }) => event.id));
}

export function expectAccount({ counts }: Opened): void {
  expect(counts.mapped + counts.merged + counts.problems).toBe(counts.input);
}

export function expectNoInventedEdges(damaged: Opened, clean: Opened): void {
  const known = new Set([...idsOf(clean)].map(withoutSide));
  const edges = edgesOf(clean);
  const invented = [...edgesOf(damaged)].filter((edge) => {
    const [from = '', to = ''] = edge.split('\n');
    return known.has(from) && known.has(to) && !edges.has(edge);
  });
  expect(invented).toEqual([]);
}
