/**
 * Lives of processes: which incarnation of which component wrote what, and how it ended as far as the records tell.
 *
 * Invariant: `killed` is true only where an exit by signal, or an injected kill, is recorded and joined to this life by a
 * recorded cause, a named incarnation or a process id; never because records stop. Used by the ledger, findings and headline.
 */
import type { EventEnvelope, EventId, EventOf, HindcastEvent } from '../../model/index.ts';
import { isService, lifeToText } from '../title-words.ts';
import { createLifeKeys, lifeKey, type LifeKeys } from './life-keys.ts';

export interface Life {
  readonly key: string;
  readonly component: string;
  readonly instance?: string | undefined;
  readonly incarnation?: string | undefined;
  /** 1 for the first life of the component in display order. */
  readonly ordinal: number;
  /** "worker 1", as titles call it; the component alone where it had one life. */
  readonly label: string;
  readonly started?: EventOf<'worker.started'> | undefined;
  readonly exited?: EventOf<'worker.exited'> | undefined;
  readonly injected?: EventOf<'fault.injected'> | undefined;
  /** Every record of its end, and of a fault that it met, in display order: one process ends once, and may be told of twice. */
  readonly exits: readonly EventOf<'worker.exited'>[];
  readonly injections: readonly EventOf<'fault.injected'>[];
  readonly killed: boolean;
}

interface Draft {
  readonly key: string;
  readonly component: string;
  readonly instance: string | undefined;
  readonly incarnation: string | undefined;
  started: EventOf<'worker.started'> | undefined;
  readonly exits: EventOf<'worker.exited'>[];
  readonly injections: EventOf<'fault.injected'>[];
  readonly pids: Set<number>;
}

export interface Lives {
  /** In display order of their first event among those given. */
  readonly all: readonly Life[];
  readonly byKey: ReadonlyMap<string, Life>;
  readonly of: (event: EventEnvelope) => Life | undefined;
}

export { lifeKey };

/**
 * `events`: at least those of families tool, effect and fault, in display order. `isOneTrial`: they are all of one trial, whose runs
 * share its processes.
 */
export function computeLives(events: readonly HindcastEvent[], isOneTrial = false): Lives {
  const keys = isOneTrial ? createLifeKeys([]) : createLifeKeys(events);
  const drafts = new Map<string, Draft>();
  const byId = new Map<EventId, HindcastEvent>();
  for (const event of events) {
    byId.set(event.id, event);
    addEvent(drafts, event, keys.keyOf(event));
  }
  const spawns = new Map<string, EventOf<'worker.spawned'>>();
  const unplaced: EventOf<'fault.injected'>[] = [];
  for (const event of events) {
    if (event.type === 'worker.spawned') spawns.set(`${keys.keyOf(event)}|${String(event.data['pid'])}`, event);
    if (event.type !== 'worker.exited' && event.type !== 'fault.injected') continue;
    if (event.type === 'fault.injected' && isNoKill(event)) continue;
    // The writer is another process than the one it tells of.
    const others = [...drafts].filter(([key]) => keys.isOfRun(key, event) && key !== keys.keyOf(event));
    const draft = targetOf(event, new Map(others), byId, spawns, keys);
    if (event.type === 'worker.exited') draft?.exits.push(event);
    else if (draft === undefined) unplaced.push(event);
    else draft.injections.push(event);
  }
  // A kill that names no process is about the one whose end names it.
  for (const event of unplaced)
    [...drafts.values()].find(({ exits }) => exits.some((exit) => isCause(exit, event.id)))?.injections.push(event);
  const all = draftsToLives([...drafts.values()]);
  const byKey = new Map(all.map((life) => [life.key, life]));
  return { all, byKey, of: (event) => byKey.get(keys.keyOf(event)) };
}

/** A fault of another class (a call that hangs, a credential that expired) ends no life. */
function isNoKill({ data }: EventOf<'fault.injected'>): boolean {
  const isNamed = data.class !== undefined && !/kill|crash|signal|abort|oom/i.test(data.class);
  return isNamed && data.signal === undefined && data.kill_point === undefined;
}

function addEvent(drafts: Map<string, Draft>, event: HindcastEvent, key: string): void {
  const { source } = event;
  let draft = drafts.get(key);
  if (draft === undefined) {
    draft = {
      key,
      component: source.component,
      instance: source.instance === undefined ? undefined : String(source.instance),
      incarnation: source.incarnation === undefined ? undefined : String(source.incarnation),
      started: undefined,
      exits: [],
      injections: [],
      pids: new Set(),
    };
    drafts.set(key, draft);
  }
  if (source.pid !== undefined) draft.pids.add(source.pid);
  if (event.type === 'worker.started') {
    draft.started ??= event;
    if (event.data.pid !== undefined) draft.pids.add(event.data.pid);
  }
}

/** The life an exit or a kill was about, among those of other processes than its writer. */
function targetOf(
  event: EventOf<'worker.exited'> | EventOf<'fault.injected'>,
  drafts: ReadonlyMap<string, Draft>,
  byId: ReadonlyMap<EventId, HindcastEvent>,
  spawns: ReadonlyMap<string, EventOf<'worker.spawned'>>,
  keys: LifeKeys,
): Draft | undefined {
  const isNamed = namedLife(event);
  if (isNamed === undefined) return byRecordedCause(event, drafts, byId, keys) ?? byPid(event, drafts, spawns, keys);
  const matches = [...drafts.values()].filter(isNamed);
  if (matches.length === 1) return matches[0];
  // A name that fits several lives, or none, leaves it to causes and process ids, which may not contradict it.
  const other = [byRecordedCause(event, drafts, byId, keys), byPid(event, drafts, spawns, keys)];
  return other.find((draft) => draft !== undefined && isNamed(draft));
}

/** Whether a life is the one that the record names, by every part of the name that is told; undefined where no life is named. */
function namedLife(event: HindcastEvent): ((draft: Draft) => boolean) | undefined {
  const isAbout = ['worker.exited', 'fault.injected', 'worker.spawned'].includes(event.type);
  const named: Readonly<Record<string, unknown>> | undefined = isAbout ? event.data : undefined;
  const worker: unknown = named?.['worker'];
  const told: unknown = typeof worker === 'object' && worker !== null ? worker : named;
  const incarnation = textField(told, 'incarnation');
  if (incarnation === undefined) return undefined;
  const component = textField(told, 'component');
  const instance = textField(told, 'instance');
  return (draft) =>
    draft.incarnation === incarnation &&
    (component === undefined || component === draft.component) &&
    (instance === undefined || instance === draft.instance);
}

function textField(value: unknown, field: string): string | undefined {
  const found = fieldOf(value, field);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
}

/**
 * Walks recorded causes up, through the writer's own records (spawned, armed) and through what a service told, to the first
 * record of the process that was struck; a spawn record leads down to the life that names it as its cause.
 */
function byRecordedCause(
  event: HindcastEvent,
  drafts: ReadonlyMap<string, Draft>,
  byId: ReadonlyMap<EventId, HindcastEvent>,
  keys: LifeKeys,
): Draft | undefined {
  const queue: EventId[] = (event.causes ?? []).map((cause) => cause.event);
  const seen = new Set<EventId>(queue);
  for (const id of queue) {
    const cause = byId.get(id);
    // What came before an end was about a life that is over.
    if (cause === undefined || cause.type === 'worker.exited') continue;
    if (cause.type === 'worker.spawned') {
      const spawned = [...drafts.values()].find((draft) => isCause(draft.started, id));
      if (spawned !== undefined) return spawned;
    }
    const isWitness = cause.source.component === event.source.component || /^(?:effect|fault)\./.test(cause.type);
    if (!isWitness) return drafts.get(keys.keyOf(cause));
    for (const next of cause.causes ?? []) {
      if (seen.has(next.event)) continue;
      seen.add(next.event);
      queue.push(next.event);
    }
  }
  return undefined;
}

function isCause(event: HindcastEvent | undefined, cause: EventId): boolean {
  return event?.causes?.some(({ event: id }) => id === cause) ?? false;
}

/**
 * A process id, and where several lives had it (each in a container of its own), or none says that it had it, the last start that the
 * same writer recorded before.
 */
function byPid(
  event: HindcastEvent,
  drafts: ReadonlyMap<string, Draft>,
  spawns: ReadonlyMap<string, EventOf<'worker.spawned'>>,
  keys: LifeKeys,
): Draft | undefined {
  const pid = event.type === 'worker.exited' || event.type === 'fault.injected' ? event.data['pid'] : undefined;
  if (typeof pid !== 'number') return undefined;
  const matches = [...drafts.values()].filter((draft) => draft.pids.has(pid));
  if (matches.length === 1) return matches[0];
  const spawned = spawns.get(`${keys.keyOf(event)}|${String(pid)}`);
  if (spawned === undefined) return undefined;
  const isNamed = namedLife(spawned);
  const started = (matches.length > 0 ? matches : [...drafts.values()]).filter(
    (draft) => isCause(draft.started, spawned.id) || isNamed?.(draft) === true,
  );
  return started.length === 1 ? started[0] : undefined;
}

function draftsToLives(drafts: readonly Draft[]): Life[] {
  const livesByComponent = new Map<string, number>();
  for (const { component } of drafts) livesByComponent.set(component, (livesByComponent.get(component) ?? 0) + 1);
  const names = recordedNames(drafts);
  const ordinals = new Map<string, number>();
  return drafts.map((draft) => {
    const ordinal = (ordinals.get(draft.component) ?? 0) + 1;
    ordinals.set(draft.component, ordinal);
    const several = (livesByComponent.get(draft.component) ?? 0) > 1;
    const { key, component, instance, incarnation, started, exits, injections } = draft;
    const [[exited], [injected]] = [exits, injections];
    return {
      key,
      component,
      instance,
      incarnation,
      ordinal,
      label: several ? `${component} ${names.get(component)?.(draft) ?? String(ordinal)}` : component,
      started,
      exited,
      injected,
      exits,
      injections,
      killed: typeof exited?.data.signal === 'string' || (exited === undefined && isKill(injected)),
    };
  });
}

type LifeName = (draft: Draft) => string | undefined;

/** Names that a life may go by, the shortest first. */
const lifeNames: readonly LifeName[] = [
  ({ incarnation }) => (incarnation === undefined ? undefined : lifeToText(incarnation)),
  ({ instance, incarnation }) =>
    instance === undefined || incarnation === undefined
      ? undefined
      : `${lifeToText(instance)}/${lifeToText(incarnation)}`,
];

/**
 * How the lives of a component are called beside it: all by their own incarnation, or all by instance and incarnation, where that
 * tells each from the others (R19). A component with neither has its lives counted, all of them: no count stands beside a name.
 */
function recordedNames(drafts: readonly Draft[]): ReadonlyMap<string, LifeName> {
  const byComponent = new Map<string, Draft[]>();
  for (const draft of drafts) {
    if (isService(draft.component)) continue;
    const list = byComponent.get(draft.component);
    if (list === undefined) byComponent.set(draft.component, [draft]);
    else list.push(draft);
  }
  const names = new Map<string, LifeName>();
  for (const [component, own] of byComponent) {
    const name = lifeNames.find((nameOf) => {
      const told = own.map(nameOf);
      return !told.includes(undefined) && new Set(told).size === own.length;
    });
    if (name !== undefined) names.set(component, name);
  }
  return names;
}

function isKill(injected: EventOf<'fault.injected'> | undefined): boolean {
  if (injected === undefined) return false;
  return injected.data.signal !== undefined || injected.data.class === 'kill' || injected.data.kill_point !== undefined;
}
