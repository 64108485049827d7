/**
 * A replay as golden cases read it: commands by path, effects by what they do, last states, and whether the run came to its end.
 *
 * Invariant: read from one report, with no other source. Used when a case is pinned and when it is run.
 */
import type { JsonValue } from '../base/json.ts';
import type { CommandReport, ReplayReport } from '../replay/index.ts';
import { hasEnded, isMove, pathToSegment } from '../replay/index.ts';

export interface Seen {
  /** The run ended, so what is not there will not come. */
  readonly ended: boolean;
  /** In order of issue, without those that were given up before they were sent. */
  readonly commands: readonly CommandReport[];
  /** What the recorded command at this path became: the one that took its record, wherever it is asked for now, else the one at the path. */
  command(path: string): CommandReport | undefined;
  /** Writes of this name and these arguments. */
  countSame(name: string, args: string): number;
  /** Digest of the last version. */
  state(name: string): string | undefined;
  stateNames(): readonly string[];
  /** Paths of the transitions of a state. */
  transitions(name: string): readonly string[];
}

export function reportToSeen(report: ReplayReport): Seen {
  const commands = report.commands.filter(({ status }) => status !== 'ambiguous' && status !== 'cancelled');
  const byPath = new Map(commands.map((command) => [command.path, command]));
  const byEvent = new Map(
    commands.flatMap((command) => (command.event === undefined ? [] : [[command.event, command]])),
  );
  const byRecord = new Map<string, CommandReport>();
  for (const { path, event } of report.records) {
    const taker = byEvent.get(event);
    if (taker !== undefined) byRecord.set(path, taker);
  }
  // A place whose record went elsewhere and that another command has now is not the recorded command.
  const moved = new Set(commands.flatMap(({ path, rule }) => (isMove(rule) ? [path] : [])));
  const counts = new Map<string, number>();
  for (const { kind, name, argsDigest } of commands) {
    if (kind !== 'write') continue;
    const key = `${name} ${argsDigest ?? ''}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const states = new Map<string, { digest: string; paths: string[] }>();
  for (const { name, path, digest } of report.states) {
    const known = states.get(name);
    if (known === undefined) states.set(name, { digest, paths: [path] });
    else {
      known.digest = digest;
      known.paths.push(path);
    }
  }
  return {
    ended: hasEnded(report.outcome),
    commands,
    command: (path) => byRecord.get(path) ?? (moved.has(path) ? undefined : byPath.get(path)),
    countSame: (name, args) => counts.get(`${name} ${args}`) ?? 0,
    state: (name) => states.get(name)?.digest,
    stateNames: () => [...states.keys()],
    transitions: (name) => states.get(name)?.paths ?? [],
  };
}

/** “, moved to PATH” where the recorded command is asked for elsewhere now. */
export function movedToText(seen: Seen, target: string): string {
  const path = seen.command(target)?.path;
  return path === undefined || path === target ? '' : `, moved to ${path}`;
}

/** What a decision came to; undefined where it was not made. */
export function chosenOf(command: CommandReport | undefined): JsonValue | undefined {
  return command?.kind === 'decide' && command.outcome?.kind === 'ok' ? command.outcome.value : undefined;
}

/** Whether the first was answered before the second was asked, by what the program really did. */
export function isBefore(first: CommandReport, second: CommandReport): boolean {
  const segments = pathToSegment(first.path) - pathToSegment(second.path);
  if (segments !== 0) return segments < 0;
  const answered = first.acts?.delivered;
  const asked = second.acts?.issued;
  return answered !== undefined && asked !== undefined && answered < asked;
}
