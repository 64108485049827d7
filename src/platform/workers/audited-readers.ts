/**
 * The readers of opened traces, and what the rules found in them.
 *
 * Invariant: a question about structure never waits for the rules. On a long trace they take a pass over all bodies, so another worker
 * runs them (`audit.worker.ts`); until it has told, a reader answers as if nothing was found, and afterwards a new reader answers. Short
 * traces are judged at once, as part of the first question that needs it, and so is what only this worker holds: no other can open it.
 * Called by the library worker.
 */
import type { TraceReader } from '../../core/projections/trace-reader.ts';
import {
  type KeptAudit,
  type LibraryContext,
  readAudit,
  readBranchNames,
  saveAudit,
  type TraceId,
} from '../storage/index.ts';
import type { AuditState } from './library-methods.ts';
import type { OpenedTrace } from './open-traces.ts';

/** Events up to which the rules run here: less than it takes to start another worker. */
const judgedAtOnce = 20_000;

export type CreateReader = (
  opened: OpenedTrace,
  audited: (branch: string) => Pick<KeptAudit, 'findings'> | undefined,
) => TraceReader;

export interface AuditedReaders {
  /** The reader of an opened trace, with all that is known of it now. */
  readonly readerOf: (opened: OpenedTrace) => TraceReader;
  /** Where the findings of the branch are; `build` names the rules they must come from. */
  readonly isAudited: (opened: OpenedTrace, trace: TraceId, branch: string, build: string) => Promise<AuditState>;
  /** Whether answers are given with the findings of the branch. */
  readonly knows: (opened: OpenedTrace, branch: string) => boolean;
  /** Whether the rules of the trace are run by another worker. */
  readonly isLong: (opened: OpenedTrace) => boolean;
  /** What another worker found. */
  readonly keep: (
    opened: OpenedTrace,
    trace: TraceId,
    branch: string,
    build: string,
    audit: KeptAudit,
  ) => Promise<void>;
}

interface State {
  reader: TraceReader | undefined;
  readonly audits: Map<string, KeptAudit>;
}

export function createAuditedReaders(
  library: LibraryContext,
  createReader: CreateReader,
  limit = judgedAtOnce,
): AuditedReaders {
  /** A reader keeps what it computed, and goes with the opened trace. */
  const states = new WeakMap<OpenedTrace, State>();

  function stateOf(opened: OpenedTrace): State {
    const known = states.get(opened) ?? { reader: undefined, audits: new Map<string, KeptAudit>() };
    states.set(opened, known);
    return known;
  }

  function take(opened: OpenedTrace, branch: string, audit: KeptAudit): void {
    const state = stateOf(opened);
    state.audits.set(branch, audit);
    state.reader = undefined;
  }

  function isLong({ index, isHeld = false }: OpenedTrace): boolean {
    return !isHeld && index.count > limit;
  }

  async function keyOf(trace: TraceId, build: string): Promise<string> {
    return `${build} ${(await readBranchNames(library, trace)) ?? ''}`;
  }

  return {
    readerOf: (opened) => {
      const state = stateOf(opened);
      const missing = isLong(opened) ? notYet : undefined;
      state.reader ??= createReader(opened, (branch) => state.audits.get(branch) ?? missing);
      return state.reader;
    },
    isAudited: async (opened, trace, branch, build) => {
      if (!isLong(opened) || stateOf(opened).audits.has(branch)) return 'ready';
      const kept = await readAudit(library, trace, branch, await keyOf(trace, build));
      if (kept === undefined) return 'missing';
      const hasAnswered = stateOf(opened).reader !== undefined;
      take(opened, branch, kept);
      return hasAnswered ? 'late' : 'ready';
    },
    knows: (opened, branch) => !isLong(opened) || stateOf(opened).audits.has(branch),
    isLong,
    keep: async (opened, trace, branch, build, audit) => {
      take(opened, branch, audit);
      await saveAudit(library, trace, branch, await keyOf(trace, build), audit);
    },
  };
}

const notYet = { findings: [] } as const;
