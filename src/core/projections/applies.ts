/**
 * Which fields an event of a type can have at all: what does not apply is left out, so that "not recorded" means a hole.
 *
 * Invariant: read from the type and from the event's own fields by the tables of the event model, never from what a producer
 * happens to write; of a type this version does not know, every field may apply. Used by the inspector's facts and the chain.
 */
import { type EventFamily, type HindcastEvent, eventFamily } from '../model/index.ts';

export type Field =
  | 'session'
  | 'step'
  | 'agent'
  | 'principal'
  | 'kind of principal'
  | 'on behalf of'
  | 'privileged path'
  | 'command'
  | 'attempt'
  | 'position of issue'
  | 'position of delivery'
  | 'digest of arguments'
  | 'place in a log'
  | 'where it was kept'
  | 'tool call'
  | 'effect';

/** What agents do; the rest is told by and about processes, runs, replays and streams. */
const work: ReadonlySet<EventFamily> = new Set<EventFamily>([
  'model',
  'tool',
  'effect',
  'state',
  'artifact',
  'observation',
  'governance',
  'handoff',
  'step',
  'unknown',
]);

/** Types that open a command, or are one whole. */
const issues: ReadonlySet<string> = new Set([
  'model_call.requested',
  'tool_call.dispatched',
  'env.read',
  'timer.started',
  'signal.awaited',
  'approval.requested',
  'agent.spawned',
  'state.transitioned',
  'decision.made',
]);
const draws: ReadonlySet<string> = new Set(['clock.read', 'random.drawn']);
/** Types that always tell what control code received. A failed attempt, or a signal that waits, was not delivered. */
const deliveries: ReadonlySet<string> = new Set([
  'model_call.completed',
  'tool_call.completed',
  'env.read',
  'timer.fired',
  'approval.granted',
  'approval.denied',
  'agent.joined',
  'state.transitioned',
  'decision.made',
]);
const commandFamilies: ReadonlySet<EventFamily> = new Set<EventFamily>(['model', 'tool', 'effect', 'observation']);
/** What opens or ends an attempt carries its number; what a service or the transport tells of it need not. */
const attempted = /^(?:model_call|tool_call)\.(?:requested|dispatched|completed|failed|timed_out|cancelled)$/;

export function fieldApplies(field: Field, event: HindcastEvent): boolean {
  const type: string = event.type;
  const family = eventFamily(type);
  switch (field) {
    case 'session':
      return work.has(family) || family === 'run';
    case 'step':
    case 'agent':
      return work.has(family);
    case 'principal':
      return work.has(family) || type === 'run.started' || type === 'replay.started' || family === 'note';
    case 'kind of principal':
      return event.principal !== undefined;
    case 'on behalf of':
      // A person who acts for themselves stands for nobody else.
      return event.principal !== undefined && event.principal.kind !== 'human';
    case 'privileged path':
      return type === 'access.exercised';
    case 'command':
      return isOfCommand(type, family);
    case 'attempt':
      return attempted.test(type);
    case 'position of issue':
      return issues.has(type) || draws.has(type);
    case 'position of delivery':
      return deliveries.has(type) || draws.has(type);
    case 'digest of arguments':
      return issues.has(type);
    case 'place in a log':
      // A replay writes its lines without times and outside the logs of processes.
      return event.replay === undefined;
    case 'where it was kept':
      return event.durable !== undefined && event.durable.status !== 'memory';
    case 'tool call':
      return family === 'tool' || family === 'effect';
    case 'effect':
      return family === 'effect' || (family === 'tool' && event.data?.['effect'] !== 'none' && isOutside(event));
  }
}

function isOfCommand(type: string, family: EventFamily): boolean {
  if (commandFamilies.has(family)) return true;
  return issues.has(type) || deliveries.has(type) || type === 'agent.cancelled' || family === 'unknown';
}

function isOutside(event: HindcastEvent): boolean {
  return event.command?.kind === undefined || event.command.kind === 'write' || event.data?.['effect'] === 'external';
}
