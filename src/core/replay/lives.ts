/**
 * Which life of the control process each event belongs to, in what order the lives were, and how each one resumed (mapping G).
 *
 * A life is one incarnation of one instance of one component: two workers may both call theirs "1". Order comes from recorded causes, never from a clock and never from the order of lines. Used by
 * the journal.
 */
import type { EventId, HindcastEvent } from '../model/index.ts';
import { dataOf } from './contents.ts';
import { eventToRow, isOwnIssue } from './event-roles.ts';

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
  const order = keys.length < 2 ? { keys, rule: undefined } : orderOf(keys, commands, all);
  if (order === undefined) return { lives: keys.map((key) => toLife(key, groups, undefined, all, [])), ordered: false };
  const lives: Life[] = [];
  for (const key of order.keys) {
    lives.push(toLife(key, groups, lives.at(-1), all, order.rule === undefined ? [] : [order.rule]));
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
  commands: readonly HindcastEvent[],
  all: readonly HindcastEvent[],
): Order | undefined {
  const eventsById = new Map<EventId, HindcastEvent>();
  for (const event of all) eventsById.set(event.id, event);
  const known = new Set(keys);
  const starts = all.filter((event) => event.type === 'worker.started' && known.has(lifeOf(event)));
  const byStart = sortByAncestors(keys, (key) => starts.filter((event) => lifeOf(event) === key), eventsById);
  if (byStart !== undefined) return { keys: byStart, rule: undefined };
  const byCause = sortByAncestors(keys, (key) => commands.filter((event) => lifeOf(event) === key), eventsById);
  return byCause === undefined ? undefined : { keys: byCause, rule: 'life-by-first-cause' };
}

function sortByAncestors(
  keys: readonly string[],
  seedsOf: (key: string) => readonly HindcastEvent[],
  eventsById: ReadonlyMap<EventId, HindcastEvent>,
): readonly string[] | undefined {
  const known = new Set(keys);
  const before = new Map<string, ReadonlySet<string>>();
  for (const key of keys) before.set(key, livesBefore(key, seedsOf(key), known, eventsById));
  const sorted = [...keys].sort((a, b) => (before.get(a)?.size ?? 0) - (before.get(b)?.size ?? 0));
  // A chain: every life has exactly the ones in front of it as ancestors.
  const isChain = sorted.every(
    (key, n) => before.get(key)?.size === n && sorted.slice(0, n).every((k) => before.get(key)?.has(k)),
  );
  return isChain ? sorted : undefined;
}

function livesBefore(
  key: string,
  seeds: readonly HindcastEvent[],
  known: ReadonlySet<string>,
  eventsById: ReadonlyMap<EventId, HindcastEvent>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<EventId>();
  const todo: HindcastEvent[] = [...seeds];
  for (let event = todo.pop(); event !== undefined; event = todo.pop()) {
    if (seen.has(event.id)) continue;
    seen.add(event.id);
    const life = lifeOf(event);
    if (life !== key && known.has(life)) found.add(life);
    for (const cause of event.causes ?? []) {
      const next = eventsById.get(cause.event);
      if (next !== undefined) todo.push(next);
    }
  }
  return found;
}

function toLife(
  key: string,
  groups: ReadonlyMap<string, readonly HindcastEvent[]>,
  before: Life | undefined,
  all: readonly HindcastEvent[],
  rules: readonly string[],
): Life {
  const events = groups.get(key) ?? [];
  for (const event of all) {
    if (event.type !== 'worker.started' || lifeOf(event) !== key) continue;
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
