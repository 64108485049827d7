/**
 * Mixed execution (R42, R43): finds events whose references leave the line they belong to.
 *
 * Rules of 3.7: an event is in one branch; `supersedes` names an ancestor's record that the branch does not inherit; causes lie
 * in what the branch inherits or in the branch; a transition consumes a version of its own line; siblings never cite each
 * other. Each violation names both events.
 */
import type { EventId, HindcastEvent } from '../model/index.ts';
import { branchToExcluded, branchToLineage } from './branch-journal.ts';
import { dataOf } from './contents.ts';

export interface MixedBranch {
  readonly code: 'mixed-branch';
  readonly rule: 'one-branch' | 'supersedes' | 'cause' | 'from-version' | 'no-parent';
  readonly message: string;
  /** The event, and the one it must not refer to. */
  readonly events: readonly [EventId, EventId];
}

export function computeMixedBranches(events: readonly HindcastEvent[]): readonly MixedBranch[] {
  return new Validator(events).run();
}

class Validator {
  private readonly events: readonly HindcastEvent[];
  private readonly found: MixedBranch[] = [];
  private readonly eventsById = new Map<EventId, HindcastEvent>();
  private readonly lineages = new Map<string, readonly string[] | undefined>();
  private readonly excluded = new Map<string, ReadonlySet<string>>();

  constructor(events: readonly HindcastEvent[]) {
    this.events = events;
  }

  run(): readonly MixedBranch[] {
    for (const event of this.events) {
      const other = this.eventsById.get(event.id);
      if (other === undefined) this.eventsById.set(event.id, event);
      else if (other.branch !== event.branch)
        this.report(
          'one-branch',
          event,
          other.id,
          `${event.id} stands on the branches ${other.branch} and ${event.branch}.`,
        );
    }
    for (const event of this.events) {
      if (event.branch !== 'main') this.checkBranchEvent(event);
      else for (const cause of event.causes ?? []) this.checkCause(event, cause.event);
    }
    this.checkVersions();
    return this.found;
  }

  private checkBranchEvent(event: HindcastEvent): void {
    if (this.lineageOf(event.branch) === undefined) {
      this.report(
        'no-parent',
        event,
        event.id,
        `${event.id} is on the branch ${event.branch}, whose parents are not in the stream.`,
      );
      return;
    }
    for (const cause of event.causes ?? []) this.checkCause(event, cause.event);
    if (event.type === 'observation.reused' && event.data.event !== undefined) this.checkCause(event, event.data.event);
    if (event.supersedes !== undefined) this.checkSupersedes(event, event.supersedes);
  }

  private checkCause(event: HindcastEvent, id: EventId): void {
    const cause = this.eventsById.get(id);
    // A dangling cause is another problem, found elsewhere.
    if (cause === undefined || cause.branch === event.branch || this.inherits(event.branch, cause)) return;
    const why =
      this.lineageOf(event.branch)?.includes(cause.branch) === true
        ? `which ${event.branch} does not inherit`
        : `of the branch ${cause.branch}`;
    this.report('cause', event, id, `${event.id} on ${event.branch} cites ${id}, ${why}.`);
  }

  private checkSupersedes(event: HindcastEvent, id: EventId): void {
    const target = this.eventsById.get(id);
    if (target === undefined) return;
    const isAncestor = target.branch !== event.branch && this.lineageOf(event.branch)?.includes(target.branch) === true;
    if (isAncestor && !this.inherits(event.branch, target)) return;
    const why = isAncestor ? 'the branch also inherits it' : 'it is not a record of an ancestor';
    this.report('supersedes', event, id, `${event.id} supersedes ${id}, but ${why}.`);
  }

  /** On each line a version is made once, and consumed only where it was made. */
  private checkVersions(): void {
    const made = new Map<string, HindcastEvent[]>();
    const transitions = this.events.filter((event) => event.type === 'state.transitioned');
    for (const event of transitions) {
      const key = versionKey(event, 'to');
      const list = made.get(key);
      if (list === undefined) made.set(key, [event]);
      else list.push(event);
    }
    for (const event of transitions) {
      if (dataOf(event)['from'] === undefined) continue;
      const makers = made.get(versionKey(event, 'from')) ?? [];
      const [first] = makers;
      if (first === undefined) continue;
      if (makers.some((maker) => maker.branch === event.branch || this.inherits(event.branch, maker))) continue;
      this.report(
        'from-version',
        event,
        first.id,
        `${event.id} on ${event.branch} consumes a version that ${first.id} made on ${first.branch}.`,
      );
    }
  }

  private inherits(branch: string, event: HindcastEvent): boolean {
    const lineage = this.lineageOf(branch);
    const from = lineage?.indexOf(event.branch) ?? -1;
    if (lineage === undefined || from < 0) return false;
    return lineage.slice(from + 1).every((line) => !this.excludedOf(line).has(event.id));
  }

  private lineageOf(branch: string): readonly string[] | undefined {
    if (!this.lineages.has(branch)) this.lineages.set(branch, branchToLineage(this.events, branch));
    return this.lineages.get(branch);
  }

  private excludedOf(branch: string): ReadonlySet<string> {
    const known = this.excluded.get(branch);
    if (known !== undefined) return known;
    const made = branchToExcluded(this.events, branch);
    this.excluded.set(branch, made);
    return made;
  }

  private report(rule: MixedBranch['rule'], event: HindcastEvent, other: EventId, message: string): void {
    this.found.push({ code: 'mixed-branch', rule, message, events: [event.id, other] });
  }
}

function versionKey(event: HindcastEvent, end: 'from' | 'to'): string {
  const data = dataOf(event);
  const name = data['name'];
  return `${event.run} ${typeof name === 'string' ? name : ''} ${JSON.stringify(data[end] ?? null)}`;
}
