import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceFile } from '../formats/format.ts';
import { bytesToSource, listTraces, openFiles, traceToSource, whereFound } from '../formats/testing/opening.ts';
import { mainBranch } from '../model/index.ts';
import { layOut } from './cone-layout.ts';
import { emptyFilter } from './matching.ts';
import { eventsToReader } from './testing/drawn-reader.ts';
import type { Cone, ConeRequest, TraceReader } from './trace-reader.ts';

interface Drawn {
  readonly count: number;
  readonly pairs: readonly (readonly [number, number])[];
  readonly lanes: readonly number[];
}

/** Any graph without a circle: every edge goes from a number to a greater one. */
const drawn: fc.Arbitrary<Drawn> = fc.integer({ min: 2, max: 40 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    pairs: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 80 }),
    lanes: fc.array(fc.nat(3), { minLength: count, maxLength: count }),
  }),
);

function place({ count, pairs, lanes }: Drawn) {
  const edges = pairs.filter(([a, b]) => a !== b).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
  const nodes = Array.from({ length: count }, (_, i) => String(i));
  const places = layOut({
    nodes,
    lanes: lanes.map(String),
    edges: edges.map(({ from, to }) => ({ from: String(from), to: String(to) })),
  });
  return { edges, at: (node: number) => places.get(String(node)) ?? { x: -1, y: -1 } };
}

function isDownward({ nodes, edges }: Cone): boolean {
  const rows = new Map(nodes.map(({ id, y }) => [id, y]));
  return edges.every(({ from, to }) => (rows.get(from) ?? 0) < (rows.get(to) ?? 0));
}

describe('the places of a cone', () => {
  it('every cause stands above what it caused, and no two nodes stand in one place, in any graph', () => {
    fc.assert(
      fc.property(drawn, (graph) => {
        const { edges, at } = place(graph);
        const taken = new Set(graph.lanes.map((_, node) => `${at(node).x},${at(node).y}`));
        return taken.size === graph.count && edges.every(({ from, to }) => at(from).y < at(to).y);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('what comes from nothing stands just above the first that it leads to, in any graph', () => {
    fc.assert(
      fc.property(drawn, (graph) => {
        const { edges, at } = place(graph);
        return graph.lanes.every((_, node) => {
          if (edges.some(({ to }) => to === node)) return true;
          const below = edges.filter(({ from }) => from === node).map(({ to }) => at(to).y);
          return below.length === 0 || at(node).y === Math.min(...below) - 1;
        });
      }),
      { seed: 2, numRuns: 200 },
    );
  });

  it('a line that leads to one event alone stands with it as a whole', () => {
    // 0 to 1 to 2 to 3 to 6, and 4 to 5 to 6.
    const { at } = place({
      count: 7,
      lanes: [0, 0, 0, 0, 1, 1, 0],
      pairs: [[0, 1], [1, 2], [2, 3], [3, 6], [4, 5], [5, 6]], // prettier-ignore
    });
    expect([4, 5, 6].map((node) => at(node).y)).toEqual([2, 3, 4]);
  });
});

const samples = join(import.meta.dirname, '../../../public/samples');
const sampleNames = readdirSync(samples).filter((name) => name.endsWith('.hindcast.jsonl'));
const session = 'claude-code/ccviewer_1af7fc5e-8455-4414-9ccd-011d40f70b2a.jsonl';
const present = listTraces('claude-code').filter((name) => name === session);

async function read(source: SourceFile): Promise<TraceReader> {
  const { events } = await openFiles([source]);
  return eventsToReader(events.map(({ event }) => event));
}

function conesOf(reader: TraceReader): readonly Cone[] {
  const { rows } = reader.rows(mainBranch, emptyFilter, 0, 10_000);
  const step = Math.max(1, Math.floor(rows.length / 6));
  const request: Omit<ConeRequest, 'focus'> = { up: 8, down: 8, limit: 300, expanded: [] };
  return rows.filter((_, at) => at % step === 0).map(({ id }) => reader.cone(mainBranch, { ...request, focus: id }));
}

describe('cones of real traces', () => {
  it.each(sampleNames)('every cause of %s stands above what it caused', async (name) => {
    const cones = conesOf(await read(bytesToSource(name, new Uint8Array(readFileSync(join(samples, name))))));
    expect(cones.some(({ edges }) => edges.length > 20)).toBe(true);
    expect(cones.filter((cone) => !isDownward(cone))).toEqual([]);
  });

  it.skipIf(present.length === 0)(
    `every cause of a session stands above what it caused${whereFound(present)}`,
    async () => {
      const cones = conesOf(await read(traceToSource(session)));
      expect(cones.some(({ edges }) => edges.length > 10)).toBe(true);
      expect(cones.filter((cone) => !isDownward(cone))).toEqual([]);
    },
  );
});
