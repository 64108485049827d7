/**
 * Which touch of the world a read may have seen first, without comparing every read with every touch.
 *
 * Names stand in a tree of their parts, touches without names with their service. Every list keeps the lowest position so far, so
 * that the first touch before a position is found by halving. Read by the world rule; its answer is that of `meeting` tried in order.
 */
import { type Position, comparePositions } from './position.ts';
import { doNamesMeet } from './resource-names.ts';
import type { Touch } from './resources.ts';

export interface PlacedTouch {
  readonly from: Position;
  readonly touch: Touch;
}

export interface TouchIndex {
  /** The least index of a touch that the read meets and that came before the position; `undefined` where there is none. */
  findFirst(read: Touch, before: Position): number | undefined;
}

/** Touches in their order; `lowest[i]` is the least position of the first i + 1. */
interface TouchList {
  readonly touches: number[];
  readonly lowest: Position[];
}

interface NameNode {
  readonly own: TouchList;
  /** With all that stands below. */
  readonly whole: TouchList;
  readonly parts: Map<string, NameNode>;
}

export function createTouchIndex(touches: readonly PlacedTouch[]): TouchIndex {
  const root = createNode();
  const open = createList();
  const undeclared = createServices();
  const declared = createServices();
  for (const [n, { touch, from }] of touches.entries()) {
    if (touch.names === undefined) addToServices(undeclared, touch.service, n, from);
    else if (touch.names.length > 0) addToServices(declared, touch.service, n, from);
    for (const name of touch.names ?? []) {
      if (name.includes('{')) addTouch(open, n, from);
      else addName(root, name, n, from);
    }
  }
  return {
    findFirst(read, before) {
      const lists = [...listsOfService(undeclared, read.service)];
      if (read.names === undefined) lists.push(...listsOfService(declared, read.service));
      else if (read.names.length === 0) return undefined;
      let best = least(lists, before);
      for (const name of read.names ?? []) best = lower(best, findByName(name, before));
      return best;
    },
  };

  function findByName(name: string, before: Position): number | undefined {
    // A place that could not be filled meets anything there: such names are few, and tried one by one.
    if (name.includes('{')) return scan(touches.keys(), name, before);
    return lower(least(listsOfName(root, name), before), scan(open.touches, name, before));
  }

  function scan(candidates: Iterable<number>, name: string, before: Position): number | undefined {
    for (const n of candidates) {
      const placed = touches[n];
      if (placed?.touch.names === undefined || comparePositions(before, placed.from) <= 0) continue;
      if (placed.touch.names.some((other) => doNamesMeet(name, other))) return n;
    }
    return undefined;
  }
}

function lower(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

function createList(): TouchList {
  return { touches: [], lowest: [] };
}

function addTouch({ touches, lowest }: TouchList, n: number, from: Position): void {
  if (touches.at(-1) === n) return;
  const last = lowest.at(-1);
  touches.push(n);
  lowest.push(last !== undefined && comparePositions(last, from) <= 0 ? last : from);
}

function least(lists: readonly TouchList[], before: Position): number | undefined {
  let best: number | undefined;
  for (const list of lists) best = lower(best, firstBefore(list, before));
  return best;
}

/** Where the lowest position falls below `before` for the first time stands the first touch that came before it. */
function firstBefore({ touches, lowest }: TouchList, before: Position): number | undefined {
  let low = 0;
  let high = lowest.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comparePositions(before, lowest[middle] ?? before) > 0) high = middle;
    else low = middle + 1;
  }
  return touches[low];
}

function createNode(): NameNode {
  return { own: createList(), whole: createList(), parts: new Map() };
}

function addName(root: NameNode, name: string, n: number, from: Position): void {
  let node = root;
  for (const part of name.split('/')) {
    let next = node.parts.get(part);
    if (next === undefined) node.parts.set(part, (next = createNode()));
    node = next;
    addTouch(node.whole, n, from);
  }
  addTouch(node.own, n, from);
}

/** What is named as a part of the name stands on the way, what the name is a part of below its end. */
function listsOfName(root: NameNode, name: string): readonly TouchList[] {
  const lists: TouchList[] = [];
  const parts = name.split('/');
  let node = root;
  for (const [i, part] of parts.entries()) {
    const next = node.parts.get(part);
    if (next === undefined) return lists;
    lists.push(i === parts.length - 1 ? next.whole : next.own);
    node = next;
  }
  return lists;
}

interface Services {
  readonly all: TouchList;
  readonly unknown: TouchList;
  readonly byName: Map<string, TouchList>;
}

function createServices(): Services {
  return { all: createList(), unknown: createList(), byName: new Map() };
}

function addToServices(
  { all, unknown, byName }: Services,
  service: string | undefined,
  n: number,
  from: Position,
): void {
  addTouch(all, n, from);
  if (service === undefined) {
    addTouch(unknown, n, from);
    return;
  }
  let list = byName.get(service);
  if (list === undefined) byName.set(service, (list = createList()));
  addTouch(list, n, from);
}

function listsOfService({ all, unknown, byName }: Services, service: string | undefined): readonly TouchList[] {
  if (service === undefined) return [all];
  const own = byName.get(service);
  return own === undefined ? [unknown] : [unknown, own];
}
