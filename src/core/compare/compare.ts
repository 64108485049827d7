/**
 * Aligns the commands of two sides and says of each whether it is the same, moved, changed, only here, only there or not reached, and in
 * which fields.
 *
 * Invariants: every command of either side is in exactly one row; equality is that of the engine (digests of arguments and outcomes), never of
 * texts; nothing is run. Called by the page's worker.
 */
import { createTable } from '../base/table.ts';
import type { JsonValue } from '../base/json.ts';
import { type Result, ok } from '../base/result.ts';
import { type EventId, type HindcastEvent, digest } from '../model/index.ts';
import {
  type Journal,
  type JournalEntry,
  type ProgramInfo,
  type ReplayBase,
  type RunOutcome,
  comparePositions,
  entryToKey,
  entryToRuntimeKey,
  outcomeDigest,
  programDigest,
  programToText,
  readBase,
} from '../replay/index.ts';
import { type JsonDifference, computeJsonDifferences } from '../replay/json-diff.ts';
import { containsHole } from '../base/withheld.ts';
import { type Contradiction, type Contradictions, createContradictions } from './contradictions.ts';
import { type ComparedEffects, compareEffects } from './effects.ts';
import { pairEntries } from './pair.ts';

export interface CompareSide {
  readonly events: readonly HindcastEvent[];
  /** By default the first run of the stream. */
  readonly run?: string | undefined;
  readonly branch: string;
}

/** The words of core/replay/change-words.ts; `only here` and `only there` are what is inserted and removed between two equals. */
export type ComparedStatus = 'changed' | 'moved' | 'same' | 'only here' | 'only there' | 'not reached';

export interface ComparedCall {
  /** Its last record, else the one that asked for it. */
  readonly event: EventId;
  readonly args?: JsonValue;
  /** What control code received; an error as `{error}`. */
  readonly value?: JsonValue;
  /** How it ended where there is no value: open, uncertain, cancelled, not recorded. */
  readonly ending?: string;
}

export interface ComparedField {
  /** A key is told where one side has none: between two runs keys differ as their inputs do. */
  readonly of: 'arguments' | 'idempotency key' | 'value';
  /** `recorded` is there, `now` is here. Empty where only digests differ. */
  readonly differences: readonly JsonDifference[];
  /** The side whose program gave no key, and whose runtime sent one of its own. */
  readonly runtimeKey?: 'here' | 'there';
}

export interface ComparedRow {
  readonly path: string;
  /** Where it stands there, when that is another place. */
  readonly movedFrom?: string;
  readonly kind: string;
  readonly name: string;
  readonly status: ComparedStatus;
  readonly here: ComparedCall | undefined;
  readonly there: ComparedCall | undefined;
  readonly fields: readonly ComparedField[];
}

export interface FirstDifference {
  readonly path: string;
  readonly what: 'arguments' | 'idempotency key' | 'value' | 'moved' | 'only here' | 'only there' | 'not reached';
  readonly movedFrom?: string;
  /** Which side has not come to it. */
  readonly missing?: 'here' | 'there';
  /** RFC 6901, within the arguments or the value; absent where only digests differ. */
  readonly pointer?: string;
  readonly here?: JsonValue;
  readonly there?: JsonValue;
  readonly runtimeKey?: 'here' | 'there';
}

export interface ComparedState {
  readonly name: string;
  /** Events of the last versions. */
  readonly here: EventId | undefined;
  readonly there: EventId | undefined;
  /** Undefined: both have it, and the value of one is not recorded. */
  readonly isEqual: boolean | undefined;
  readonly differences: readonly JsonDifference[];
}

export interface ComparedSides {
  readonly rows: readonly ComparedRow[];
  readonly counts: Readonly<Record<ComparedStatus, number>>;
  /** Draws of time and chance that differ; they differ between any two runs and are no first difference where there is another. */
  readonly drawsApart: number;
  readonly first: FirstDifference | undefined;
  readonly states: readonly ComparedState[];
  /** What became of an effect, or of a process, on one side alone. */
  readonly effects: ComparedEffects | undefined;
  /** Records of either side whose values are not what their digests say: neither tells what was so. */
  readonly contradictions: { readonly here: readonly Contradiction[]; readonly there: readonly Contradiction[] };
  /** Undefined: not recorded on one side. */
  readonly equalInput: boolean | undefined;
  readonly inputDifferences: readonly JsonDifference[];
  readonly equalProgram: boolean | undefined;
  readonly programs: { readonly here: string; readonly there: string };
  /** `isEqual` undefined: both ended in one way or have no end, and the record does not say whether with one result. */
  readonly outcomes: { readonly here: string; readonly there: string; readonly isEqual: boolean | undefined };
}

export function compareSides(here: CompareSide, there: CompareSide): Result<ComparedSides, string> {
  const a = readBase(here.events, here.run, here.branch);
  if (!a.ok) return a;
  const b = readBase(there.events, there.run, there.branch);
  if (!b.ok) return b;
  const mine = baseToLine(a.value);
  const theirs = baseToLine(b.value);
  const doubts = createContradictions();
  const rows = alignRows(mine, theirs, doubts);
  const counts = { changed: 0, moved: 0, same: 0, 'only here': 0, 'only there': 0, 'not reached': 0 };
  for (const { status } of rows) counts[status] += 1;
  const isApart = ({ status }: ComparedRow): boolean => status !== 'same';
  return ok({
    rows,
    counts,
    drawsApart: rows.filter((row) => isApart(row) && row.kind === 'draw').length,
    first: findFirst(rows, mine, theirs),
    states: compareStates(mine, theirs, doubts),
    effects: compareEffects({ ...a.value, events: here.events }, { ...b.value, events: there.events }),
    ...compareStarts(a.value, b.value),
    outcomes: compareOutcomes(a.value, b.value),
    contradictions: { here: doubts.of(mine.entries, a.value.infos), there: doubts.of(theirs.entries, b.value.infos) },
  });
}

interface Line {
  readonly base: ReplayBase;
  /** In order of issue, over all segments. */
  readonly entries: readonly JournalEntry[];
  readonly byPath: ReadonlyMap<string, JournalEntry>;
  /** What is not there will not come any more. */
  readonly hasEnded: boolean;
  /** When each was asked and answered, as numbers that grow. */
  readonly issued: ReadonlyMap<string, number>;
  readonly delivered: ReadonlyMap<string, number>;
}

function baseToLine(base: ReplayBase): Line {
  const entries: JournalEntry[] = [];
  const issued = new Map<string, number>();
  const delivered = new Map<string, number>();
  let moment = 0;
  for (const journal of base.journals) {
    for (const entry of journal.entries) entries.push(entry);
    for (const { path, isDelivery } of journalToMoments(journal)) (isDelivery ? delivered : issued).set(path, moment++);
  }
  const hasEnded = base.infos.at(-1)?.outcome !== undefined;
  return { base, entries, byPath: new Map(entries.map((entry) => [entry.path, entry])), hasEnded, issued, delivered };
}

/** Issues and deliveries of one segment in order; without positions the order of the journal stands. */
function journalToMoments({ entries }: Journal): readonly { readonly path: string; readonly isDelivery: boolean }[] {
  const moments = entries.flatMap(({ path, issued, delivered }) => [
    { path, isDelivery: false, at: issued },
    ...(delivered === undefined ? [] : [{ path, isDelivery: true, at: delivered }]),
  ]);
  return moments.sort((a, b) => (a.at === undefined || b.at === undefined ? 0 : comparePositions(a.at, b.at)));
}

/** In the order of the first side; what only the second has stands behind what it follows there. */
function alignRows(here: Line, there: Line, doubts: Contradictions): readonly ComparedRow[] {
  const pairs = pairEntries(here, there);
  const paired = new Set([...pairs.values()].map(({ path }) => path));
  const behind = new Map<string, JournalEntry[]>();
  let last = '';
  const placeOf = new Map([...pairs].map(([path, entry]) => [entry.path, path]));
  for (const entry of there.entries) {
    if (paired.has(entry.path)) last = placeOf.get(entry.path) ?? last;
    else {
      const list = behind.get(last);
      if (list === undefined) behind.set(last, [entry]);
      else list.push(entry);
    }
  }
  const rows: ComparedRow[] = [];
  const addBehind = (path: string): void => {
    for (const entry of behind.get(path) ?? []) rows.push(toRow({ here, there, doubts }, undefined, entry));
  };
  addBehind('');
  for (const entry of here.entries) {
    rows.push(toRow({ here, there, doubts }, entry, pairs.get(entry.path)));
    addBehind(entry.path);
  }
  return rows;
}

interface Lines {
  readonly here: Line;
  readonly there: Line;
  readonly doubts: Contradictions;
}

function toRow(
  { here, there, doubts }: Lines,
  mine: JournalEntry | undefined,
  theirs: JournalEntry | undefined,
): ComparedRow {
  const { path, kind, name } = mine ?? theirs ?? { path: '', kind: '', name: '' };
  const left = mine === undefined ? undefined : toCall(mine, here);
  const right = theirs === undefined ? undefined : toCall(theirs, there);
  if (mine === undefined || theirs === undefined) {
    const isReached = mine === undefined ? here.hasEnded : there.hasEnded;
    const status = !isReached ? 'not reached' : mine === undefined ? 'only there' : 'only here';
    return { path, kind, name, status, here: left, there: right, fields: [] };
  }
  const place = theirs.path === path ? { path } : { path, movedFrom: theirs.path };
  const fields: ComparedField[] = [];
  if (!hasEqualArgs(mine, theirs) || doubts.isEither(mine, theirs))
    fields.push({ of: 'arguments', differences: diff(right?.args, left?.args) });
  const [keyHere, keyThere] = [entryToKey(mine), entryToKey(theirs)];
  if ((keyHere === undefined) !== (keyThere === undefined)) {
    const own = entryToRuntimeKey(keyHere === undefined ? mine : theirs);
    const whose = own === undefined ? {} : ({ runtimeKey: keyHere === undefined ? 'here' : 'there' } as const);
    fields.push({ of: 'idempotency key', differences: diff(keyThere, keyHere), ...whose });
  }
  // The value of a state is its argument.
  if (kind !== 'state' && outcomeDigest(mine.observation) !== outcomeDigest(theirs.observation))
    fields.push({ of: 'value', differences: diff(right?.value, left?.value) });
  if (fields.length > 0) return { ...place, kind, name, status: 'changed', here: left, there: right, fields };
  const status = theirs.path === path ? 'same' : 'moved';
  // What is the same need not be carried twice; its records can be opened.
  return { ...place, kind, name, status, here: eventOf(left), there: eventOf(right), fields };
}

function eventOf(call: ComparedCall | undefined): ComparedCall | undefined {
  return call === undefined ? undefined : { event: call.event };
}

function diff(before: JsonValue | undefined, now: JsonValue | undefined): readonly JsonDifference[] {
  if (before === undefined && now === undefined) return [];
  if (before === undefined || now === undefined)
    return [
      { pointer: '', ...(before === undefined ? {} : { recorded: before }), ...(now === undefined ? {} : { now }) },
    ];
  return computeJsonDifferences(before, now);
}

/** By digest where both have one; a state by the digest of what it came to. */
function hasEqualArgs(a: JournalEntry, b: JournalEntry): boolean {
  // One that is not recorded says nothing.
  return (a.kind === 'state' ? areSame(stateDigest(a), stateDigest(b)) : areSame(a.argsDigest, b.argsDigest)) !== false;
}

/** Whether two digests are one; undefined where one is not recorded. */
function areSame(a: string | undefined, b: string | undefined): boolean | undefined {
  return a === undefined || b === undefined ? undefined : a === b;
}

function stateDigest({ transition, argsDigest }: JournalEntry): string | undefined {
  return transition?.digest ?? argsDigest;
}

const endings: Readonly<Record<string, string>> = createTable({
  open: 'no answer recorded',
  uncertain: 'sent, and nothing says whether it was executed',
  cancelled: 'cancelled',
  'value-not-recorded': 'answered, its value is not recorded',
});

function toCall({ finalEvent, issueEvent, args, observation }: JournalEntry, { base }: Line): ComparedCall {
  const asked = args === undefined ? undefined : (base.contents.resolve(args) ?? args);
  const value =
    observation.kind === 'ok'
      ? (base.contents.resolve(observation.value) ?? observation.value)
      : observation.kind === 'err'
        ? { error: { ...observation.error } }
        : undefined;
  const ending = endings[observation.kind];
  return {
    event: finalEvent ?? issueEvent,
    ...(asked === undefined ? {} : { args: asked }),
    ...(value === undefined ? {} : { value }),
    ...(ending === undefined ? {} : { ending }),
  };
}

/** What was never received here differs behind all that was, in the order in which it was received there. */
const never = 2 ** 40;

/**
 * By when control code asked or was answered here; what only there has, by what it follows there. What was merely not reached, and what time
 * or chance drew, is the first difference only where there is no other.
 */
function findFirst(rows: readonly ComparedRow[], here: Line, there: Line): FirstDifference | undefined {
  let best: { readonly at: number; readonly row: ComparedRow; readonly rank: number } | undefined;
  let last = -1;
  for (const row of rows) {
    const { path, status } = row;
    const issued = row.here === undefined ? undefined : here.issued.get(path);
    if (issued !== undefined) last = Math.max(last, issued);
    if (status === 'same') continue;
    const isAnswerOnly = row.fields.length > 0 && row.fields.every(({ of }) => of === 'value');
    const answered = here.delivered.get(path) ?? never + (there.delivered.get(path) ?? 0);
    const at = row.here === undefined ? last + 0.5 : isAnswerOnly ? answered : (issued ?? last);
    const rank = row.kind === 'draw' ? 2 : status === 'not reached' ? 1 : 0;
    if (best === undefined || rank < best.rank || (rank === best.rank && at < best.at)) best = { at, row, rank };
  }
  return best === undefined ? undefined : rowToFirst(best.row);
}

function rowToFirst({ path, status, fields, here, movedFrom }: ComparedRow): FirstDifference {
  if (status === 'only here' || status === 'only there') return { path, what: status };
  if (status === 'not reached') return { path, what: status, missing: here === undefined ? 'here' : 'there' };
  if (status === 'moved') return { path, what: status, ...(movedFrom === undefined ? {} : { movedFrom }) };
  const [field] = fields;
  const [difference] = field?.differences ?? [];
  return {
    path,
    what: field?.of ?? 'value',
    ...(difference === undefined ? {} : { pointer: difference.pointer }),
    ...(difference?.now === undefined ? {} : { here: difference.now }),
    ...(difference?.recorded === undefined ? {} : { there: difference.recorded }),
    ...(field?.runtimeKey === undefined ? {} : { runtimeKey: field.runtimeKey }),
  };
}

function compareStates(here: Line, there: Line, doubts: Contradictions): readonly ComparedState[] {
  const mine = lastStates(here);
  const theirs = lastStates(there);
  return [...new Set([...mine.keys(), ...theirs.keys()])].map((name) => {
    const a = mine.get(name);
    const b = theirs.get(name);
    const areBoth = a !== undefined && b !== undefined;
    const isEqual = areBoth && (doubts.isEither(a, b) ? false : areSame(stateDigest(a), stateDigest(b)));
    return {
      name,
      here: a?.issueEvent,
      there: b?.issueEvent,
      isEqual,
      differences: isEqual !== false ? [] : diff(valueOf(b, there), valueOf(a, here)),
    };
  });
}

function lastStates({ entries }: Line): ReadonlyMap<string, JournalEntry> {
  return new Map(entries.flatMap((entry) => (entry.kind === 'state' ? [[entry.name, entry] as const] : [])));
}

function valueOf(entry: JournalEntry | undefined, { base }: Line): JsonValue | undefined {
  return entry?.args === undefined ? undefined : (base.contents.resolve(entry.args) ?? entry.args);
}

function compareStarts(
  a: ReplayBase,
  b: ReplayBase,
): Pick<ComparedSides, 'equalInput' | 'inputDifferences' | 'equalProgram' | 'programs'> {
  const [mine] = a.infos;
  const [theirs] = b.infos;
  const equalInput = areSame(recordedInput(a), recordedInput(b));
  return {
    equalInput,
    inputDifferences: equalInput === false ? diff(theirs?.input, mine?.input) : [],
    equalProgram: areSame(digestOfProgram(mine?.program), digestOfProgram(theirs?.program)),
    programs: { here: nameOf(mine?.program), there: nameOf(theirs?.program) },
  };
}

/** Digest of what the first segment began with; undefined where that is not recorded, or withheld. */
function recordedInput({ infos: [info], visible }: ReplayBase): string | undefined {
  const start = visible.find(({ id }) => id === info?.event);
  const input = start?.type === 'run.started' ? start.data.input : undefined;
  return input === undefined || containsHole(input) ? undefined : info?.inputDigest;
}

/** Of the text that is there, where its recorded digest is that of another. */
function digestOfProgram(program: ProgramInfo | undefined): string | undefined {
  const { isOther, source, digest: recorded } = program ?? {};
  return isOther === true && source !== undefined ? programDigest(source) : recorded;
}

/** With the digest: a program that was changed keeps its name and version. */
function nameOf(program: ProgramInfo | undefined): string {
  return program === undefined ? 'not recorded' : programToText(program);
}

function compareOutcomes(a: ReplayBase, b: ReplayBase): ComparedSides['outcomes'] {
  const mine = a.infos.at(-1)?.outcome;
  const theirs = b.infos.at(-1)?.outcome;
  return {
    here: mine?.kind ?? 'no end recorded',
    there: theirs?.kind ?? 'no end recorded',
    isEqual: mine?.kind === theirs?.kind && areSame(digestOfOutcome(mine), digestOfOutcome(theirs)),
  };
}

function digestOfOutcome(outcome: RunOutcome | undefined): string | undefined {
  if (outcome?.isOther !== true) return outcome?.digest;
  const value =
    outcome.kind === 'completed'
      ? outcome.value
      : outcome.kind === 'rolled-over'
        ? outcome.carried
        : { ...outcome.error };
  return value === undefined ? outcome.digest : digest(value);
}
