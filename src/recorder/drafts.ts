/**
 * Commands of control code as events: which type issues and which ends, and what they say. Pure. Used by `recorder.ts`.
 */
import { type Json, type JsonRecord, digestOf, isRecord } from './canonical.ts';
import type { Asked, CommandKind } from './context.ts';
import type { EventDraft } from './event-log.ts';
import type { Observation } from './past.ts';

export function isPolicy({ kind, name }: Pick<Asked, 'kind' | 'name'>): boolean {
  return kind === 'read' && name.startsWith('policy:');
}

const issueTypes: Readonly<Record<CommandKind, string>> = {
  model: 'model_call.requested',
  read: 'tool_call.dispatched',
  write: 'tool_call.dispatched',
  timer: 'timer.started',
  signal: 'signal.awaited',
  child: 'agent.spawned',
};

const endTypes: Readonly<Record<CommandKind, Readonly<Record<Observation['kind'], string>>>> = {
  model: { ok: 'model_call.completed', err: 'model_call.failed', cancelled: 'model_call.cancelled' },
  read: { ok: 'tool_call.completed', err: 'tool_call.failed', cancelled: 'tool_call.cancelled' },
  write: { ok: 'tool_call.completed', err: 'tool_call.failed', cancelled: 'tool_call.cancelled' },
  timer: { ok: 'timer.fired', err: 'timer.cancelled', cancelled: 'timer.cancelled' },
  signal: { ok: 'signal.received', err: 'signal.cancelled', cancelled: 'signal.cancelled' },
  child: { ok: 'agent.joined', err: 'agent.joined', cancelled: 'agent.cancelled' },
};

export function isCommandKind(kind: string): kind is CommandKind {
  return kind in issueTypes;
}

export interface IssueFacts {
  readonly position: number;
  readonly attempt: number;
  readonly due: number | undefined;
  readonly causes: readonly JsonRecord[];
  readonly runsInside: boolean;
}

export function issueToDraft(asked: Asked, kind: CommandKind, facts: IssueFacts): EventDraft {
  const { reads, writes, idempotencyKey, args } = asked;
  return {
    type: issueTypes[kind],
    ...shared(asked, facts.causes),
    command: {
      path: asked.path,
      kind,
      name: asked.name,
      args: digestOf(args),
      attempt: facts.attempt,
      issued: facts.position,
      ...(reads === undefined ? {} : { reads: [...reads] }),
      ...(writes === undefined ? {} : { writes: [...writes] }),
    },
    data: {
      args,
      ...(kind === 'read' || kind === 'write'
        ? { tool: asked.name, effect: kind === 'write' ? 'external' : 'none' }
        : { name: asked.name }),
      ...(idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey }),
      ...(facts.due === undefined ? {} : { due: facts.due }),
      ...(facts.runsInside ? { child: { scope: asked.path } } : {}),
    },
  };
}

export interface EndFacts {
  readonly position: number;
  readonly vt: number;
  readonly attempt: number;
  readonly issueEvent: string | undefined;
  /** What the handler tells beside its value: usage, cost, the answer as it came. */
  readonly about: JsonRecord;
}

export function endToDraft(asked: Asked, kind: CommandKind, observation: Observation, facts: EndFacts): EventDraft {
  const { position, vt, attempt, issueEvent, about } = facts;
  return {
    type: endTypes[kind][observation.kind],
    ...shared(asked, issueEvent === undefined ? [] : [{ event: issueEvent, as: 'result_of' }]),
    command: { path: asked.path, kind, name: asked.name, attempt, delivered: position, vt },
    data: { ...about, ...observedData(kind, observation) },
  };
}

function observedData(kind: CommandKind, observation: Observation): JsonRecord {
  if (observation.kind === 'err') return { error: { ...observation.error } };
  if (observation.kind === 'cancelled' || kind === 'timer') return {};
  return kind === 'signal' ? { value: observation.value } : { result: observation.value };
}

/** What is recorded by one event, which takes one number for both: decisions, states, verdicts. */
export function oneEventToDraft(
  type: string,
  asked: Asked,
  facts: {
    readonly position: number;
    readonly vt: number;
    readonly args: Json;
    readonly causes: readonly JsonRecord[];
  },
  data: JsonRecord,
): EventDraft {
  const { position, vt, args } = facts;
  return {
    type,
    ...shared(asked, facts.causes),
    command: {
      path: asked.path,
      kind: asked.kind,
      name: asked.name,
      args: digestOf(args),
      issued: position,
      delivered: position,
      vt,
    },
    data,
  };
}

function shared(asked: Asked, causes: readonly JsonRecord[]): Pick<EventDraft, 'causes' | 'step' | 'agent'> {
  const agent = /.*\/child:([^#=/]+)/.exec(asked.scope)?.[1];
  return {
    ...(causes.length === 0 ? {} : { causes }),
    ...(asked.step === undefined ? {} : { step: asked.step }),
    ...(agent === undefined ? {} : { agent: decodeURIComponent(agent) }),
  };
}

/** What a policy tells control code: the verdict and, where there is one, a value. */
export function toVerdict(value: Json): JsonRecord {
  if (isRecord(value) && value['verdict'] !== undefined) {
    return { verdict: value['verdict'], ...(value['value'] === undefined ? {} : { value: value['value'] }) };
  }
  throw new TypeError('The handler of a policy gives {verdict, value?}.');
}
