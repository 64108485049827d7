/** What `hindcast compare` prints, and whether it found a difference. Called by `compare.ts`. */
import type { JsonValue } from '../core/base/json.ts';
import { type ComparedRow, type ComparedSides, type FirstDifference, textToPiece } from '../core/compare/index.ts';
import { runToText } from './choice.ts';
import { linesToText } from './output.ts';

export interface ComparedPlace {
  readonly file: string;
  readonly run: string | undefined;
  /** All runs of the file. */
  readonly runs: readonly string[];
  readonly branch: string;
}

/** Draws of time and chance alone make no difference: two recorded runs never have the same. Neither does the text of the program. */
export function areDifferent({ rows, states, equalInput, outcomes, contradictions }: ComparedSides): boolean {
  return (
    equalInput === false ||
    rows.some(({ status, kind }) => status !== 'same' && kind !== 'draw') ||
    states.some(({ isEqual }) => isEqual === false) ||
    outcomes.isEqual === false ||
    contradictions.here.length + contradictions.there.length > 0
  );
}

/** As core/compare says it of a side without an end. */
const noEnd = 'no end recorded';

export function compareToJson(compared: ComparedSides, here: ComparedPlace, there: ComparedPlace): object {
  const { rows, first, counts, drawsApart, equalInput, inputDifferences, equalProgram, programs, outcomes, states } =
    compared;
  const { effects, contradictions } = compared;
  return {
    here: placeToJson(here),
    there: placeToJson(there),
    isEqual: !areDifferent(compared),
    first: first ?? null,
    effects: effects ?? null,
    contradictions,
    counts,
    drawsApart,
    equalInput: equalInput ?? null,
    inputDifferences,
    equalProgram: equalProgram ?? null,
    programs,
    outcomes: { ...outcomes, isEqual: outcomes.isEqual ?? null },
    states: states.map((state) => ({ ...state, isEqual: state.isEqual ?? null })),
    rows: rows.filter(({ status }) => status !== 'same'),
  };
}

function placeToJson({ file, run, runs, branch }: ComparedPlace): object {
  return { file, run: run ?? null, branch, runs };
}

/** Rows and states named one by one; `--json` has all. */
const mostNamed = 20;

export function compareToText(compared: ComparedSides, here: ComparedPlace, there: ComparedPlace): string {
  const { first, rows, drawsApart, equalInput, equalProgram, programs, outcomes, states, effects } = compared;
  const lines = [placeToText('here ', here), placeToText('there', there), ''];
  lines.push(firstToSentence(first, areDifferent(compared)));
  for (const side of ['here', 'there'] as const) {
    const told = compared.contradictions[side];
    const lead = `${side.charAt(0).toUpperCase()}${side.slice(1)}: `;
    for (const { message } of told.slice(0, mostNamed)) lines.push(`${lead}${message}`);
    if (told.length > mostNamed) lines.push(`${lead}${told.length - mostNamed} more such records; --json has all.`);
  }
  if (effects?.here !== undefined) lines.push(`Here: ${effects.here}`);
  if (effects?.there !== undefined) lines.push(`There: ${effects.there}`);
  lines.push(equalInput === undefined ? 'Whether the inputs are equal is not recorded.' : inputToSentence(compared));
  if (equalProgram === true) lines.push(`Both ran the same program, ${programs.here}.`);
  else if (equalProgram === false) lines.push(`The programs differ: here ${programs.here}, there ${programs.there}.`);
  else lines.push('Whether they ran the same program is not recorded.');
  lines.push(
    outcomes.here === outcomes.there
      ? `Both ended alike: ${outcomes.here}${outcomes.here === noEnd ? '' : resultToText(outcomes.isEqual)}.`
      : `They ended differently: here ${outcomes.here}, there ${outcomes.there}.`,
  );
  if (drawsApart > 0) lines.push(`Draws of time and chance that differ: ${drawsApart}.`);
  lines.push('', countsToText(compared));
  const apart = rows.filter(({ status, kind }) => status !== 'same' && kind !== 'draw');
  for (const row of apart.slice(0, mostNamed)) lines.push(`  ${rowToText(row)}`);
  if (apart.length > mostNamed) lines.push(`  and ${apart.length - mostNamed} more; --json has all`);
  const statesApart = states.filter(({ isEqual }) => isEqual === false);
  for (const { name, differences } of statesApart.slice(0, mostNamed))
    lines.push(`  state ${name} ends differently${placesToText(differences)}`);
  if (statesApart.length > mostNamed) lines.push(`  and ${statesApart.length - mostNamed} more states`);
  return linesToText(lines);
}

function placeToText(side: string, { file, run, runs, branch }: ComparedPlace): string {
  const which = run === undefined ? 'no run' : `run ${runToText(run, { runs, isDefault: run === runs[0] })}`;
  return `${side}: ${file}, ${which}${branch === 'main' ? '' : `, branch ${branch}`}`;
}

function resultToText(isEqual: boolean | undefined): string {
  if (isEqual === undefined) return ', whether with the same result is not recorded';
  return isEqual ? '' : ', with different results';
}

function inputToSentence({ equalInput, inputDifferences }: ComparedSides): string {
  return equalInput === true
    ? 'Both began with the same input.'
    : `They began with different inputs${placesToText(inputDifferences)}.`;
}

function firstToSentence(first: FirstDifference | undefined, isApart: boolean): string {
  if (first === undefined) return isApart ? 'No command differs.' : 'They are the same.';
  const lead = isApart ? 'First difference: ' : 'They differ in draws of time and chance alone, first ';
  const { path, what, pointer, here, there, runtimeKey } = first;
  if (what === 'moved') return `${lead}${path} moved; there it stands at ${first.movedFrom ?? 'another place'}.`;
  if (what === 'only here' || what === 'only there') return `${lead}${path} is ${what}.`;
  if (what === 'not reached') return `${lead}${path} is not reached ${first.missing ?? 'yet'}: that side has no end.`;
  const at = pointer === undefined || pointer === '' ? '' : ` at ${pointer}`;
  const isRecorded = here !== undefined || there !== undefined;
  const values = isRecorded ? `: here ${valueToText(here, there)}, there ${valueToText(there, here)}` : '';
  const own = runtimeKey === undefined ? '' : ` from the program (${runtimeKey} the runtime sent one of its own)`;
  return `${lead}${path}, in its ${what}${at}${values}${own}.`;
}

const longestValue = 120;

function valueToText(value: JsonValue | undefined, other: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  return textToPiece(JSON.stringify(value), other === undefined ? '' : JSON.stringify(other), longestValue);
}

function countsToText({ counts }: ComparedSides): string {
  const told = Object.entries(counts).filter(([status, count]) => count > 0 || status === 'same');
  return `Commands: ${told.map(([status, count]) => `${count} ${status}`).join(', ')}.`;
}

function rowToText({ path, status, movedFrom, fields }: ComparedRow): string {
  const from = movedFrom === undefined ? '' : ` (there at ${movedFrom})`;
  const places = fields.map(({ of, differences }) => `${of}${placesToText(differences)}`).join('; ');
  return `${status} ${path}${from}${places === '' ? '' : `: ${places}`}`;
}

const mostPlaces = 5;

/** Places within a value; the value as a whole has none. */
function placesToText(differences: readonly { readonly pointer: string }[]): string {
  const places = differences.map(({ pointer }) => pointer).filter((pointer) => pointer !== '');
  if (places.length === 0) return '';
  const rest = places.length > mostPlaces ? ` and ${places.length - mostPlaces} more` : '';
  return ` at ${places.slice(0, mostPlaces).join(', ')}${rest}`;
}
