/**
 * Which answers of other runs are answers to what the branch asks now.
 *
 * Invariant: an answer is offered only to the very question it was searched for: the command of the same path that still asks with the
 * same arguments. After another replay the same path may ask something else. Called by `Pending.tsx` and `Reuse.tsx`.
 */
import type { CommandReport } from '../../core/replay/report-types.ts';
import type { AnswerAsk, AnswersFound, FoundAnswer } from '../../data/index.ts';

type Asked = AnswerAsk['commands'][number];

/** What can be asked of other runs: model calls and reads. Effects, timers and signals happened there, and not here. */
export function listAsked(open: readonly CommandReport[]): readonly Asked[] {
  return open.flatMap(({ path, kind, name, argsDigest, status }) =>
    (kind !== 'model' && kind !== 'read') || argsDigest === undefined || status === 'uncertain'
      ? []
      : [{ path, kind, name, args: argsDigest }],
  );
}

/** By path, in the order of the questions. */
export function answersToStanding(
  { commands }: Pick<AnswerAsk, 'commands'>,
  { byPath }: Pick<AnswersFound, 'byPath'>,
  asked: readonly Asked[],
): ReadonlyMap<string, readonly FoundAnswer[]> {
  const keyOf = ({ path, kind, name, args }: Asked): string => JSON.stringify([path, kind, name, args]);
  const searched = new Set(commands.map(keyOf));
  return new Map(
    asked.flatMap((one) => {
      const found = searched.has(keyOf(one)) ? (byPath[one.path] ?? []) : [];
      return found.length === 0 ? [] : [[one.path, found] as const];
    }),
  );
}
