/**
 * What is typed in the form that pins a golden case: kept above the tabs, so that a look at another one does not lose it.
 *
 * Invariant: a draft belongs to one branch of one trace; elsewhere the form is closed, unless the address asks for it.
 */
import { useState } from 'react';
import type { BranchId } from '../../core/model/index.ts';
import type { TraceId } from '../../data/index.ts';

export interface PinDraft {
  readonly name: string;
  readonly reason: string;
  /** Ids of what is chosen; undefined while nobody chose otherwise than proposed. */
  readonly chosen: ReadonlySet<string> | undefined;
  readonly absent: string;
  readonly exempt: string;
}

export const emptyPin: PinDraft = { name: '', reason: '', chosen: undefined, absent: '', exempt: '' };

export interface PinDrafts {
  /** Undefined while the form is closed. */
  readonly here: PinDraft | undefined;
  readonly set: (branch: BranchId, draft: PinDraft | undefined) => void;
}

/** `isAsked`: the address opens the form. */
export function usePinDraft(trace: TraceId, branch: BranchId, isAsked: boolean): PinDrafts {
  const [kept, setKept] = useState<{ readonly of: string; readonly draft: PinDraft }>();
  const keyOf = (to: BranchId): string => `${trace} ${to}`;
  return {
    here: kept?.of === keyOf(branch) ? kept.draft : isAsked ? emptyPin : undefined,
    set: (to, draft) => setKept(draft === undefined ? undefined : { of: keyOf(to), draft }),
  };
}
