/**
 * Everything about one event: record, neighbours, identity and persistence with their basis, and what a person may edit.
 *
 * Every fact that the model knows is listed, recorded or not: an absent one says "not recorded".
 */
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { type CausalEdge, memberOf, textAt } from '../causal/index.ts';
import { type EventId, type HindcastEvent, eventToLine } from '../model/index.ts';
import { computeChain } from './chain.ts';
import { type EventMarks, positionToRow } from './rows.ts';
import type { Fact, Finding, Inspection, Neighbour } from './trace-reader.ts';
import { type TraceView, resolvedMember } from './trace-view.ts';

/** Most effects listed; `effectsTotal` counts all. */
const neighboursShown = 200;

export interface InspectInput {
  readonly view: TraceView;
  readonly marks: EventMarks;
  readonly findings: readonly Finding[];
  readonly flushOf: (component: string) => string | undefined;
}

export function inspectEvent({ view, marks, findings, flushOf }: InspectInput, id: EventId): Inspection | undefined {
  const position = view.index.find(id);
  if (!view.holds(position)) return undefined;
  const event = view.event(position);
  const effects = view.effectsOf(position);
  const editable = editableOf(view, position, event);
  return {
    row: positionToRow(view, marks, position),
    event: eventToJson(event),
    raw: view.source.line(position),
    causes: view.causesOf(position).map((edge) => neighbour(view, marks, edge, edge.from)),
    effects: effects
      .toSorted((a, b) => view.rowOf(a.to) - view.rowOf(b.to))
      .slice(0, neighboursShown)
      .map((edge) => neighbour(view, marks, edge, edge.to)),
    effectsTotal: effects.length,
    identity: identityOf(event),
    persistence: persistenceOf(event, flushOf(event.source.component)),
    findings: findings.filter(({ evidence }) => evidence.includes(id)),
    chain: computeChain(view, position),
    ...(editable === undefined ? findEditableCause(view, marks, position) : { editable }),
  };
}

function neighbour(view: TraceView, marks: EventMarks, edge: CausalEdge, other: number): Neighbour {
  const { as, grade, rule } = edge;
  return { row: positionToRow(view, marks, other), as, grade, ...(rule === undefined ? {} : { rule }) };
}

/** The event as recorded JSON: what its line holds, in the model's own form. */
function eventToJson(event: HindcastEvent): JsonValue {
  const parsed = parseLossless(eventToLine(event));
  return parsed.ok ? parsed.value : {};
}

function fact(name: string, value: string | number | boolean | undefined): Fact {
  return value === undefined ? { name, basis: 'not recorded' } : { name, value: String(value), basis: 'recorded' };
}

function identityOf(event: HindcastEvent): readonly Fact[] {
  const { source, principal, command } = event;
  const data: JsonObject = isJsonObject(event.data) ? event.data : {};
  return [
    fact('id', event.id),
    fact('run', event.run),
    fact('branch', event.branch),
    fact('session', event.session),
    fact('step', event.step),
    fact('span', event.span),
    fact('agent', event.agent),
    fact('principal', principal?.id),
    fact('kind of principal', principal?.kind),
    fact('on behalf of', principal?.on_behalf_of),
    fact('privileged path', principal?.privileged_path),
    fact('component', source.component),
    fact('instance', source.instance),
    fact('incarnation', source.incarnation),
    fact('software version', source.version),
    fact('command', command?.path),
    ...(command === undefined ? [] : commandFacts(command)),
    ...(textAt(data, 'idempotency_key') === undefined
      ? []
      : [fact('idempotency key', textAt(data, 'idempotency_key'))]),
    ...(textAt(data, 'call_id') === undefined ? [] : [fact('call id', textAt(data, 'call_id'))]),
    ...(event.branch === 'main' ? [] : branchFacts(event)),
    ...(event.imported === undefined ? [] : importFacts(event.imported)),
  ];
}

function commandFacts(command: NonNullable<HindcastEvent['command']>): readonly Fact[] {
  return [
    fact('identity of the command', command.identity ?? 'native'),
    ...(command.alias === undefined ? [] : [fact("engine's own number", command.alias)]),
    fact('attempt', command.attempt),
    fact('position of issue', command.issued),
    fact('position of delivery', command.delivered),
    fact('digest of arguments', command.args),
  ];
}

function branchFacts(event: HindcastEvent): readonly Fact[] {
  return [fact('replay operation', event.replay), fact('origin', event.origin), fact('supersedes', event.supersedes)];
}

function importFacts(imported: NonNullable<HindcastEvent['imported']>): readonly Fact[] {
  return [fact('imported from', imported.format), fact('file', imported.file), fact('line', imported.line)];
}

function persistenceOf(event: HindcastEvent, flush: string | undefined): readonly Fact[] {
  return [
    fact('persistence', event.durable?.status),
    fact('where', event.durable?.where),
    fact('number in log', event.seq),
    flush === undefined
      ? fact('flush policy of producer', undefined)
      : { name: 'flush policy of producer', value: flush, basis: 'derived' },
    fact('time', event.time),
    fact('clock', event.clock),
    fact('monotonic nanoseconds', event.mono),
    ...(event.replayed === true ? [fact('emitted again by recovery', true)] : []),
  ];
}

const observationTypes: ReadonlySet<string> = new Set([
  'model_call.completed',
  'model_call.failed',
  'tool_call.completed',
  'tool_call.failed',
  'tool_call.timed_out',
  'timer.fired',
  'signal.received',
  'input.received',
  'approval.granted',
  'approval.denied',
  'agent.joined',
  'env.read',
  'clock.read',
  'random.drawn',
  'policy.evaluated',
]);

/** Causes looked at for one that can be edited; a record that is farther from any is not worth the wait. */
const causesSearched = 2000;

/** Breadth first towards the causes; the answer to a dispatch is looked at before its causes. The input of the run is the last resort. */
function findEditableCause(view: TraceView, marks: EventMarks, position: number): Pick<Inspection, 'editableCause'> {
  const answers = view.effectsOf(position).filter(({ as }) => as === 'result_of');
  const queue = [...answers.map(({ to }) => to), ...view.causesOf(position).map(({ from }) => from)];
  const seen = new Set(queue);
  let input: number | undefined;
  for (let at = 0; at < queue.length && at < causesSearched; at++) {
    const here = queue[at] ?? position;
    const what = editableOf(view, here, view.event(here))?.what;
    if (what === 'input') input ??= here;
    else if (what !== undefined) return { editableCause: positionToRow(view, marks, here) };
    for (const { from } of view.causesOf(here)) {
      if (seen.has(from) || from === position) continue;
      seen.add(from);
      queue.push(from);
    }
  }
  return input === undefined ? {} : { editableCause: positionToRow(view, marks, input) };
}

/** Observations that control code received, decisions, and the input of the run. An attempt that was not delivered is none. */
function editableOf(view: TraceView, position: number, event: HindcastEvent): Inspection['editable'] {
  const member = (key: string): JsonValue | undefined => resolvedMember(view, position, key);
  if (event.type === 'decision.made') {
    const chosen = member('result') ?? member('chosen') ?? memberOf(member('args'), 'chosen');
    return chosen === undefined ? undefined : { what: 'decision', value: chosen };
  }
  if (event.type === 'run.started') return { what: 'input', value: member('input') ?? null };
  if (!observationTypes.has(event.type) || event.command === undefined) return undefined;
  // Foreign formats record no positions of delivery; what answered a command is then taken as delivered.
  if (event.command.delivered === undefined && event.imported === undefined) return undefined;
  const value =
    event.type === 'policy.evaluated'
      ? policyValue(member)
      : (member('result') ?? member('value') ?? approvalValue(event, member));
  return { what: 'observation', value: value ?? null };
}

/** What control code receives from a policy: its verdict, and its value where it has one. */
function policyValue(member: (key: string) => JsonValue | undefined): JsonValue {
  const value = member('value');
  return { verdict: member('verdict') ?? null, ...(value === undefined ? {} : { value }) };
}

function approvalValue(event: HindcastEvent, member: (key: string) => JsonValue | undefined): JsonValue | undefined {
  if (event.type !== 'approval.granted' && event.type !== 'approval.denied') return undefined;
  const by = member('by');
  return { granted: event.type === 'approval.granted', ...(by === undefined ? {} : { by }) };
}
