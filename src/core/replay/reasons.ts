/**
 * The path of reasons of each record and command that did not simply stand: from it back to what was changed (R39).
 *
 * Follows recorded and declared consumption through what fell. Where nothing declared leads to the change, that is said
 * (`undeclared`): it is a gap in provenance, not a reason to hide the fall.
 */
import type { EventId } from '../model/index.ts';
import type { Journal, JournalEntry } from './journal-types.ts';
import type { ReplayCommand } from './pass-types.ts';
import { type ReplayReason, cutStep, mostSteps } from './reason.ts';
import type { Suspicion } from './world.ts';

export interface ReasonInput {
  readonly journal: Journal;
  readonly commands: readonly ReplayCommand[];
  /** Paths of records that are not retained. */
  readonly fallen: ReadonlySet<string>;
  readonly edited: ReadonlySet<string>;
  /** By path: the record that the edit names, which may be a failed attempt and not the last answer. */
  readonly replaced: ReadonlyMap<string, EventId | undefined>;
  readonly suspicions: ReadonlyMap<string, Suspicion>;
  /** What was never answered while the run ended. */
  readonly open: ReadonlySet<ReplayCommand>;
  /** Where the change itself stands: the edited event, or the start of the run for input and program. */
  readonly origin: EventId | undefined;
  readonly originAs: 'edited' | 'input' | 'program' | 'record';
}

export interface Reasons {
  forRecord(record: JournalEntry): readonly ReplayReason[];
  forCommand(command: ReplayCommand): readonly ReplayReason[];
}

interface Dependency {
  readonly entry: JournalEntry;
  readonly event: EventId;
  readonly as: string;
}

export function createReasons(input: ReasonInput): Reasons {
  const commandsByRecord = new Map(
    input.commands.flatMap((command) => (command.record === undefined ? [] : [[command.record, command] as const])),
  );
  let known: Steps | undefined;
  const steps = (): Steps => (known ??= computeSteps(input, commandsByRecord));
  const search = (start: readonly Dependency[], self: string): readonly ReplayReason[] =>
    findPath(start, self, input, steps());
  return {
    forRecord(record) {
      if (input.edited.has(record.path)) return editedReason(record, input);
      return search(steps().dependenciesOf(record), record.path);
    },
    forCommand(command) {
      const { record } = command;
      if (record !== undefined && input.edited.has(record.path) && command.match === 'claimed')
        return editedReason(record, input);
      if (record !== undefined && input.suspicions.has(record.path))
        return search(steps().dependenciesOf(record), record.path);
      if (
        command.pending === 'open-in-record' ||
        command.pending === 'uncertain' ||
        command.pending === 'value-not-recorded' ||
        command.pending === 'value-absent' ||
        command.pending === 'withheld'
      ) {
        return record === undefined ? [] : [{ event: record.finalEvent ?? record.issueEvent, as: command.pending }];
      }
      if (input.open.has(command) && (command.pending === undefined || command.pending === 'waits-inside'))
        return originReason(input, runEnded);
      const start = commandDependencies(command, input.journal);
      const inside = command.kind === 'child' ? steps().insideOf(command.path) : [];
      return search([...start, ...inside], record?.path ?? '');
    },
  };
}

/** The run was over before it was due: no gap in provenance, though no declared edge leads there. */
export const runEnded = 'run-ended';

function editedReason(record: JournalEntry, { replaced }: ReasonInput): readonly ReplayReason[] {
  return [{ event: replaced.get(record.path) ?? record.finalEvent ?? record.issueEvent, as: 'edited' }];
}

/** Of what fell: how far it is from the change, and the next and the last step of the shortest path there. */
interface Steps {
  readonly distance: ReadonlyMap<string, number>;
  readonly next: ReadonlyMap<string, Dependency>;
  readonly last: ReadonlyMap<string, Dependency>;
  readonly dependenciesOf: (record: JournalEntry) => readonly Dependency[];
  readonly insideOf: (path: string) => readonly Dependency[];
  /** Scopes in which something was still open when the run ended. */
  readonly unfinished: ReadonlySet<string>;
}

/** Distances of what leads to no edit: always behind those of what does. */
const unexplained = 1_000_000_000;

/** Breadth first from what was edited through what fell; then from what fell without a declared reason. */
function computeSteps(input: ReasonInput, commandsByRecord: ReadonlyMap<JournalEntry, ReplayCommand>): Steps {
  const { journal, edited, fallen } = input;
  const inside = computeInside(input);
  const insideOf = (path: string): readonly Dependency[] => inside.get(path) ?? [];
  const dependenciesOf = (record: JournalEntry): readonly Dependency[] => {
    const suspicion = input.suspicions.get(record.path);
    const by = suspicion === undefined ? undefined : journal.entriesByPath.get(suspicion.by.path);
    if (suspicion !== undefined)
      return by === undefined ? [] : [{ entry: by, event: by.issueEvent, as: `world:${suspicion.resource}` }];
    const command = commandsByRecord.get(record);
    const own = command === undefined ? recordDependencies(record, journal) : commandDependencies(command, journal);
    return record.kind === 'child' ? [...own, ...insideOf(record.path)] : own;
  };
  const users = new Map<string, { readonly path: string; readonly dependency: Dependency }[]>();
  const roots: string[] = [];
  for (const entry of journal.entries) {
    if (edited.has(entry.path) || !fallen.has(entry.path)) continue;
    let isRoot = true;
    for (const dependency of dependenciesOf(entry)) {
      const { path } = dependency.entry;
      if (path === entry.path || !(edited.has(path) || fallen.has(path))) continue;
      isRoot = false;
      const list = users.get(path);
      if (list === undefined) users.set(path, [{ path: entry.path, dependency }]);
      else list.push({ path: entry.path, dependency });
    }
    if (isRoot) roots.push(entry.path);
  }
  const distance = new Map<string, number>();
  const next = new Map<string, Dependency>();
  const last = new Map<string, Dependency>();
  const spread = (starts: readonly string[], first: number): void => {
    const queue = starts.filter((path) => !distance.has(path));
    for (const path of queue) distance.set(path, first);
    for (let n = 0; n < queue.length; n++) {
      const here = queue[n] ?? '';
      for (const { path, dependency } of users.get(here) ?? []) {
        if (distance.has(path)) continue;
        distance.set(path, (distance.get(here) ?? 0) + 1);
        next.set(path, dependency);
        last.set(path, last.get(here) ?? dependency);
        queue.push(path);
      }
    }
  };
  spread([...edited], 0);
  spread(roots, unexplained);
  return { distance, next, last, dependenciesOf, insideOf, unfinished: computeUnfinished(input.open) };
}

/** The shortest path to an edit; else to a fall that nothing declared explains, and what the change itself was. */
function findPath(
  start: readonly Dependency[],
  self: string,
  input: ReasonInput,
  { distance, next, last, unfinished }: Steps,
): readonly ReplayReason[] {
  const declared = input.suspicions.get(self);
  if (declared !== undefined && start.length === 0) return originReason(input, `world:${declared.resource}`);
  let nearest: Dependency | undefined;
  let least = Infinity;
  for (const dependency of start) {
    const away = dependency.entry.path === self ? undefined : distance.get(dependency.entry.path);
    if (away === undefined || away >= least) continue;
    nearest = dependency;
    least = away;
  }
  // What touched the world is named, whether or not it is known why it did.
  if (nearest === undefined && declared !== undefined) nearest = start[0];
  const out: ReplayReason[] = [];
  for (let step = nearest; step !== undefined; step = next.get(step.entry.path)) {
    const end = last.get(step.entry.path);
    const left = (least === Infinity ? 0 : least % unexplained) + 1 - out.length;
    if (out.length < mostSteps - 1 || end === undefined) out.push({ event: step.event, as: step.as });
    else {
      out.push({ event: end.event, as: cutStep(end.as, left - 1) });
      break;
    }
  }
  if (least < unexplained || (out.length > 0 && input.originAs === 'record')) return out;
  const root = nearest === undefined ? self : (last.get(nearest.entry.path) ?? nearest).entry.path;
  if (isLeftBehind(input.journal.entriesByPath.get(root), unfinished))
    return [...out, ...originReason(input, runEnded)];
  return [...out, ...originReason(input, input.originAs === 'edited' ? 'undeclared' : input.originAs)];
}

/** Below `main`: what `main` itself did not come to has another reason. */
function computeUnfinished(open: ReadonlySet<ReplayCommand>): ReadonlySet<string> {
  const out = new Set<string>();
  for (const { scope, kind, path } of open) {
    if (scope !== '') out.add(scope);
    if (kind === 'child') out.add(path);
  }
  return out;
}

/** Whether a record stands in a part of the program that was still running when the run ended. */
function isLeftBehind(record: JournalEntry | undefined, unfinished: ReadonlySet<string>): boolean {
  if (record === undefined || unfinished.size === 0) return false;
  for (let path = record.scope; path !== ''; path = path.slice(0, Math.max(path.lastIndexOf('/'), 0)))
    if (unfinished.has(path)) return true;
  return false;
}

/** A child that runs in the program ends as what happens inside it: the records of its scope that fell, and what its new commands use. */
function computeInside({ journal, commands, fallen, edited }: ReasonInput): ReadonlyMap<string, readonly Dependency[]> {
  const out = new Map<string, Dependency[]>();
  const addAround = (scope: string, dependencies: readonly Dependency[]): void => {
    for (let path = scope; path !== ''; path = path.slice(0, Math.max(path.lastIndexOf('/'), 0))) {
      const list = out.get(path);
      if (list === undefined) out.set(path, [...dependencies]);
      else for (const dependency of dependencies) list.push(dependency);
    }
  };
  for (const entry of journal.entries) {
    if (!fallen.has(entry.path) && !edited.has(entry.path)) continue;
    addAround(entry.scope, [{ entry, event: entry.finalEvent ?? entry.issueEvent, as: 'inside' }]);
  }
  for (const command of commands)
    if (command.match === 'inserted') addAround(command.scope, commandDependencies(command, journal));
  return out;
}

function originReason(input: ReasonInput, as: string): readonly ReplayReason[] {
  return input.origin === undefined ? [] : [{ event: input.origin, as }];
}

function recordDependencies(record: JournalEntry, journal: Journal): readonly Dependency[] {
  const out: Dependency[] = [];
  for (const cause of record.causes) {
    const entry = journal.entriesByEvent.get(cause.event);
    if (entry !== undefined) out.push({ entry, event: cause.event, as: cause.as });
  }
  return out;
}

/** What the re-run command declares, then what its record does. */
function commandDependencies(command: ReplayCommand, journal: Journal): readonly Dependency[] {
  const out: Dependency[] = [];
  const add = (path: string, as: string): void => {
    const entry = journal.entriesByPath.get(path);
    if (entry !== undefined) out.push({ entry, event: entry.finalEvent ?? entry.issueEvent, as });
  };
  if (command.selectedBy !== undefined) add(command.selectedBy, 'selected_by');
  for (const path of command.uses) add(path, 'consumed');
  if (command.record !== undefined) out.push(...recordDependencies(command.record, journal));
  return out;
}
