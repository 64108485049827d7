import { describe, expect, it } from 'vitest';
import { branchId, eventId, mainBranch } from '../../core/model/index.ts';
import type { Cone, ConeNode } from '../../core/projections/trace-reader.ts';
import {
  columnWidth,
  computeBows,
  computeFrontier,
  computeViewpoint,
  coneToList,
  coneToPicture,
  edgeToName,
  hasEvent,
  nodeHeight,
  nodeWidth,
  pictureToBox,
  pictureToRows,
  rankHeight,
} from './graph-model.ts';

function node(id: string, x: number, y: number, more: Partial<ConeNode> = {}): ConeNode {
  const fields = {
    kind: 'event',
    type: 'step.started',
    family: 'step',
    title: id,
    source: 'worker',
    branch: mainBranch,
    failed: false,
    effect: false,
  } as const;
  return { ...fields, id, event: eventId(id), x, y, findings: 0, hiddenCauses: 0, hiddenEffects: 0, ...more };
}

const cone: Cone = {
  nodes: [
    node('late', 1, 2, { agent: 'b', branch: branchId('b-1') }),
    node('first', 0, 0, { agent: 'a' }),
    node('other', 1, 1, { agent: 'b', branch: branchId('b-1') }),
    node('stray', 1, 3, { agent: 'c', branch: branchId('b-1') }),
  ],
  edges: [
    { from: 'first', to: 'other', as: 'selected_by', grade: 'recorded' },
    { from: 'first', to: 'late', as: 'caused_by', grade: 'inferred', rule: 'same-command' },
    { from: 'first', to: 'late', as: 'caused_by', grade: 'inferred', rule: 'same-command' },
    { from: 'late', to: 'gone', as: 'gap', grade: 'inferred' },
  ],
};

describe('the graph', () => {
  it('gives the room of the pane to the columns that are used, between the least and the widest node', () => {
    const columns = new Set(cone.nodes.map(({ x }) => x)).size;
    const widthIn = (pane: number): number => coneToPicture(cone, 5, pane).nodeWidth;
    expect(widthIn(0)).toBe(nodeWidth);
    expect(widthIn(5000)).toBe(320);
    const picture = coneToPicture(cone, 5, columns * 260 + 56);
    expect(picture.nodeWidth).toBe(244);
    expect(pictureToBox(picture).width).toBe((columns - 1) * 260 + 244);
  });

  it('stands where the reader put it', () => {
    const late = coneToPicture(cone, 5).nodes.find(({ node: { id } }) => id === 'late');
    expect([late?.x, late?.y]).toEqual([columnWidth, 2 * rankHeight]);
  });

  it('gives every edge an id of its own', () => {
    const ids = coneToPicture(cone, 5).edges.map(({ id }) => id);
    expect(new Set(ids).size).toBe(cone.edges.length);
  });

  it('names a lane after whoever wrote most of it', () => {
    expect(coneToPicture(cone, 5).lanes).toEqual([
      { x: 0, width: columnWidth, label: 'a', branch: 'main' },
      { x: columnWidth, width: columnWidth, label: 'b', branch: 'b-1' },
    ]);
  });

  it('wraps ranks that are wider than the pane, without covering a node', () => {
    const wide = Array.from({ length: 7 }, (_, at) => node(`cause-${at}`, at, 0));
    const picture = coneToPicture(
      {
        nodes: [...wide, node('focus', 0, 1)],
        edges: wide.map(({ id }) => ({ from: id, to: 'focus', as: 'informed_by', grade: 'recorded' })),
      },
      3,
    );
    expect(picture.lanes).toEqual([]);
    // Its three rows are one rank, and are drawn as one: none of them comes from the row above it.
    expect(picture.ranks).toEqual([{ y: 0, height: 2 * 92 + nodeHeight }]);
    expect(coneToPicture(cone, 5).ranks).toEqual([]);
    expect(pictureToBox(picture).width).toBeLessThanOrEqual(3 * columnWidth);
    const places = picture.nodes.map(({ x, y }) => `${x},${y}`);
    expect(new Set(places).size).toBe(8);
    const focus = picture.nodes.find(({ node: { id } }) => id === 'focus');
    expect(picture.nodes.every((placed) => placed === focus || placed.y < (focus?.y ?? 0))).toBe(true);
    expect(focus?.x).toBe(-nodeWidth / 2);
    // Below each node and above each stands the way to what lies beyond, 13 px out: neither covers the other.
    const rows = [...new Set(picture.nodes.map(({ y }) => y))].toSorted((a, b) => a - b);
    for (const [at, y] of rows.entries())
      if (at > 0) expect(y - (rows[at - 1] ?? 0) - nodeHeight).toBeGreaterThanOrEqual(26);
  });

  it('an edge goes around the nodes of its column that it has nothing to do with', () => {
    const nodes = [node('a', 0, 0), node('b', 0, 1), node('c', 0, 2), node('d', 1, 2)];
    const edges = [['a', 'b'], ['b', 'c'], ['a', 'c'], ['a', 'd']] as const; // prettier-ignore
    const picture = coneToPicture(
      { nodes, edges: edges.map(([from, to]) => ({ from, to, as: 'caused_by', grade: 'recorded' })) },
      5,
    );
    const bows = computeBows(picture);
    expect([...bows.keys()]).toEqual(['a→c:caused_by']);
    expect(bows.get('a→c:caused_by')).toBeGreaterThan(nodeWidth / 2);
  });

  it('joins columns of one agent to one band', () => {
    const nodes = [node('a', 0, 0, { agent: 'a' }), node('b', 1, 0, { agent: 'a' }), node('c', 2, 0, { agent: 'b' })];
    expect(coneToPicture({ nodes, edges: [] }, 5).lanes.map(({ label, width }) => [label, width])).toEqual([
      ['a', 2 * columnWidth],
      ['b', columnWidth],
    ]);
  });

  it('shows all of a picture that fits, and never looks past the edge of one that does not', () => {
    const box = pictureToBox(coneToPicture(cone, 5));
    expect(box).toMatchObject({ left: 0, top: 0, width: columnWidth + nodeWidth });
    expect(computeViewpoint(box, { x: 0, y: 0 }, { width: 2000, height: 2000 })).toEqual({
      x: box.width / 2,
      y: box.height / 2,
      zoom: 1,
    });
    const tall = { left: 0, top: 0, width: 200, height: 4000 };
    const atTop = computeViewpoint(tall, { x: 100, y: 0 }, { width: 600, height: 400 });
    expect(atTop).toEqual({ x: 100, y: 400 / 0.88 / 2 - 28 / 0.88, zoom: 0.88 });
    expect(computeViewpoint(tall, { x: 100, y: 2000 }, { width: 600, height: 400 }).y).toBe(2000);
    // A row that would be cut by the upper edge is shown whole instead, below the names of the lanes.
    const seen = 400 / 0.88;
    const cut = 2000 - seen / 2 - 10;
    const rows = { tops: [cut], above: 37 };
    expect(computeViewpoint(tall, { x: 100, y: 2000 }, { width: 600, height: 400 }, rows).y).toBe(cut - 37 + seen / 2);
    // A selection that is followed keeps the zoom of the person, and looks past no edge either: no card at the side is cut for it.
    const beside = computeViewpoint(box, { x: box.width, y: 0 }, { width: box.width * 2, height: 400 }, undefined, 0.7);
    expect([beside.x, beside.zoom]).toEqual([box.width / 2, 0.7]);
    expect(pictureToRows(coneToPicture(cone, 5)).tops).toEqual([0, rankHeight, 2 * rankHeight, 3 * rankHeight]);
  });

  it('draws the frontier above the first that falls in each place, below those where nothing does', () => {
    const picture = coneToPicture(cone, 5);
    const corners = computeFrontier(picture, (event) => event === 'late' || event === 'stray');
    const bottom = 3 * rankHeight + nodeHeight + 12;
    expect(new Set(corners.map(({ y }) => y))).toEqual(new Set([bottom, 2 * rankHeight - 12]));
    expect(corners.map(({ x }) => x)).toEqual(corners.map(({ x }) => x).toSorted((a, b) => a - b));
    expect(computeFrontier(picture, () => false)).toEqual([]);
  });

  it('draws the frontier through no node, whatever falls', () => {
    // Rows of one and two, each in the middle: a node of one row stands under both of the next.
    const drawn = coneToPicture(cone, 5);
    const places = [
      [0, 0],
      [200, 0],
      [100, 100],
      [0, 200],
    ] as const;
    const picture = {
      ...drawn,
      nodes: drawn.nodes.map((one, n) => ({ ...one, x: places[n]?.[0] ?? 200, y: places[n]?.[1] ?? 300 })),
    };
    const ids = picture.nodes.map(({ node }) => node.event);
    for (let chosen = 1; chosen < 2 ** ids.length; chosen++) {
      const corners = computeFrontier(picture, (event) => (chosen & (1 << ids.indexOf(event))) !== 0);
      for (const { node, x, y } of picture.nodes) {
        const across = corners.flatMap((a, n) => {
          const b = corners[n + 1];
          return b !== undefined && a.x < x + picture.nodeWidth && b.x > x ? [a.y, b.y] : [];
        });
        const isBehind = across.every((at) => at < y);
        expect(isBehind || across.every((at) => at > y + nodeHeight)).toBe(true);
        if ((chosen & (1 << ids.indexOf(node.event))) !== 0) expect(isBehind).toBe(true);
      }
    }
  });

  it('is also a list by causal depth, with causes and effects', () => {
    const list = coneToList(cone);
    expect(list.map(({ node: { id } }) => id)).toEqual(['first', 'other', 'late', 'stray']);
    expect(list[0]?.effects.map(({ node: { id } }) => id)).toEqual(['other', 'late', 'late']);
    expect(list[1]?.causes.map(({ edge }) => edge.as)).toEqual(['selected_by']);
  });

  it('knows what it holds, and says the grade and the rule of an edge', () => {
    expect([hasEvent(cone, eventId('late')), hasEvent(cone, eventId('gone'))]).toEqual([true, false]);
    expect(cone.edges.map(edgeToName)).toEqual([
      'selected by, recorded',
      'caused by, inferred by same-command',
      'caused by, inferred by same-command',
      'expected, not recorded',
    ]);
  });
});
