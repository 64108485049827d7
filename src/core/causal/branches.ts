/**
 * What each branch shows (SPEC G30 to G33): the frontier it inherits and its own events, never those of another.
 *
 * A frontier is stored as "what the parent shows, minus listed ids". Views of a branch are derived from that, never copied.
 */
import { type JsonValue, isJsonArray } from '../base/json.ts';
import { type BranchId, branchId, mainBranch } from '../model/index.ts';
import { type Bitset, addBit, copyBitset, createBitset, removeBit } from './bitset.ts';
import type { CausalIndex } from './causal-index.ts';
import { memberOf, payloadOf, textAt, textOf } from './payload.ts';
import type { EventSource } from './source.ts';

export interface BranchInfo {
  readonly id: BranchId;
  readonly parent?: BranchId | undefined;
  /** Position of `branch.created`; -1 for the original and for a branch without that record. */
  readonly created: number;
  /** Id the record names as the fork, whether or not the trace holds it. */
  readonly fork?: string | undefined;
  /** Ids of the parent's records that the branch does not inherit. */
  readonly minus: readonly string[];
}

export interface Branches {
  /** The original first, then in the order of their ids. */
  readonly list: readonly BranchInfo[];
  readonly find: (branch: BranchId) => BranchInfo | undefined;
  /** Inherited and own events of a branch; an unknown branch shows nothing. */
  readonly visible: (branch: BranchId) => Bitset;
  readonly frontier: (branch: BranchId) => Bitset;
  /** `visible` and `frontier` for one event after another: no set is made for it, so that any number of branches can be asked. */
  readonly shows: (branch: BranchId, position: number) => boolean;
  readonly inherits: (branch: BranchId, position: number) => boolean;
  /** What the branch does not inherit, as its record lists it: records of its own run (G6). */
  readonly leftOut: (branch: BranchId) => readonly number[];
  /** Position of the event the branch forks at; -1 where it names none, or none that is here. */
  readonly forkOf: (branch: BranchId) => number;
  /** Branches whose line of parents leads back to themselves. */
  readonly circular: readonly BranchId[];
}

/** Deepest line of parents that is followed (replay 3.12). */
const depthLimit = 64;

/** Sets of visible events that are kept: those of the branches looked at last, with their parents. */
const keptSets = 2 * depthLimit;

export function createBranches(index: CausalIndex, source: EventSource): Branches {
  const infos = readBranches(index, source);
  const own = computeOwn(index);
  const cache = new Map<BranchId, Bitset>();
  const circular = new Set<BranchId>();

  /** Parents from the original down to the branch itself; cut where the line is circular or too deep. */
  function lineOf(branch: BranchId): BranchInfo[] {
    const line: BranchInfo[] = [];
    const seen = new Set<BranchId>();
    for (
      let at = infos.get(branch);
      at !== undefined;
      at = at.parent === undefined ? undefined : infos.get(at.parent)
    ) {
      if (seen.has(at.id) || line.length >= depthLimit) {
        circular.add(branch);
        break;
      }
      seen.add(at.id);
      line.unshift(at);
    }
    return line;
  }

  function frontier(branch: BranchId): Bitset {
    const parent = infos.get(branch)?.parent;
    if (parent === undefined || circular.has(branch)) return createBitset(index.count);
    const inherited = copyBitset(visible(parent));
    for (const position of positionsLeftOut(infos.get(branch))) removeBit(inherited, position);
    return inherited;
  }

  const keptLeftOut = new Map<BranchId, ReadonlySet<number>>();

  function leavesOut(info: BranchInfo, position: number): boolean {
    if (info.minus.length === 0) return false;
    const known = keptLeftOut.get(info.id) ?? new Set(positionsLeftOut(info));
    keptLeftOut.set(info.id, known);
    return known.has(position);
  }

  /** An id that another run uses too means the records of the branch's own run. */
  function positionsLeftOut(info: BranchInfo | undefined): readonly number[] {
    return info === undefined ? [] : info.minus.flatMap((id) => index.allNamed(info.created, id));
  }

  /** Up the line of parents to the branch that the event is of, as long as nobody on the way leaves it out. */
  function shows(branch: BranchId, position: number): boolean {
    const of = index.branch(position);
    if (!infos.has(branch)) return false;
    if (circular.has(branch)) return of === branch;
    for (
      let at = infos.get(branch);
      at !== undefined;
      at = at.parent === undefined ? undefined : infos.get(at.parent)
    ) {
      if (at.id === of) return true;
      if (leavesOut(at, position)) return false;
    }
    return false;
  }

  function inherits(branch: BranchId, position: number): boolean {
    const info = infos.get(branch);
    if (info?.parent === undefined || circular.has(branch)) return false;
    return shows(info.parent, position) && !leavesOut(info, position);
  }

  function visible(branch: BranchId): Bitset {
    const known = cache.get(branch);
    if (known !== undefined) return known;
    let set = createBitset(index.count);
    // A circular line inherits nothing: what it would show depends on where one starts.
    const line = lineOf(branch);
    for (const info of circular.has(branch) ? line.slice(-1) : line) {
      set = cache.get(info.id) ?? withOwn(info, set);
      cache.delete(info.id);
      cache.set(info.id, set);
    }
    for (const oldest of cache.keys()) {
      if (cache.size <= keptSets) break;
      cache.delete(oldest);
    }
    return set;
  }

  function withOwn(info: BranchInfo, inherited: Bitset): Bitset {
    const set = copyBitset(inherited);
    for (const position of positionsLeftOut(info)) removeBit(set, position);
    for (const position of own.get(info.id) ?? []) addBit(set, position);
    return set;
  }

  for (const branch of infos.keys()) lineOf(branch);
  const list = [...infos.values()].sort((a, b) => compareBranches(a.id, b.id));
  return {
    list,
    find: (branch) => infos.get(branch),
    visible,
    frontier,
    shows,
    inherits,
    leftOut: (branch) => positionsLeftOut(infos.get(branch)),
    forkOf: (branch) => {
      const info = infos.get(branch);
      return info?.fork === undefined ? -1 : index.named(info.created, info.fork);
    },
    circular: [...circular],
  };
}

function compareBranches(a: BranchId, b: BranchId): number {
  if (a === mainBranch || b === mainBranch) return a === mainBranch ? -1 : 1;
  return a < b ? -1 : 1;
}

function computeOwn(index: CausalIndex): ReadonlyMap<BranchId, number[]> {
  const own = new Map<BranchId, number[]>();
  for (let i = 0; i < index.count; i++) {
    const branch = index.branch(i);
    const list = own.get(branch);
    if (list === undefined) own.set(branch, [i]);
    else list.push(i);
  }
  return own;
}

function readBranches(index: CausalIndex, source: EventSource): ReadonlyMap<BranchId, BranchInfo> {
  const infos = new Map<BranchId, BranchInfo>([[mainBranch, { id: mainBranch, created: -1, minus: [] }]]);
  for (const position of index.ofType('branch.created')) {
    const data = payloadOf(source.at(position));
    const id = index.branch(position);
    const parent = textAt(data, 'parent');
    // The first record of a branch says what it is; a second one is a problem, not a change. The original has no parent.
    if (infos.has(id)) continue;
    infos.set(id, {
      id,
      created: position,
      minus: readMinus(memberOf(data, 'frontier')),
      ...(parent === undefined ? {} : { parent: branchId(parent) }),
      ...toFork(textAt(data, 'fork') ?? textAt(data, 'fork', 'event')),
    });
  }
  for (const log of index.columns.logs) {
    const id = branchId(log.branch);
    if (!infos.has(id)) infos.set(id, { id, created: -1, minus: [] });
  }
  return infos;
}

function toFork(fork: string | undefined): { readonly fork?: string } {
  return fork === undefined ? {} : { fork };
}

/** The frontier is the parent minus ids: `{"base": parent, "minus": [ids]}`. */
function readMinus(frontier: JsonValue | undefined): readonly string[] {
  const list = memberOf(frontier, 'minus');
  return isJsonArray(list) ? list.map(textOf).filter((id) => id !== undefined) : [];
}
