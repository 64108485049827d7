/**
 * The path of reasons of each record and command that did not simply stand: from it back to what was changed (R39).
 *
 * Follows recorded and declared consumption through what fell. Where nothing declared leads to the change, that is said
 * (`undeclared`): it is a gap in provenance, not a reason to hide the fall.
 */
import type { EventId } from '../model/index.ts';
import type { Journal, JournalEntry } from './journal-types.ts';
import type { ReplayCommand } from './pass-types.ts';
import type { ReplayReason } from './reason.ts';
import type { Suspicion } from './world.ts';

export interface ReasonInput {
  readonly journal: Journal;
  readonly commands: readonly ReplayCommand[];
  /** Paths of records that are not retained. */
  readonly fallen: ReadonlySet<string>;
  readonly edited: ReadonlySet<string>;
  readonly suspicions: ReadonlyMap<string, Suspicion>;
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
  const commandsByPath = new Map(input.commands.map((command) => [command.path, command]));
  const commandsByRecord = new Map(
    input.commands.flatMap((command) => (command.record === undefined ? [] : [[command.record, command] as const])),
  );
  const search = (start: readonly Dependency[], self: string): readonly ReplayReason[] =>
    findPath(start, self, input, commandsByPath);
  const inside = (path: string): readonly Dependency[] => insideOf(path, input);
  return {
    forRecord(record) {
      if (input.edited.has(record.path)) return editedReason(record);
      const suspicion = input.suspicions.get(record.path);
      if (suspicion !== undefined) return suspicionReasons(suspicion, input, commandsByPath);
      const command = commandsByRecord.get(record);
      const start =
        command === undefined ? recordDependencies(record, input.journal) : commandDependencies(command, input.journal);
      return search(record.kind === 'child' ? [...start, ...inside(record.path)] : start, record.path);
    },
    forCommand(command) {
      const { record } = command;
      if (record !== undefined && input.edited.has(record.path) && command.match === 'claimed')
        return editedReason(record);
      const suspicion = record === undefined ? undefined : input.suspicions.get(record.path);
      if (suspicion !== undefined) return suspicionReasons(suspicion, input, commandsByPath);
      if (
        command.pending === 'open-in-record' ||
        command.pending === 'uncertain' ||
        command.pending === 'value-not-recorded' ||
        command.pending === 'value-absent' ||
        command.pending === 'withheld'
      ) {
        return record === undefined ? [] : [{ event: record.finalEvent ?? record.issueEvent, as: command.pending }];
      }
      const start = commandDependencies(command, input.journal);
      return search(command.kind === 'child' ? [...start, ...inside(command.path)] : start, record?.path ?? '');
    },
  };
}

function editedReason(record: JournalEntry): readonly ReplayReason[] {
  return [{ event: record.finalEvent ?? record.issueEvent, as: 'edited' }];
}

function suspicionReasons(
  suspicion: Suspicion,
  input: ReasonInput,
  commandsByPath: ReadonlyMap<string, ReplayCommand>,
): readonly ReplayReason[] {
  const { by, resource } = suspicion;
  const entry = input.journal.entriesByPath.get(by.path);
  if (entry === undefined) return originReason(input, `world:${resource}`);
  const command = commandsByPath.get(by.path);
  const start =
    command === undefined ? recordDependencies(entry, input.journal) : commandDependencies(command, input.journal);
  const rest = input.edited.has(entry.path) ? editedReason(entry) : findPath(start, entry.path, input, commandsByPath);
  return [{ event: entry.issueEvent, as: `world:${resource}` }, ...rest];
}

/** Breadth first through what fell, until something that was edited; else to the farthest known fall; else undeclared. */
function findPath(
  start: readonly Dependency[],
  self: string,
  input: ReasonInput,
  commandsByPath: ReadonlyMap<string, ReplayCommand>,
): readonly ReplayReason[] {
  const seen = new Set<string>([self]);
  const queue: { readonly at: Dependency; readonly path: readonly ReplayReason[] }[] = [];
  const push = (dependencies: readonly Dependency[], path: readonly ReplayReason[]): void => {
    for (const at of dependencies) {
      if (seen.has(at.entry.path)) continue;
      seen.add(at.entry.path);
      queue.push({ at, path: [...path, { event: at.event, as: at.as }] });
    }
  };
  push(start, []);
  let fell: readonly ReplayReason[] | undefined;
  for (let n = 0; n < queue.length && n < mostSteps; n++) {
    const item = queue[n];
    if (item === undefined) break;
    const { entry } = item.at;
    if (input.edited.has(entry.path)) return item.path;
    if (!input.fallen.has(entry.path)) continue;
    fell = item.path;
    const command = commandsByPath.get(entry.path);
    push(
      command?.record === entry
        ? commandDependencies(command, input.journal)
        : recordDependencies(entry, input.journal),
      item.path,
    );
  }
  return fell ?? originReason(input, input.originAs === 'edited' ? 'undeclared' : input.originAs);
}

/** Longest search; beyond it the reason is given as undeclared rather than late. */
const mostSteps = 2_000;

/** A child that runs in the program ends as what happens inside it: the records of its scope that fell, and what its new commands use. */
function insideOf(path: string, { journal, commands, fallen }: ReasonInput): readonly Dependency[] {
  const out: Dependency[] = [];
  const isInside = (scope: string): boolean => scope === path || scope.startsWith(`${path}/`);
  for (const entry of journal.entries) {
    if (!isInside(entry.scope) || !fallen.has(entry.path)) continue;
    out.push({ entry, event: entry.finalEvent ?? entry.issueEvent, as: 'inside' });
  }
  for (const command of commands) {
    if (isInside(command.scope) && command.match === 'inserted') out.push(...commandDependencies(command, journal));
  }
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
