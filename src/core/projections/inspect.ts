/**
 * Everything about one event: record, neighbours, identity and persistence with their basis, and what a person may edit.
 *
 * Every fact that an event of its type can have is listed, recorded or not: an absent one says "not recorded".
 */
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { parseLossless, parseNoting } from '../base/lossless.ts';
import { notedCodes, notedToWords } from '../base/noted-words.ts';
import { lineToShown } from '../base/shown-text.ts';
import { type CausalEdge, memberOf, textAt } from '../causal/index.ts';
import { type CauseKind, type EventId, type HindcastEvent, eventToLine } from '../model/index.ts';
import { type Field, fieldApplies } from './applies.ts';
import { computeChain } from './chain.ts';
import { isInsertionPoint } from './insertion-point.ts';
import { type Notes, computeNotes } from './notes.ts';
import type { ImportProblem } from './problem-rows.ts';
import { type EventMarks, positionToRow } from './rows.ts';
import type { Fact, Finding, Inspection, ListedRows, Neighbour, Neighbours } from './trace-reader.ts';
import { type TraceView, resolvedMember } from './trace-view.ts';

/** Most listed of each list; the rest is counted. */
const mostListed = 200;

export interface InspectInput {
  readonly view: TraceView;
  readonly marks: EventMarks;
  readonly findings: readonly Finding[];
  readonly flushOf: (component: string) => string | undefined;
  /** Where the caller keeps them. */
  readonly notes?: Notes | undefined;
  /** What is wrong with, or remarked of, the records. */
  readonly problems?: readonly ImportProblem[] | undefined;
}

export function inspectEvent(
  { view, marks, findings, flushOf, notes = computeNotes(view), problems = [] }: InspectInput,
  id: EventId,
): Inspection | undefined {
  const position = view.index.find(id);
  if (!view.holds(position)) return undefined;
  const event = view.event(position);
  const editable = editableOf(view, position, event);
  const raw = view.source.line(position);
  return {
    row: positionToRow(view, marks, position),
    event: eventToJson(event),
    raw,
    causes: toNeighbours(view, marks, view.causesOf(position), ({ from }) => from),
    effects: toNeighbours(
      view,
      marks,
      view.effectsOf(position).toSorted((a, b) => view.rowOf(a.to) - view.rowOf(b.to)),
      ({ to }) => to,
    ),
    notes: toRows(view, marks, notes.on(position)),
    about: toRows(view, marks, notes.targetsOf(position)),
    canStepIn: isInsertionPoint(view, position),
    identity: identityOf(event),
    persistence: persistenceOf(event, flushOf(event.source.component)),
    findings: findings.filter(({ evidence }) => evidence.includes(id)),
    remarks: remarksOn(problems, id, raw),
    chain: computeChain(view, position),
    ...(editable === undefined ? findEditableCause(view, marks, position) : { editable }),
  };
}

/** Most that is told of one record; the list of problems has all. */
const remarksShown = 10;

function remarksOn(problems: readonly ImportProblem[], id: EventId, line: string): Inspection['remarks'] {
  const found: ImportProblem[] = [];
  for (const problem of problems) {
    if (found.length >= remarksShown) break;
    if (problem.events?.includes(id) === true) found.push(problem);
  }
  const told = found.map(({ message, severity }) => ({ message, severity }));
  return found.some(({ code }) => noted.has(code)) ? told : [...told, ...notedIn(line)];
}

const noted: ReadonlySet<string> = new Set(Object.values(notedCodes));

/** The list of problems tells the first records of a file, by their lines; the values stand here whoever told of them. */
function notedIn(line: string): Inspection['remarks'] {
  const read = parseNoting(line);
  const words = read.ok ? notedToWords(read.value) : [];
  return words.map(({ text }) => ({ message: `${text.charAt(0).toUpperCase()}${text.slice(1)}`, severity: 'notice' }));
}

function toRows(view: TraceView, marks: EventMarks, positions: readonly number[]): ListedRows {
  const listed = positions.slice(0, mostListed);
  return {
    listed: listed.map((position) => positionToRow(view, marks, position)),
    unlisted: positions.length - listed.length,
  };
}

function toNeighbours(
  view: TraceView,
  marks: EventMarks,
  edges: readonly CausalEdge[],
  otherOf: (edge: CausalEdge) => number,
): Neighbours {
  const counts = new Map<CauseKind, number>();
  for (const { as } of edges) counts.set(as, (counts.get(as) ?? 0) + 1);
  const room = shareRoom(counts);
  const taken = new Map<CauseKind, number>();
  const listed: Neighbour[] = [];
  for (const edge of edges) {
    const before = taken.get(edge.as) ?? 0;
    if (before === room.get(edge.as)) continue;
    taken.set(edge.as, before + 1);
    const { as, grade, rule } = edge;
    const row = positionToRow(view, marks, otherOf(edge));
    listed.push({ row, as, grade, ...(rule === undefined ? {} : { rule }) });
  }
  const unlisted = [...counts].map(([as, count]) => ({ as, count: count - (room.get(as) ?? 0) }));
  return { listed, unlisted: unlisted.filter(({ count }) => count > 0) };
}

/** How many of each kind are listed: a hundred thousand of one do not crowd out the only one of another. */
function shareRoom(counts: ReadonlyMap<CauseKind, number>): ReadonlyMap<CauseKind, number> {
  const room = new Map<CauseKind, number>();
  let left = mostListed;
  for (const [at, [as, count]] of [...counts].toSorted(([, a], [, b]) => a - b).entries()) {
    const share = Math.min(count, Math.floor(left / (counts.size - at)));
    room.set(as, share);
    left -= share;
  }
  return room;
}

/** The event as recorded JSON: what its line holds, in the model's own form. */
function eventToJson(event: HindcastEvent): JsonValue {
  const parsed = parseLossless(eventToLine(event));
  return parsed.ok ? parsed.value : {};
}

function fact(name: string, value: string | number | boolean | undefined): Fact {
  return value === undefined
    ? { name, basis: 'not recorded' }
    : { name, value: lineToShown(String(value)), basis: 'recorded' };
}

/** A fact that is told where it is recorded, and missed only where the field can stand. */
type Told = readonly [name: string, value: string | number | boolean | undefined, applies: boolean];

function toFacts(told: readonly Told[]): readonly Fact[] {
  return told.flatMap(([name, value, applies]) => (value === undefined && !applies ? [] : [fact(name, value)]));
}

function identityOf(event: HindcastEvent): readonly Fact[] {
  const { source, principal, command } = event;
  const data: JsonObject = isJsonObject(event.data) ? event.data : {};
  const field = (name: Field, value: Told[1]): Told => [name, value, fieldApplies(name, event)];
  return toFacts([
    ['id', event.id, true],
    ['run', event.run, true],
    ['branch', event.branch, true],
    field('session', event.session),
    field('step', event.step),
    ['span', event.span, false],
    field('agent', event.agent),
    field('principal', principal?.id),
    field('kind of principal', principal?.kind),
    field('on behalf of', principal?.on_behalf_of),
    field('privileged path', principal?.privileged_path),
    ['component', source.component, true],
    ['instance', source.instance, true],
    ['incarnation', source.incarnation, true],
    ['software version', source.version, true],
    field('command', command?.path),
    ...(command === undefined ? [] : commandFacts(event, command)),
    ['idempotency key', textAt(data, 'idempotency_key'), false],
    ['call id', textAt(data, 'call_id'), false],
    ['replay operation', event.replay, event.branch !== 'main'],
    ['origin', event.origin, false],
    ['supersedes', event.supersedes, false],
    ['imported from', event.imported?.format, false],
    ['file', event.imported?.file, false],
    ['line', event.imported?.line, false],
  ]);
}

function commandFacts(event: HindcastEvent, command: NonNullable<HindcastEvent['command']>): readonly Told[] {
  return [
    ['identity of the command', command.identity ?? 'native', true],
    ["engine's own number", command.alias, false],
    ['attempt', command.attempt, fieldApplies('attempt', event)],
    ['position of issue', command.issued, fieldApplies('position of issue', event)],
    ['position of delivery', command.delivered, fieldApplies('position of delivery', event)],
    ['digest of arguments', command.args, fieldApplies('digest of arguments', event)],
  ];
}

function persistenceOf(event: HindcastEvent, flush: string | undefined): readonly Fact[] {
  const isLogged = fieldApplies('place in a log', event);
  const flushPolicy: readonly Fact[] =
    flush !== undefined
      ? [{ name: 'flush policy of producer', value: lineToShown(flush), basis: 'derived' }]
      : isLogged
        ? [fact('flush policy of producer', undefined)]
        : [];
  return [
    ...toFacts([
      ['persistence', event.durable?.status, isLogged],
      ['where', event.durable?.where, fieldApplies('where it was kept', event)],
      ['number in log', event.seq, isLogged],
    ]),
    ...flushPolicy,
    ...toFacts([
      ['time', event.time, isLogged],
      ['clock', event.clock, isLogged],
      ['monotonic nanoseconds', event.mono, isLogged],
      ['emitted again by recovery', event.replayed === true ? true : undefined, false],
    ]),
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

/** Breadth first towards the causes, never to an answer that came later. The input of the run is the last resort. */
function findEditableCause(view: TraceView, marks: EventMarks, position: number): Pick<Inspection, 'editableCause'> {
  const queue = view.causesOf(position).map(({ from }) => from);
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
