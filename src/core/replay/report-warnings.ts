/**
 * What was asked for and had no use: supplied values and edits that the branch never came to. Called by `report.ts`.
 *
 * Invariant: every one is told, a few by a sentence of their own, many by one sentence with their number and the first of them, so
 * that a long edit file does not bury what else is said.
 */
import type { CommandReport } from './report-types.ts';
import type { ResolvedEdits } from './resolve-edits.ts';

/** Most of one kind that are told one by one, and how many are named where there are more. */
const toldOneByOne = 3;

export function computeWarnings(edits: ResolvedEdits, commands: readonly CommandReport[]): readonly string[] {
  const issued = new Map(commands.map((c) => [c.path, c]));
  const supplies = [...edits.supplies.keys()];
  const isSuperseded = commands.some((c) => c.record === 'superseded');
  const edited = isSuperseded ? [] : [...edits.edits.keys()];
  return [
    ...tell(
      supplies.filter((path) => !issued.has(path)),
      (path) => `The supplied value for ${path} was not used: the branch never issued that command.`,
      (count, paths) => `${count} supplied values were not used, for the branch never issued their commands: ${paths}.`,
    ),
    ...tell(
      supplies.filter((path) => issued.get(path)?.status === 'reused'),
      (path) => `The supplied value for ${path} was not used: the recorded observation still holds.`,
      (count, paths) => `${count} supplied values were not used, for the recorded observations still hold: ${paths}.`,
    ),
    ...tell(
      edited.filter((path) => !issued.has(path)),
      (path) => `The edit of ${path} had no effect: the branch never issued that command.`,
      (count, paths) => `${count} edits had no effect, for the branch never issued their commands: ${paths}.`,
    ),
  ];
}

function tell(
  paths: readonly string[],
  one: (path: string) => string,
  many: (count: string, paths: string) => string,
): readonly string[] {
  if (paths.length <= toldOneByOne) return paths.map(one);
  const named = paths.slice(0, toldOneByOne).join(', ');
  return [many(String(paths.length), `${named} and ${String(paths.length - toldOneByOne)} more`)];
}
