/**
 * Tuples of what hardly changes from one event to the next (log, run, session, agent, clock), so that an event pays four bytes for all
 * of them. Called by the builder, once an event: nothing is allocated for a tuple that is known.
 */
import type { HindcastEvent } from '../model/index.ts';
import { createColumn, ints } from './column.ts';
import type { IndexColumns, LogInfo } from './columns.ts';
import { createNames } from './symbols.ts';

type Tables = Pick<IndexColumns, 'runs' | 'sessions' | 'agents' | 'clocks' | 'branches' | 'logs' | 'contexts'>;

export interface Contexts {
  readonly intern: (event: HindcastEvent) => number;
  /** Number of the run of a context. */
  readonly run: (context: number) => number;
  readonly toTables: () => Tables;
}

export function createContexts(from: IndexColumns | undefined): Contexts {
  const names = {
    runs: createNames(from?.runs),
    sessions: createNames(from?.sessions),
    agents: createNames(from?.agents),
    clocks: createNames(from?.clocks),
    branches: createNames(from?.branches),
  };
  const logs = createLogs(from?.logs ?? [], (branch) => names.branches.intern(branch));
  const table = {
    log: createColumn(ints, from?.contexts.log),
    run: createColumn(ints, from?.contexts.run),
    session: createColumn(ints, from?.contexts.session),
    agent: createColumn(ints, from?.contexts.agent),
    clock: createColumn(ints, from?.contexts.clock),
  };
  // Open addressing over the table itself: number of a context, -1 where free.
  let slots = new Int32Array(64).fill(-1);

  function slotOf(log: number, run: number, session: number, agent: number, clock: number): number {
    let hash = Math.imul(log, 0x9e3779b1) ^ Math.imul(run, 0x85ebca6b) ^ Math.imul(session, 0xc2b2ae35);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ Math.imul(agent, 0x297a2d39) ^ clock;
    const mask = slots.length - 1;
    let slot = (hash ^ (hash >>> 13)) & mask;
    for (let at = slots[slot] ?? -1; at >= 0; at = slots[slot] ?? -1) {
      const isSame =
        table.log.get(at) === log &&
        table.run.get(at) === run &&
        table.session.get(at) === session &&
        table.agent.get(at) === agent &&
        table.clock.get(at) === clock;
      if (isSame) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  function place(at: number): void {
    const slot = slotOf(
      table.log.get(at),
      table.run.get(at),
      table.session.get(at),
      table.agent.get(at),
      table.clock.get(at),
    );
    if ((slots[slot] ?? -1) < 0) slots[slot] = at;
  }

  function rehash(): void {
    slots = new Int32Array(slots.length * 2).fill(-1);
    for (let at = 0; at < table.log.length(); at++) place(at);
  }

  while (table.log.length() * 2 >= slots.length) slots = new Int32Array(slots.length * 2).fill(-1);
  for (let at = 0; at < table.log.length(); at++) place(at);

  return {
    intern: (event) => {
      const log = logs.intern(event);
      const run = names.runs.intern(event.run);
      const session = names.sessions.intern(event.session);
      const agent = names.agents.intern(event.agent);
      const clock = names.clocks.intern(event.clock);
      const slot = slotOf(log, run, session, agent, clock);
      const known = slots[slot] ?? -1;
      if (known >= 0) return known;
      const number = table.log.length();
      slots[slot] = number;
      table.log.push(log);
      table.run.push(run);
      table.session.push(session);
      table.agent.push(agent);
      table.clock.push(clock);
      if (number * 2 >= slots.length) rehash();
      return number;
    },
    run: (context) => table.run.get(context),
    toTables: () => ({
      runs: names.runs.toArray(),
      sessions: names.sessions.toArray(),
      agents: names.agents.toArray(),
      clocks: names.clocks.toArray(),
      branches: names.branches.toArray(),
      logs: logs.list.slice(),
      contexts: {
        log: table.log.toArray(),
        run: table.run.toArray(),
        session: table.session.toArray(),
        agent: table.agent.toArray(),
        clock: table.clock.toArray(),
      },
    }),
  };
}

/** One part of what names a log, leading to the next. */
interface Level {
  readonly next: Map<string | undefined, Level>;
  log: number;
}

function createLogs(from: readonly LogInfo[], addBranch: (branch: string) => void) {
  const logs: LogInfo[] = [];
  const root: Level = { next: new Map(), log: -1 };

  function below(level: Level, part: string | undefined): Level {
    const known = level.next.get(part);
    if (known !== undefined) return known;
    const made: Level = { next: new Map(), log: -1 };
    level.next.set(part, made);
    return made;
  }

  function levelOf({ component, instance, incarnation, branch }: LogInfo): Level {
    return below(below(below(below(root, component), instance), incarnation), branch);
  }

  function add(log: LogInfo): number {
    levelOf(log).log = logs.length;
    logs.push(log);
    return logs.length - 1;
  }

  for (const log of from) add(log);

  return {
    list: logs,
    intern: ({ source, branch }: HindcastEvent): number => {
      const instance = partToText(source.instance);
      const incarnation = partToText(source.incarnation);
      const level = below(below(below(below(root, source.component), instance), incarnation), branch);
      if (level.log >= 0) return level.log;
      addBranch(branch);
      return add({
        component: source.component,
        ...(instance === undefined ? {} : { instance }),
        ...(incarnation === undefined ? {} : { incarnation }),
        branch,
      });
    },
  };
}

/** `1` and `"1"` are one (SPEC G7). */
function partToText(part: string | number | undefined): string | undefined {
  return typeof part === 'number' ? String(part) : part;
}
