import { describe, expect, it } from 'vitest';
import { branchId, eventId, mainBranch } from '../../core/model/index.ts';
import type { Cone, ConeNode } from '../../core/projections/trace-reader.ts';
import { columnWidth, coneToList, coneToPicture, edgeToName, hasEvent, rankHeight } from './graph-model.ts';

function node(id: string, x: number, y: number, more: Partial<ConeNode> = {}): ConeNode {
  const fields = {
    kind: 'event',
    type: 'step.started',
    family: 'step',
    title: id,
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
  it('stands where the reader put it', () => {
    const late = coneToPicture(cone).nodes.find(({ node: { id } }) => id === 'late');
    expect([late?.x, late?.y]).toEqual([columnWidth, 2 * rankHeight]);
  });

  it('gives every edge an id of its own', () => {
    const ids = coneToPicture(cone).edges.map(({ id }) => id);
    expect(new Set(ids).size).toBe(cone.edges.length);
  });

  it('names a lane after whoever wrote most of it', () => {
    expect(coneToPicture(cone).lanes).toEqual([
      { x: 0, width: columnWidth, label: 'a', branch: 'main' },
      { x: columnWidth, width: columnWidth, label: 'b', branch: 'b-1' },
    ]);
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
