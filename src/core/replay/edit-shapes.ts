/**
 * Warnings about edited and supplied values that look like nothing control code is used to receive. Called by `replay.ts`.
 *
 * The rule is `shape.ts`, the one that editors apply while a person types; a file of edits has only this. Nothing is refused: to see
 * what control code does with a strange value is a use of a replay.
 */
import { type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { dataOf } from './contents.ts';
import type { JournalEntry } from './journal-types.ts';
import type { PassObservation } from './pass-types.ts';
import type { ReplayBase } from './replay-base.ts';
import type { CommandReport } from './report-types.ts';
import type { ResolvedEdits } from './resolve-edits.ts';
import { type ShapeCheck, checkAgainstSeen, checkShape, mostSeen, toolsToSchemas } from './shape.ts';
import { containsHole } from '../base/withheld.ts';

/** Values that are told one by one; a long edit file must not bury what else is said. */
const mostTold = 20;

export function computeShapeWarnings(
  base: ReplayBase,
  edits: ResolvedEdits,
  commands: readonly CommandReport[],
): readonly string[] {
  const out: string[] = [];
  const tell = (what: string, { basis, problems }: ShapeCheck): void => {
    if (problems.length > 0) out.push(`${what}: ${problems.join(' ')} Checked against ${basis}.`);
  };
  if (edits.input !== undefined) {
    const recorded = base.infos[0]?.input;
    if (recorded !== undefined && !containsHole(recorded))
      tell('The edited input', checkAgainstSeen(edits.input, [recorded], 'the input'));
  }
  if (edits.edits.size + edits.supplies.size === 0) return out;
  const record = createRecord(base);
  for (const [path, { observation }] of edits.edits) tell(`The edit of ${path}`, record.check(path, observation));
  const issued = new Map(commands.map((command) => [command.path, command]));
  for (const [path, { observation }] of edits.supplies) {
    const command = issued.get(path);
    // One that had no use is told as such by `report-warnings.ts`.
    if (command !== undefined && command.status !== 'reused')
      tell(`The supplied value for ${path}`, record.check(path, observation, command));
  }
  if (out.length <= mostTold) return out;
  const rest = out.length - mostTold;
  const more = `${String(rest)} more edited or supplied ${rest === 1 ? 'value does' : 'values do'} not fit what is recorded.`;
  return [...out.slice(0, mostTold), more];
}

/** What the base says about the values of its commands, read once. */
function createRecord({ visible, journals, contents }: ReplayBase) {
  const schemas = new Map(
    visible.flatMap((event) => (event.type === 'stream.declared' ? toolsToSchemas(dataOf(event)['tools']) : [])),
  );
  const alike = new Map<string, JournalEntry[]>();
  const keyOf = ({ kind, name }: { readonly kind: string; readonly name: string }): string => `${kind}\0${name}`;
  for (const journal of journals) {
    for (const entry of journal.entries) {
      const list = alike.get(keyOf(entry));
      if (list === undefined) alike.set(keyOf(entry), [entry]);
      else if (list.length < mostSeen) list.push(entry);
    }
  }

  function check(path: string, observation: PassObservation, issued?: CommandReport): ShapeCheck {
    const entry = journals.map((journal) => journal.entriesByPath.get(path)).find((one) => one !== undefined);
    const command = issued ?? entry;
    const value = observation.kind === 'ok' ? observation.value : undefined;
    const { kind, name } = command ?? { kind: '', name: path };
    return checkShape({
      name,
      value,
      choices: kind === 'decide' ? argsToChoices(entry?.args) : [],
      schema: kind === 'read' || kind === 'write' ? schemas.get(name) : undefined,
      seen: (alike.get(keyOf({ kind, name })) ?? []).flatMap(entryToValue),
    });
  }

  function entryToValue({ observation }: JournalEntry): readonly JsonValue[] {
    const value = observation.kind === 'ok' ? contents.resolve(observation.value) : undefined;
    return value === undefined ? [] : [value];
  }

  return { check };
}

function argsToChoices(args: JsonValue | undefined): readonly JsonValue[] {
  const list = args !== undefined && isJsonObject(args) ? args['alternatives'] : undefined;
  return isJsonArray(list) ? list : [];
}
