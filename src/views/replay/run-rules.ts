/** When a replay can be run, in the words of the palette, and the name it is made under. Called by `View.tsx` and `Changes.tsx`. */
import { nameToShown } from '../../core/base/shown-text.ts';

export interface RunState {
  readonly hasProgram: boolean;
  /** Of the run: while it is not read, no program is known of, and none is missing either. */
  readonly facts: { readonly isLoading: boolean; readonly problem: Error | null };
  readonly isRunning: boolean;
  readonly changes: number;
  /** Everything that was typed is a value. */
  readonly isUsable: boolean;
}

/** Undefined where it can. Verifying needs no change. */
export function whyNotVerify({
  hasProgram,
  facts,
  isRunning,
}: Pick<RunState, 'hasProgram' | 'facts' | 'isRunning'>): string | undefined {
  if (!hasProgram && facts.problem !== null) return 'the run could not be read';
  if (!hasProgram && facts.isLoading) return 'the run is being read';
  if (!hasProgram) return 'this trace has no control program';
  return isRunning ? 'a replay is running' : undefined;
}

export function whyNotReplay({ changes, isUsable, ...state }: RunState): string | undefined {
  const why = whyNotVerify(state);
  if (why !== undefined) return why;
  if (changes === 0) return 'nothing is changed';
  return isUsable ? undefined : 'something typed is not a value';
}

/** What is kept of a name that was typed, cut where it is too long; undefined where it is the one that is kept already. */
export function typedToPerson(typed: string, kept: string): string | undefined {
  const person = nameToShown(typed);
  return person === kept ? undefined : person;
}
