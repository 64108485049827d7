/**
 * From the events of one run, segment and branch to one journal: path → what was asked and what was observed (mapping G).
 *
 * Invariant: every entry says what the stream says; nothing is guessed. Where positions are assumed, a life is inferred or
 * the record contradicts itself, the journal carries the flag or the problem. Read by the replayer, the preview, the
 * branch validator and the views.
 */
import type { JsonValue } from '../base/json.ts';
import { type Digest, type EventId, type HindcastEvent, commandToDoubts, digest, isDigest } from '../model/index.ts';
import { pathToParts, pathToSegment } from './command-path.ts';
import { dataOf } from './contents.ts';
import {
  type RecordedOutcome,
  eventToArgs,
  eventToKind,
  eventToOutcome,
  eventToRow,
  isOwnIssue,
} from './event-roles.ts';
import { attachEffects } from './journal-effects.ts';
import { type OrderedEvent, orderByPosition } from './journal-order.ts';
import type {
  Attempt,
  DraftEntry,
  Journal,
  JournalEntry,
  JournalProblem,
  JournalScope,
  Observation,
  Transition,
} from './journal-types.ts';
import { computeLives } from './lives.ts';
import { containsHole, isWithheldValue } from '../base/withheld.ts';
import type { Position } from './position.ts';
import { toStateVersion } from './state-versions.ts';

export type * from './journal-types.ts';

export function computeJournal(events: readonly HindcastEvent[], { run, segment }: JournalScope): Journal {
  const mine = events.filter((event) => event.run === run && event.branch === 'main');
  const commands = mine.filter((event) => event.command !== undefined && pathToSegment(event.command.path) === segment);
  const { lives, ordered } = computeLives(commands, mine);
  const problems: JournalProblem[] = [];
  if (!ordered) {
    const ids = mine.filter((event) => event.type === 'worker.started').map((event) => event.id);
    problems.push({
      code: 'lives-unordered',
      message: `The run has ${lives.length} lives of its control process and nothing recorded says which came first.`,
      events: ids,
    });
  }
  let drafts = new Map<string, DraftEntry>();
  const setAside = new Map<string, Attempt[]>();
  let orderAssumed = false;
  for (const life of lives) {
    if (life.resume === 'none') {
      for (const draft of drafts.values())
        setAside.set(draft.path, (setAside.get(draft.path) ?? []).concat(draft.attempts));
      drafts = new Map();
    }
    const order = orderByPosition(life.events);
    orderAssumed ||= order.assumed;
    foldLife(order.events, drafts, problems);
  }
  for (const draft of drafts.values()) draft.attempts = (setAside.get(draft.path) ?? []).concat(draft.attempts);
  addSideEvents(commands, drafts);
  for (const draft of drafts.values()) draft.observation = settleObservation(draft);
  attachEffects(mine, drafts, setAside);
  const blocking = problems.some((p) => p.code === 'lives-unordered' || p.code === 'path-reused');
  return finishJournal([...drafts.values()], {
    problems,
    orderAssumed,
    rules: [...new Set(lives.flatMap((life) => life.rules))],
    replayable: !blocking,
  });
}

export function finishJournal(
  entries: readonly JournalEntry[],
  rest: Pick<Journal, 'problems' | 'orderAssumed' | 'rules' | 'replayable'>,
): Journal {
  const entriesByPath = new Map<string, JournalEntry>();
  const entriesByEvent = new Map<EventId, JournalEntry>();
  for (const entry of entries) {
    entriesByPath.set(entry.path, entry);
    for (const id of entry.events) entriesByEvent.set(id, entry);
  }
  return { entries, entriesByPath, entriesByEvent, ...rest };
}

function foldLife(events: readonly OrderedEvent[], drafts: Map<string, DraftEntry>, problems: JournalProblem[]): void {
  const issuedHere = new Map<string, DraftEntry>();
  for (const ordered of events) {
    const { event } = ordered;
    const row = eventToRow(event);
    if (row === undefined || event.command === undefined) continue;
    if (row.role === 'issue' || row.role === 'one') {
      const draft = foldIssue(ordered, drafts, issuedHere, problems);
      if (row.role === 'one') foldFinal(ordered, draft, problems);
    } else if (row.role === 'ending') {
      if (isOwnIssue(event) && !drafts.has(event.command.path)) foldIssue(ordered, drafts, issuedHere, problems);
      foldEnding(ordered, drafts, problems);
    }
  }
}

function foldIssue(
  { event, issued }: OrderedEvent,
  drafts: Map<string, DraftEntry>,
  issuedHere: Map<string, DraftEntry>,
  problems: JournalProblem[],
): DraftEntry {
  const path = event.command?.path ?? '';
  const args = argsDigestOf(event);
  const known = drafts.get(path);
  if (known === undefined) {
    const draft = eventToDraft(event, issued);
    drafts.set(path, draft);
    issuedHere.set(path, draft);
    return draft;
  }
  if (issuedHere.has(path) && args !== undefined && known.argsDigest !== undefined && args !== known.argsDigest) {
    problems.push({
      code: 'path-reused',
      message: `The path ${path} was issued twice with different arguments; the record cannot be replayed beyond it.`,
      events: [known.issueEvent, event.id],
      path,
    });
  }
  issuedHere.set(path, known);
  if (event.replayed !== true) known.attempts.push(eventToAttempt(event));
  return known;
}

function foldEnding(ordered: OrderedEvent, drafts: Map<string, DraftEntry>, problems: JournalProblem[]): void {
  const { event, delivered } = ordered;
  const path = event.command?.path ?? '';
  const draft = drafts.get(path);
  if (draft === undefined) {
    problems.push({
      code: 'orphan-ending',
      message: `${event.id} ends a command at ${path} that was never issued.`,
      events: [event.id],
      path,
    });
    return;
  }
  if (delivered !== undefined) foldFinal(ordered, draft, problems);
  else foldAttemptEnding(event, draft);
}

/** A failure that was retried, or a result that came too late to be delivered. */
function foldAttemptEnding(event: HindcastEvent, draft: DraftEntry): void {
  const row = eventToRow(event);
  if (row?.gives !== 'err') return;
  const answered = new Set(
    (event.causes ?? []).filter((cause) => cause.as === 'result_of').map((cause) => cause.event),
  );
  const attempt =
    draft.attempts.find((a) => answered.has(a.event)) ??
    draft.attempts.find((a) => a.attempt === event.command?.attempt && a.failedBy === undefined) ??
    draft.attempts.at(-1);
  if (attempt === undefined) return;
  const outcome = eventToOutcome(event, row);
  attempt.failedBy = event.id;
  if (outcome.kind === 'err') attempt.failure = outcome.error;
  if (dataOf(event)['executed'] === false) attempt.notExecuted = true;
}

function foldFinal({ event, delivered }: OrderedEvent, draft: DraftEntry, problems: JournalProblem[]): void {
  const row = eventToRow(event);
  if (row === undefined) return;
  const outcome = eventToOutcome(event, row);
  if (draft.finalEvent === undefined) {
    draft.observation = outcome;
    draft.finalEvent = event.id;
    draft.finalType = event.type;
    draft.delivered = delivered;
    draft.vt = event.command?.vt;
    if (dataOf(event)['executed'] === false) {
      const last = draft.attempts.at(-1);
      if (last !== undefined) last.notExecuted = true;
    }
    return;
  }
  const same = isWithheldValue(outcome) || outcomeDigest(outcome) === outcomeDigest(draft.observation);
  if (event.replayed === true && same) return;
  problems.push({
    code: event.replayed === true ? 'redelivered-differently' : 'second-outcome',
    message:
      event.replayed === true
        ? `The command at ${draft.path} was delivered again with another outcome; the first one stands.`
        : `The command at ${draft.path} has two outcomes; the first one stands.`,
    events: [draft.finalEvent, event.id],
    path: draft.path,
  });
}

/** Digest of what control code received; equal digests cannot be told apart by it. */
export function outcomeDigest(
  outcome: Observation | RecordedOutcome | { readonly kind: 'cancelled' },
): Digest | undefined {
  switch (outcome.kind) {
    case 'ok':
      return digest({ ok: outcome.value });
    case 'err':
      return digest({ err: { ...outcome.error } });
    case 'cancelled':
      return digest({ cancelled: true });
    default:
      return undefined;
  }
}

function settleObservation(draft: DraftEntry): Observation {
  if (draft.finalEvent !== undefined) return draft.observation;
  if (draft.kind !== 'write' || draft.attempts.length === 0) return { kind: 'open' };
  return draft.attempts.some((attempt) => attempt.notExecuted === true) ? { kind: 'open' } : { kind: 'uncertain' };
}

function eventToAttempt(event: HindcastEvent): Attempt {
  const data = dataOf(event);
  const key = data['idempotency_key'];
  return {
    event: event.id,
    incarnation: String(event.source.incarnation ?? ''),
    attempt: event.command?.attempt ?? 1,
    idempotencyKey: typeof key === 'string' ? key : undefined,
  };
}

export function argsDigestOf(event: HindcastEvent): Digest | undefined {
  const recorded = event.command?.args;
  const row = eventToRow(event);
  const args = row === undefined ? undefined : eventToArgs(event, row);
  // Over a hole a digest says nothing of the arguments, and two holes for one value differ.
  if (containsHole(args)) return undefined;
  if (recorded !== undefined && isDigest(recorded)) return recorded;
  return args === undefined || row?.kind === 'draw' ? undefined : digest(args);
}

export function eventToDraft(event: HindcastEvent, issued: Position | undefined): DraftEntry {
  const row = eventToRow(event);
  const { command } = event;
  const path = command?.path ?? '';
  const parts = pathToParts(path);
  const data = dataOf(event);
  const site = command?.site;
  const due = data['due'];
  const url = data['url'];
  const doubts = commandToDoubts(event);
  return {
    path,
    kind: row === undefined ? '' : eventToKind(event, row),
    name: command?.name ?? parts.label.slice(parts.label.indexOf(':') + 1),
    scope: parts.scope,
    label: parts.label,
    index: parts.index,
    argsDigest: argsDigestOf(event),
    args: row === undefined ? undefined : eventToArgs(event, row),
    attempts: row?.role === 'one' ? [] : [eventToAttempt(event)],
    observation: { kind: 'open' },
    issued,
    delivered: undefined,
    vt: undefined,
    oneEvent: row?.role === 'one',
    issueEvent: event.id,
    issueType: event.type,
    finalEvent: undefined,
    finalType: undefined,
    reads: command?.reads,
    writes: command?.writes,
    url: typeof url === 'string' ? url : undefined,
    causes: event.causes ?? [],
    effects: [],
    evidence: [],
    events: [],
    site:
      site === undefined
        ? undefined
        : { function: site.function ?? '', line: site.line ?? 0, column: site.column ?? 0 },
    agent: event.agent,
    alias: command?.alias === undefined ? undefined : String(command.alias),
    due: typeof due === 'number' ? due : undefined,
    transition: event.type === 'state.transitioned' ? eventToTransition(event) : undefined,
    childRun: typeof event.data === 'object' && typeof dataOf(event)['child'] === 'object' && hasRun(data['child']),
    ...(doubts.length === 0 ? {} : { doubts }),
    ...(row?.kind === 'read' && row.role === 'one' && data['args'] === undefined ? { saysNoArgs: true } : {}),
  };
}

function hasRun(child: JsonValue | undefined): boolean {
  return typeof child === 'object' && child !== null && 'run' in child;
}

function eventToTransition(event: HindcastEvent): Transition {
  const data = dataOf(event);
  const value = data['value'];
  const recorded = data['digest'];
  const known =
    typeof recorded === 'string' && isDigest(recorded) ? recorded : value === undefined ? undefined : digest(value);
  const name = data['name'];
  return {
    name: typeof name === 'string' ? name : (event.command?.name ?? ''),
    from: toStateVersion(data['from']),
    to: toStateVersion(data['to']),
    digest: known,
  };
}

function addSideEvents(commands: readonly HindcastEvent[], drafts: ReadonlyMap<string, DraftEntry>): void {
  for (const event of commands) {
    const draft = drafts.get(event.command?.path ?? '');
    if (draft === undefined) continue;
    draft.events.push(event.id);
    if (event.type === 'tool_call.acknowledged') draft.evidence.push(event.id);
  }
}
