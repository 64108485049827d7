/**
 * What was asked for and had no use: supplied values and edits that the branch never came to; and that another engine made the record.
 * Called by `report.ts`.
 *
 * Invariant: every one is told, a few by a sentence of their own, many by one sentence with their number and the first of them, so
 * that a long edit file does not bury what else is said.
 */
import type { JsonValue } from '../base/json.ts';
import { nameToShown } from '../base/shown-text.ts';
import { findRounded } from './edit-numbers.ts';
import type { PassObservation } from './pass-types.ts';
import type { CommandReport, RecordReport } from './report-types.ts';
import type { ResolvedEdits } from './resolve-edits.ts';
import type { RunInfo } from './run-info.ts';

/** Most of one kind that are told one by one, and how many are named where there are more. */
const toldOneByOne = 3;

export function computeWarnings(
  edits: ResolvedEdits,
  commands: readonly CommandReport[],
  records: readonly RecordReport[],
): readonly string[] {
  const issued = new Map(commands.map((c) => [c.path, c]));
  const supplies = [...edits.supplies.keys()];
  const unused = unusedEdits(edits, issued, records);
  return [
    ...computeRounded(edits),
    ...computeLaterAttempts(edits),
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
      unused.filter((path) => !issued.has(path)),
      (path) => `The edit of ${path} had no effect: the branch never issued that command.`,
      (count, paths) => `${count} edits had no effect, for the branch never issued their commands: ${paths}.`,
    ),
    ...tell(
      unused.filter((path) => issued.has(path)),
      (path) => `The edit of ${path} had no effect: the branch ended or stopped before that command was answered.`,
      (count, paths) =>
        `${count} edits had no effect, for the branch ended or stopped before their commands were answered: ${paths}.`,
    ),
  ];
}

/** An edit of a failed attempt is one of the command, whose later attempts would not have been (D8): nothing else says so. */
function computeLaterAttempts({ laterAttempts, edits }: ResolvedEdits): readonly string[] {
  return tell(
    laterAttempts,
    ({ entry, attempts }) => {
      const failure = edits.get(entry.path)?.target ?? entry.issueEvent;
      const [first] = attempts;
      const later =
        attempts.length === 1 && first !== undefined
          ? `The attempt after it, ${first.event}, is`
          : `The ${String(attempts.length)} attempts after it, from ${first?.event ?? failure}, are`;
      return `The edit replaces ${failure}, the failure of an attempt of ${entry.path}, by an answer. ${later} not on the branch; what came of that outside is listed under the effects that the world has and the branch does not. To change the last answer, edit ${entry.finalEvent ?? entry.path}.`;
    },
    (count, paths) =>
      `${count} edits replace the failures of attempts by answers; the attempts after them are not on the branch: ${paths}.`,
    ({ entry }) => entry.path,
  );
}

/** Numbers that the program does not get as they were written. */
function computeRounded({ edits, supplies, input }: ResolvedEdits): readonly string[] {
  const given = [
    ...(input === undefined ? [] : [{ where: 'the input', value: input }]),
    ...[...edits, ...supplies].map(([where, { observation }]) => ({ where, value: observationToValue(observation) })),
  ];
  const found = given.flatMap(({ where, value }) => findRounded(value).map((number) => ({ where, ...number })));
  const told = found
    .slice(0, toldOneByOne)
    .map(
      ({ where, written, received }) =>
        `The value for ${where} has the number ${nameToShown(written)}, which a program cannot hold exactly; it gets ${received}.`,
    );
  const more = found.length - told.length;
  return more === 0 ? told : [...told, `${String(more)} more numbers are rounded in the same way.`];
}

function observationToValue(observation: PassObservation): JsonValue {
  if (observation.kind === 'ok') return observation.value;
  return observation.kind === 'err' ? (observation.error.data ?? null) : null;
}

/** An edit is used where its record is superseded, wherever that was claimed, and where the changed command at its path takes it (M8). */
function unusedEdits(
  { edits }: ResolvedEdits,
  issued: ReadonlyMap<string, CommandReport>,
  records: readonly RecordReport[],
): readonly string[] {
  const superseded = new Set(records.filter(({ status }) => status === 'superseded').map(({ path }) => path));
  return [...edits.keys()].filter((path) => {
    const command = issued.get(path);
    return !superseded.has(path) && !(command?.status === 'changed' && command.outcome !== undefined);
  });
}

/** The engine is part of what ran; a record that names none was not made in a sandbox, or says nothing of it. */
export function computeEngineWarnings(infos: readonly RunInfo[], present: string): readonly string[] {
  const others = new Set(infos.flatMap(({ engineDigest }) => (engineDigest === present ? [] : (engineDigest ?? []))));
  return [...others].map(
    (other) =>
      `The run was recorded with another engine of the sandbox (${shorten(other)}) than it is replayed with (${shorten(present)}). What differs may come of that.`,
  );
}

/** The name of the algorithm and twelve digits: enough to tell engines apart. */
function shorten(digest: string): string {
  return digest.length > 19 ? `${digest.slice(0, 19)}…` : digest;
}

function tell<T = string>(
  items: readonly T[],
  one: (item: T) => string,
  many: (count: string, paths: string) => string,
  toPath: (item: T) => string = String,
): readonly string[] {
  if (items.length <= toldOneByOne) return items.map(one);
  const named = items.slice(0, toldOneByOne).map(toPath).join(', ');
  return [many(String(items.length), `${named} and ${String(items.length - toldOneByOne)} more`)];
}
