/**
 * Where the ledger of a trial has holes: records of a service that are missing from its log, that other records name, or that nobody
 * can read the meaning of.
 *
 * Invariant: a commitment that may stand in a hole is none that did not happen: what that service executed is not known. Records that
 * were never numbered have no hole. The verdicts of producers are no records of a ledger, and their numbers count as missing: so nothing
 * is judged otherwise when they are taken away. Called by group.ts with the records of the trial, and read by outcome.ts and validity.ts.
 */
import { nameToShown } from '../base/shown-text.ts';
import { startOfEndDigits } from '../base/text-end.ts';
import { type HindcastEvent, isKnownEventType } from '../model/index.ts';
import { actingComponents, isOfLedger, streamKey } from './services.ts';
import { isVerdictType } from './trial-records.ts';

export interface LedgerGap {
  /** A hole in a log; a record that others name; a record of a type that is not known. */
  readonly kind: 'hole' | 'named' | 'unknown type';
  /** Whose records are missing; undefined where nothing tells. */
  readonly component: string | undefined;
  /** The command whose answer names what is missing. */
  readonly path: string | undefined;
  readonly text: string;
  readonly events: readonly string[];
  /** Of a hole: how many numbers are missing, and verdicts of producers that stand under all of them. */
  readonly missing?: number | undefined;
  readonly verdicts?: readonly string[] | undefined;
}

/** A record of a service under one run, and the one run that has the request it names. */
export interface Homeless {
  readonly event: HindcastEvent;
  readonly asked: string;
  readonly run: HindcastEvent['run'];
}

/**
 * Records of services under one run that name a cause which no record of that run is: of whose request they tell is for the cause to say.
 * Where several runs have a record of that name, they number alike, and it says nothing.
 */
export function findHomeless(everything: () => Iterable<HindcastEvent>): readonly Homeless[] {
  const runsById = new Map<string, Set<HindcastEvent['run']>>();
  const told: HindcastEvent[] = [];
  for (const event of everything()) {
    const known = runsById.get(event.id);
    if (known === undefined) runsById.set(event.id, new Set([event.run]));
    else known.add(event.run);
    if (isOfLedger(event) && event.causes !== undefined) told.push(event);
  }
  const found = told.flatMap((event) =>
    (event.causes ?? []).flatMap(({ event: asked }): readonly Homeless[] => {
      const [run, ...more] = runsById.get(asked) ?? [];
      return run === undefined || more.length > 0 || run === event.run ? [] : [{ event, asked, run }];
    }),
  );
  return found.length === 0 ? [] : withoutOwnWords(found, everything());
}

/** What a component that acts in the run it wrote under says of effects is its own word. */
function withoutOwnWords(found: readonly Homeless[], everything: Iterable<HindcastEvent>): readonly Homeless[] {
  const events = new Map<string, HindcastEvent[]>(found.map(({ event }) => [event.run, []]));
  for (const event of everything) events.get(event.run)?.push(event);
  const acting = new Map([...events].map(([run, own]) => [run, actingComponents(own)]));
  return found.filter(({ event }) => acting.get(event.run)?.has(event.source.component) !== true);
}

/** `everything`: the records of all opened traces, of other runs too; `homeless`: those of `findHomeless`. */
export function computeGaps(
  own: readonly HindcastEvent[],
  everything: () => Iterable<HindcastEvent>,
  homeless: readonly Homeless[] = [],
): readonly LedgerGap[] {
  const acting = actingComponents(own);
  const services = new Map<string, HindcastEvent[]>();
  const told: HindcastEvent[] = [];
  const rest: HindcastEvent[] = [];
  for (const event of own) (isVerdictType(event.type) ? told : rest).push(event);
  for (const event of rest) {
    if (isOfLedger(event) && !acting.has(event.source.component)) services.set(streamKey(event), []);
  }
  for (const event of rest) services.get(streamKey(event))?.push(event);
  return [
    ...[...services].flatMap(([key, events]) =>
      findHoles(
        key,
        events,
        told.filter((event) => streamKey(event) === key),
        everything,
      ),
    ),
    ...findNamed(rest, told, services, everything),
    ...findElsewhere(
      own,
      homeless.filter(({ event }) => !acting.has(event.source.component)),
    ),
    ...[...services.values()].flatMap(findUnknown),
  ];
}

interface Numbered {
  readonly seq: number;
  readonly id: string;
}

function numbersOf(events: readonly HindcastEvent[]): readonly Numbered[] {
  const numbers = events.flatMap(({ seq, id }) => (seq === undefined ? [] : [{ seq, id: String(id) }]));
  return numbers.sort((a, b) => a.seq - b.seq);
}

/** Between the first record and the last that the trial has of a log: what stands there of other runs is no hole. */
function findHoles(
  key: string,
  events: readonly HindcastEvent[],
  told: readonly HindcastEvent[],
  everything: () => Iterable<HindcastEvent>,
): readonly LedgerGap[] {
  const numbers = numbersOf(events);
  if (holesIn(numbers).length === 0) return [];
  const component = events[0]?.source.component;
  const verdicts = numbersOf(told);
  return holesIn([...numbers, ...othersOf(key, events, numbers, everything)].sort((a, b) => a.seq - b.seq))
    .filter(([before, after]) => before.seq >= (numbers[0]?.seq ?? 0) && after.seq <= (numbers.at(-1)?.seq ?? 0))
    .map(([before, after]) => {
      const missing = after.seq - before.seq - 1;
      const inside = verdicts.filter(({ seq }) => seq > before.seq && seq < after.seq).map(({ id }) => id);
      const isTold = inside.length === missing;
      const text = holeToText(nameToShown(component ?? ''), before, after, isTold ? inside : []);
      const hole = { kind: 'hole', component, path: undefined, text, events: [before.id, after.id], missing } as const;
      return isTold ? { ...hole, verdicts: inside } : hole;
    });
}

function holeToText(log: string, before: Numbered, after: Numbered, verdicts: readonly string[]): string {
  if (verdicts.length > 0)
    return `in the log of ${log} only ${verdicts.map((id) => `"${id}"`).join(', ')} ${verdicts.length === 1 ? 'stands' : 'stand'} between "${before.id}" and "${after.id}", and a verdict of a producer counts as a record that is not there`;
  const [first, last] = [before.seq + 1, after.seq - 1];
  const which = first === last ? `Record ${first} is` : `Records ${first} to ${last} are`;
  return `${which} missing from the log of ${log}, between "${before.id}" and "${after.id}"`;
}

function holesIn(numbers: readonly Numbered[]): readonly (readonly [before: Numbered, after: Numbered])[] {
  return numbers.flatMap((after, at) => {
    const before = numbers[at - 1];
    return before !== undefined && after.seq - before.seq > 1 ? [[before, after] as const] : [];
  });
}

/** Of other runs in the same log. Whoever uses a number of this trial again writes another log under its name. */
function othersOf(
  key: string,
  events: readonly HindcastEvent[],
  numbers: readonly Numbered[],
  everything: () => Iterable<HindcastEvent>,
): readonly Numbered[] {
  const runs = new Set(events.map(({ run }) => run));
  const used = new Set(numbers.map(({ seq }) => seq));
  const others = new Map<string, HindcastEvent[]>();
  for (const event of everything()) {
    if (runs.has(event.run) || streamKey(event) !== key || isVerdictType(event.type)) continue;
    const list = others.get(event.run);
    if (list === undefined) others.set(event.run, [event]);
    else list.push(event);
  }
  return [...others.values()]
    .map(numbersOf)
    .filter((list) => !list.some(({ seq }) => used.has(seq)))
    .flat();
}

/** Causes that are in no opened trace. The verdicts of producers decide nothing here either. */
function findNamed(
  own: readonly HindcastEvent[],
  told: readonly HindcastEvent[],
  services: ReadonlyMap<string, readonly HindcastEvent[]>,
  everything: () => Iterable<HindcastEvent>,
): readonly LedgerGap[] {
  const known = new Set<string>([...own, ...told].map(({ id }) => id));
  const missing = new Map<string, HindcastEvent>();
  for (const event of own) {
    for (const { event: id } of event.causes ?? []) if (!known.has(id) && !missing.has(id)) missing.set(id, event);
  }
  if (missing.size === 0) return [];
  for (const { id } of everything()) missing.delete(id);
  const components = new Map<string, string>();
  for (const [first] of services.values())
    if (first !== undefined) components.set(logOf(first.id), first.source.component);
  for (const { id, source } of own) if (!components.has(logOf(id))) components.set(logOf(id), source.component);
  return [...missing].map(([id, namer]) => ({
    kind: 'named',
    // A name without a number is of no log.
    component: logOf(id) === '' ? undefined : components.get(logOf(id)),
    path: namer.command?.path,
    text: `"${namer.id}" names "${id}" as a cause, which is not in what was opened`,
    events: [String(namer.id)],
  }));
}

/** Told under another run, of a request of this trial: it may be an execution of it. */
function findElsewhere(own: readonly HindcastEvent[], homeless: readonly Homeless[]): readonly LedgerGap[] {
  const runs = new Set(own.map(({ run }) => run));
  const mine = homeless.filter(({ event, run }) => runs.has(run) && !runs.has(event.run));
  if (mine.length === 0) return [];
  const byId = new Map(own.map((event) => [String(event.id), event]));
  return mine.flatMap(({ event: { id, run, source }, asked }): readonly LedgerGap[] => {
    const request = byId.get(asked);
    if (request === undefined) return [];
    const text = `"${id}" of ${nameToShown(source.component)} stands under run ${nameToShown(run)} and names "${request.id}" of this trial as its cause`;
    const path = request.command?.path;
    return [{ kind: 'named', component: source.component, path, text, events: [String(id), String(request.id)] }];
  });
}

/** Ids are mostly the name of a log and a number. */
function logOf(id: string): string {
  const start = startOfEndDigits(id);
  if (start === id.length) return '';
  return id.slice(0, start > 0 && !/[a-zA-Z]/.test(id.charAt(start - 1)) ? start - 1 : start);
}

function findUnknown(events: readonly HindcastEvent[]): readonly LedgerGap[] {
  return events
    .filter(({ type }) => !isKnownEventType(type))
    .map(({ id, type, source }) => ({
      kind: 'unknown type',
      component: source.component,
      path: undefined,
      text: `"${id}" of ${nameToShown(source.component)} is of the unknown type ${nameToShown(type)}, and may tell of an effect`,
      events: [String(id)],
    }));
}

/** Gaps in which an execution of this command may stand. */
export function gapsOf(
  gaps: readonly LedgerGap[],
  { path, service }: { readonly path: string; readonly service: string | undefined },
): readonly LedgerGap[] {
  return gaps.filter((gap) => {
    if (gap.component === undefined) return gap.path === undefined || gap.path === path;
    return service === undefined || gap.component === service;
  });
}

const mostTold = 3;

export function gapsToText(gaps: readonly LedgerGap[]): string {
  const more = gaps.length - mostTold;
  const told = gaps.slice(0, mostTold).map(({ text }) => text);
  return `${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
