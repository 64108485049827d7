/** What the head of a result says besides the verdict: effects no replay takes back, and answers that fit nothing recorded. */
import type { ReplayReport } from '../../data/index.ts';
import { countOf } from '../../ui/format.ts';

type Orphan = ReplayReport['orphanEffects'][number];

/**
 * What the world has and the branch did not ask for as recorded. `waiting` are the paths at which the branch waits: such a command was
 * reached, and only its answer is not known.
 */
export function orphansToSentence(orphans: readonly Orphan[], waiting: ReadonlySet<string>, hasEnded: boolean): string {
  const atWait = orphans.filter(({ path }) => waiting.has(path));
  const others = orphans.filter(({ path }) => !waiting.has(path));
  const names = (list: readonly Orphan[]): readonly string[] => list.flatMap(orphanToNames);
  const parts = [
    ...(atWait.length === 0
      ? []
      : [
          `The world has ${names(atWait).join(', ')}, recorded of ${[...new Set(atWait.map(({ name }) => name))].join(', ')}: the branch asks for that otherwise, and waits there.`,
        ]),
    ...(others.length === 0
      ? []
      : [
          `The world has ${names(others).join(', ')}, and the branch ${hasEnded ? 'does not ask for' : 'has not reached'} ${names(others).length === 1 ? 'it' : 'them'}.`,
        ]),
    'No replay takes that back.',
  ];
  return parts.join(' ');
}

function orphanToNames({ name, effects }: Orphan): readonly string[] {
  return effects.map(({ kind, id }) => `${kind ?? name}${id === undefined ? '' : ` ${id}`}`);
}

/** The engine warns of each such answer (`core/replay/edit-shapes.ts`); here they are counted where the verdict is read. */
export function misfitsToSentence(
  { warnings }: Pick<ReplayReport, 'warnings'>,
  supply: readonly { readonly path: string }[],
): string | undefined {
  const paths = supply
    .map(({ path }) => path)
    .filter((path) => warnings.some((warning) => warning.startsWith(`The supplied value for ${path}: `)));
  if (paths.length === 0) return undefined;
  return `${countOf(paths.length, 'supplied answer does', 'supplied answers do')} not fit what is recorded of such answers: ${paths.join(', ')}. Why stands under “Assumed”.`;
}
