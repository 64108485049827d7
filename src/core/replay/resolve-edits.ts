/**
 * From what a person wrote (targets by event, path or input) to what the pass works with: replacements by path.
 *
 * Refuses what cannot be edited, in a sentence. A replacement that equals the record is a no-op: it is part of the
 * operation and changes nothing (I1).
 */
import { createTable } from '../base/table.ts';
import type { JsonValue } from '../base/json.ts';
import { type Result, err, ok } from '../base/result.ts';
import { type EventId, type HindcastEvent, digest, eventId } from '../model/index.ts';
import { pathToParts } from './command-path.ts';
import type { Edit, EditFile, Replacement, Supply, SupplyOrigin } from './edit-file.ts';
import { findNoNumber, noNumberToText } from './edit-numbers.ts';
import { outcomeDigest } from './journal.ts';
import type { Attempt, Journal, JournalEntry } from './journal-types.ts';
import type { OperationTarget } from './operation.ts';
import type { PassObservation, ResolvedReplacement } from './pass-types.ts';
import type { RunInfo } from './run-info.ts';

export interface ResolvedEdits {
  /** Effective edits by record path, no-ops left out. */
  readonly edits: ReadonlyMap<string, ResolvedReplacement>;
  readonly supplies: ReadonlyMap<string, ResolvedReplacement>;
  readonly input: JsonValue | undefined;
  /** The input was given and equals the recorded one. */
  readonly sameInput: JsonValue | undefined;
  readonly targets: readonly OperationTarget[];
  readonly supplyTargets: readonly OperationTarget[];
  /** Events the preview starts from. */
  readonly targetEvents: ReadonlySet<EventId>;
  /** Attempts after an edited one (D8): they and their effects would not have been. */
  readonly laterAttempts: readonly { readonly entry: JournalEntry; readonly attempts: readonly Attempt[] }[];
  readonly noop: boolean;
}

export interface EditContext {
  readonly journals: readonly Journal[];
  readonly infos: readonly RunInfo[];
  readonly eventsById: ReadonlyMap<EventId, HindcastEvent>;
  /** Another program than the recorded one is replayed: a change beside the edits. */
  readonly programChanged?: boolean;
}

const notEditable: Readonly<Record<string, string>> = createTable({
  state: 'a state is computed by the program; edit what it was computed from',
  marker: 'a marker says which code ran; replay another program instead',
  pure: 'it is recomputed',
});

export function resolveEdits(file: EditFile, context: EditContext): Result<ResolvedEdits, string> {
  const strange = whyNoNumber(file);
  if (strange !== undefined) return err(strange);
  const edits = new Map<string, ResolvedReplacement>();
  const targets: OperationTarget[] = [];
  const targetEvents = new Set<EventId>();
  const laterAttempts: { entry: JournalEntry; attempts: readonly Attempt[] }[] = [];
  const kept: { readonly at: number; readonly entry: JournalEntry; readonly observation: PassObservation }[] = [];
  let input: JsonValue | undefined;
  let sameInput: JsonValue | undefined;
  const firsts = new Map<string, number>();
  for (const [n, edit] of file.edits.entries()) {
    if ('input' in edit.target) {
      if (firsts.has('')) return err(twice(n, firsts.get(''), 'the input'));
      firsts.set('', n);
      const [info] = context.infos;
      if (info === undefined || !('value' in edit))
        return err('The run has no recorded start; its input cannot be replaced.');
      if (digest(edit.value) === info.inputDigest) {
        sameInput = edit.value;
        continue;
      }
      input = edit.value;
      targetEvents.add(info.event);
      continue;
    }
    const found = findEntry(edit, context);
    if (!found.ok) return found;
    const { entry, attempt } = found.value;
    const why = notEditable[entry.kind];
    if (why !== undefined) return err(`${entry.path} cannot be edited: ${why}.`);
    // An event and a path can name one command; the later edit would silently win.
    if (firsts.has(entry.path)) return err(twice(n, firsts.get(entry.path), entry.path));
    firsts.set(entry.path, n);
    const observation = toObservation(edit);
    if (entry.kind === 'decide' && observation.kind !== 'ok')
      return err(`${entry.path} is a decision; give it a "value", not an "error".`);
    if (entry.kind === 'draw' && !isNumber(observation)) return err(notANumber(entry.path));
    const noop = attempt === undefined && outcomeDigest(entry.observation) === outcomeDigest(observation);
    const target = attempt?.failedBy ?? entry.finalEvent;
    targets.push(toTarget(entry.path, target, observation, noop, undefined));
    if (noop) {
      if (isComputed(entry)) kept.push({ at: targets.length - 1, entry, observation });
      continue;
    }
    edits.set(entry.path, { observation, target });
    targetEvents.add(target ?? entry.issueEvent);
    const later = attempt === undefined ? [] : entry.attempts.slice(entry.attempts.indexOf(attempt) + 1);
    if (later.length > 0) laterAttempts.push({ entry, attempts: later });
  }
  const supplies = resolveSupplies(file.supply, context);
  if (!supplies.ok) return supplies;
  for (const [n, { path }] of file.supply.entries()) {
    const edit = firsts.get(path);
    if (edit !== undefined)
      return err(
        `supply[${String(n)}] gives a second value for ${path}, which edits[${String(edit)}] has already; keep one.`,
      );
  }
  const isAlone = edits.size === 0 && input === undefined && supplies.value.size === 0;
  // Beside a change it may be computed otherwise: then a value that equals the record is what the person holds it to (M6).
  const held = isAlone && context.programChanged !== true ? [] : kept;
  for (const { at, entry, observation } of held) {
    edits.set(entry.path, { observation, target: entry.finalEvent });
    targetEvents.add(entry.finalEvent ?? entry.issueEvent);
    targets[at] = toTarget(entry.path, entry.finalEvent, observation, false, undefined);
  }
  const noop = isAlone && held.length === 0;
  const supplyTargets = [...supplies.value].map(([path, supply]) =>
    toTarget(path, undefined, supply.observation, false, supply.evidence, supply.from),
  );
  return ok({
    edits,
    supplies: supplies.value,
    input,
    sameInput,
    targets,
    supplyTargets,
    targetEvents,
    laterAttempts,
    noop,
  });
}

/** What a program cannot compute with, wherever it stands in a value. */
function whyNoNumber({ edits, supply }: EditFile): string | undefined {
  for (const [list, items] of [
    ['edits', edits],
    ['supply', supply],
  ] as const) {
    for (const [n, item] of items.entries()) {
      const found = findNoNumber('error' in item ? (item.error.data ?? null) : item.value);
      if (found !== undefined) return noNumberToText(`${list}[${String(n)}]`, found);
    }
  }
  return undefined;
}

function isComputed({ kind }: JournalEntry): boolean {
  return kind === 'decide' || kind === 'child';
}

function isNumber(observation: PassObservation): boolean {
  return observation.kind === 'ok' && typeof observation.value === 'number';
}

function notANumber(path: string): string {
  return `${path} is a draw of ${pathToParts(path).label === 'random' ? 'a random number' : 'the time'}; give it a number as "value".`;
}

function twice(n: number, first: number | undefined, what: string): string {
  return `edits[${String(n)}] gives a second value for ${what}, which edits[${String(first ?? 0)}] has already; keep one.`;
}

function toTarget(
  path: string,
  record: string | undefined,
  observation: PassObservation,
  noop: boolean,
  evidence: string | undefined,
  from?: SupplyOrigin,
): OperationTarget {
  const outcome =
    observation.kind === 'ok'
      ? { value: observation.value }
      : observation.kind === 'err'
        ? { error: { ...observation.error } }
        : { cancelled: true };
  return {
    path,
    ...(record === undefined ? {} : { record: eventId(record) }),
    replacement: {
      digest: digest(outcome),
      origin: from?.origin ?? (evidence === undefined ? 'supplied' : 'reconciled'),
      outcome,
    },
    ...(evidence === undefined ? {} : { evidence: eventId(evidence) }),
    ...(from === undefined ? {} : { from }),
    ...(noop ? { noop } : {}),
  };
}

function toObservation(replacement: Replacement): PassObservation {
  return 'error' in replacement ? { kind: 'err', error: replacement.error } : { kind: 'ok', value: replacement.value };
}

interface FoundEntry {
  readonly entry: JournalEntry;
  /** The edit replaces the failure of this attempt, not the final outcome. */
  readonly attempt: Attempt | undefined;
}

function findEntry(edit: Edit, context: EditContext): Result<FoundEntry, string> {
  const { journals, eventsById } = context;
  if ('path' in edit.target) {
    const { path } = edit.target;
    for (const journal of journals) {
      const entry = journal.entriesByPath.get(path);
      if (entry !== undefined) return ok({ entry, attempt: undefined });
    }
    return err(`No command at ${path} is in the record; to give a value to a new command use "supply".`);
  }
  if (!('event' in edit.target)) return err('The target must name an event or a path.');
  const id = eventId(edit.target.event);
  const event = eventsById.get(id);
  if (event === undefined) return err(`There is no event ${id} on this branch of the run.`);
  for (const journal of journals) {
    const entry = journal.entriesByEvent.get(id);
    if (entry === undefined) continue;
    if (id !== entry.finalEvent && id !== entry.issueEvent) {
      const attempt = entry.attempts.find((a) => a.failedBy === id);
      if (attempt !== undefined) return ok({ entry, attempt });
      if (!entry.attempts.some((a) => a.event === id)) {
        return err(
          `${id} (${event.type}) is not what control code received; edit ${entry.finalEvent ?? entry.path} instead.`,
        );
      }
    }
    return ok({ entry, attempt: undefined });
  }
  const way = wayTo(event, context);
  return err(
    `${id} (${event.type}) is not an observation or a decision of control code; it cannot be edited.${way === undefined ? '' : ` ${way}`}`,
  );
}

/** What stands for it in the record of the program: its input, or the answer that tells of what another component did. */
function wayTo(event: HindcastEvent, { journals, eventsById }: EditContext): string | undefined {
  if (event.type === 'run.started') return 'Its input can: {"target": {"input": true}}.';
  const told = [...journals.flatMap(({ entriesByEvent }) => [...entriesByEvent])].find(
    ([id, { finalEvent }]) =>
      id === finalEvent && eventsById.get(id)?.causes?.some((cause) => cause.event === event.id) === true,
  );
  return told === undefined ? undefined : `What control code was told of it can: edit ${told[0]} instead.`;
}

function resolveSupplies(
  items: readonly Supply[],
  context: EditContext,
): Result<ReadonlyMap<string, ResolvedReplacement>, string> {
  const supplies = new Map<string, ResolvedReplacement>();
  const adopted = new Map<string, string>();
  for (const [n, item] of items.entries()) {
    if (supplies.has(item.path)) return err(`supply[${String(n)}] gives a second value for ${item.path}; keep one.`);
    const observation = toObservation(item);
    if (isDraw(item.path, context) && !isNumber(observation)) return err(notANumber(item.path));
    if (item.evidence === undefined) {
      const why = item.from === undefined ? undefined : whyNotFrom(item.path, item.from);
      if (why !== undefined) return err(why);
      supplies.set(item.path, { observation, target: undefined, from: item.from });
      continue;
    }
    const entry = context.journals.map((j) => j.entriesByPath.get(item.path)).find((e) => e !== undefined);
    if (entry?.observation.kind !== 'uncertain')
      return err(`${item.path} is not uncertain in the record; evidence can only settle an uncertain effect.`);
    if (!entry.evidence.includes(eventId(item.evidence))) {
      return err(
        `${item.evidence} says nothing about ${item.path}: it is no result of one of its attempts and does not carry its key.`,
      );
    }
    const other = adopted.get(item.evidence);
    if (other !== undefined)
      return err(`${item.evidence} was already adopted for ${other}; one effect settles one command.`);
    adopted.set(item.evidence, item.path);
    supplies.set(item.path, { observation, target: undefined, evidence: item.evidence });
  }
  return ok(supplies);
}

function isDraw(path: string, { journals }: EditContext): boolean {
  return journals.some((journal) => journal.entriesByPath.get(path)?.kind === 'draw');
}

/** What must not come from there: an effect has happened in another run, not in this one; only a model can be asked. */
function whyNotFrom(path: string, { origin }: SupplyOrigin): string | undefined {
  const kind = pathToParts(path).label.split(':')[0] ?? '';
  if (origin === 'live' && kind !== 'model') return `${path} is no model call; only a model can be asked now.`;
  return origin === 'other-run' && kind !== 'model' && kind !== 'read'
    ? `${path} is neither a model call nor a read; only their answers can be those of another run.`
    : undefined;
}
