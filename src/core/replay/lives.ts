/**
 * Which life of the control process each event belongs to, in what order the lives were, and how each one resumed (mapping G).
 *
 * A life is one incarnation of one instance of one component: two workers may both call theirs "1". Order comes from recorded causes, never from a clock and never from the order of lines. Used by
 * the journal.
 */
import type { EventId, HindcastEvent } from '../model/index.ts';
import { dataOf } from './contents.ts';
import { eventToRow, isOwnIssue } from './event-roles.ts';
import { type NumberRanges, areRangesEqual, countInRanges, noNumbers, uniteRanges } from './number-ranges.ts';

export interface Life {
  readonly key: string;
  readonly events: readonly HindcastEvent[];
  readonly resume: 'none' | 'journal';
  /** Rules by which order or resume were inferred; empty when recorded. */
  readonly rules: readonly string[];
}

export interface Lives {
  readonly lives: readonly Life[];
  readonly ordered: boolean;
}

/** Without an incarnation nothing tells lives apart; such a stream has one. */
function lifeOf({ source }: HindcastEvent): string {
  if (source.incarnation === undefined) return '';
  return [source.component, source.instance ?? '', source.incarnation].join('\u0000');
}

function groupByLife(events: readonly HindcastEvent[]): ReadonlyMap<string, readonly HindcastEvent[]> {
  const groups = new Map<string, HindcastEvent[]>();
  for (const event of events) {
    const key = lifeOf(event);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  return groups;
}

/** `commands`: events of one run, segment and branch that say something about a command. */
export function computeLives(commands: readonly HindcastEvent[], all: readonly HindcastEvent[]): Lives {
  const groups = new Map<string, HindcastEvent[]>();
  const controlling = controlLives(commands);
  for (const event of commands) {
    const role = eventToRow(event)?.role;
    if (role !== 'issue' && role !== 'one' && !isOwnIssue(event)) continue;
    const key = lifeOf(event);
    if (controlling.size > 0 && !controlling.has(key)) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  addEndings(commands, groups);
  const keys = [...groups.keys()];
  const starts = groupByLife(all.filter((event) => event.type === 'worker.started'));
  const order = keys.length < 2 ? { keys, rule: undefined } : orderOf(keys, starts, commands, all);
  if (order === undefined) {
    const unordered = keys.map((key) => toLife(key, groups, undefined, starts.get(key) ?? [], []));
    return { lives: unordered, ordered: false };
  }
  const lives: Life[] = [];
  for (const key of order.keys) {
    const rules = order.rule === undefined ? [] : [order.rule];
    lives.push(toLife(key, groups, lives.at(-1), starts.get(key) ?? [], rules));
  }
  return { lives, ordered: true };
}

/** Only the process that runs control code counts positions; what another writes about a command is no life of control. */
function controlLives(commands: readonly HindcastEvent[]): ReadonlySet<string> {
  return new Set(commands.filter((event) => event.command?.issued !== undefined).map(lifeOf));
}

/** Endings follow the life of the issue they answer; one from another process carries no life of the control process. */
function addEndings(commands: readonly HindcastEvent[], groups: Map<string, HindcastEvent[]>): void {
  const lifeByIssue = new Map<EventId, string>();
  for (const [key, group] of groups) for (const event of group) lifeByIssue.set(event.id, key);
  let last = '';
  for (const key of groups.keys()) last = key;
  for (const event of commands) {
    const role = eventToRow(event)?.role;
    if (lifeByIssue.has(event.id)) continue;
    if (role !== 'ending' && (role === undefined || role === 'side' || groups.has(lifeOf(event)))) continue;
    const own = lifeOf(event);
    let key = groups.has(own) ? own : undefined;
    for (const cause of event.causes ?? []) if (cause.as === 'result_of') key ??= lifeByIssue.get(cause.event);
    groups.get(key ?? last)?.push(event);
  }
}

interface Order {
  readonly keys: readonly string[];
  readonly rule: string | undefined;
}

/** Total order of lives by what their start, else any of their events, is caused by. */
function orderOf(
  keys: readonly string[],
  starts: ReadonlyMap<string, readonly HindcastEvent[]>,
  commands: readonly HindcastEvent[],
  all: readonly HindcastEvent[],
): Order | undefined {
  const ancestry = createAncestry(new Set(keys), all);
  const byStart = sortByAncestors(keys, starts, ancestry);
  if (byStart !== undefined) return { keys: byStart, rule: undefined };
  const byCause = sortByAncestors(keys, groupByLife(commands), ancestry);
  return byCause === undefined ? undefined : { keys: byCause, rule: 'life-by-first-cause' };
}

function sortByAncestors(
  keys: readonly string[],
  seeds: ReadonlyMap<string, readonly HindcastEvent[]>,
  { numberOf, livesUpTo }: Ancestry,
): readonly string[] | undefined {
  const upTo = new Map<string, NumberRanges>();
  for (const key of keys) {
    const found = (seeds.get(key) ?? []).map(livesUpTo);
    upTo.set(key, found.reduce(uniteRanges, single(numberOf(key))));
  }
  const sizes = new Map([...upTo].map(([key, ranges]) => [key, countInRanges(ranges)]));
  const sorted = [...keys].sort((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0));
  // A chain: every life has exactly the ones in front of it as ancestors.
  let before = noNumbers;
  for (const key of sorted) {
    const own = upTo.get(key) ?? noNumbers;
    const grown = uniteRanges(before, single(numberOf(key)));
    if (grown === before || !areRangesEqual(grown, own)) return undefined;
    before = own;
  }
  return sorted;
}

function single(n: number): NumberRanges {
  return [n, n];
}

interface Ancestry {
  readonly numberOf: (life: string) => number;
  /** Numbers of the lives that an event and all its causes, direct and through others, belong to. */
  readonly livesUpTo: (event: HindcastEvent) => NumberRanges;
}

/**
 * Each event is looked at once, its causes first, so that lives are numbered about as they came and sets of them are a range. Causes that
 * go in a circle are no order: the one that closes it counts for nothing.
 */
function createAncestry(known: ReadonlySet<string>, all: readonly HindcastEvent[]): Ancestry {
  const eventsById = new Map<EventId, HindcastEvent>();
  for (const event of all) eventsById.set(event.id, event);
  const numbers = new Map<string, number>();
  const numberOf = (life: string): number => {
    const number = numbers.get(life) ?? numbers.size;
    numbers.set(life, number);
    return number;
  };
  const done = new Map<EventId, NumberRanges>();
  const open = new Set<EventId>();
  const toCauses = (event: HindcastEvent): readonly HindcastEvent[] =>
    (event.causes ?? []).flatMap((cause) => eventsById.get(cause.event) ?? []);
  const finish = (event: HindcastEvent): void => {
    const life = lifeOf(event);
    let ranges = noNumbers;
    for (const cause of toCauses(event)) ranges = uniteRanges(ranges, done.get(cause.id) ?? noNumbers);
    done.set(event.id, known.has(life) ? uniteRanges(ranges, single(numberOf(life))) : ranges);
  };
  return {
    numberOf,
    livesUpTo(seed) {
      const todo = [seed];
      for (let event = todo.at(-1); event !== undefined; event = todo.at(-1)) {
        const isFresh = !open.has(event.id);
        if (isFresh) {
          open.add(event.id);
          for (const cause of toCauses(event)) if (!open.has(cause.id)) todo.push(cause);
        } else {
          todo.pop();
          if (!done.has(event.id)) finish(event);
        }
      }
      return done.get(seed.id) ?? noNumbers;
    },
  };
}

function toLife(
  key: string,
  groups: ReadonlyMap<string, readonly HindcastEvent[]>,
  before: Life | undefined,
  starts: readonly HindcastEvent[],
  rules: readonly string[],
): Life {
  const events = groups.get(key) ?? [];
  for (const event of starts) {
    const resume = dataOf(event)['resume'];
    if (resume === 'none' || resume === 'journal') return { key, events, resume, rules };
  }
  if (before === undefined) return { key, events, resume: 'none', rules };
  const first = firstNewIssue(events);
  const resumes =
    events.some((event) => event.replayed === true) || (first !== undefined && first !== firstNewIssue(before.events));
  return { key, events, resume: resumes ? 'journal' : 'none', rules: [...rules, 'resume-guess'] };
}

function firstNewIssue(events: readonly HindcastEvent[]): string | undefined {
  return events.find((event) => eventToRow(event)?.role === 'issue' && event.replayed !== true)?.command?.path;
}
