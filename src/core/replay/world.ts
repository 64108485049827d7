/**
 * The world rule (I3, I4): reads that may have seen what a changed, inserted, superseded or vanished effect touched.
 *
 * Works on one finished pass. The caller withholds what is found and runs again; the set only grows.
 */
import type { JournalEntry } from './journal-types.ts';
import type { PassResult, ReplayCommand } from './pass-types.ts';
import type { Position } from './position.ts';
import { type Touch, meeting, touchOf } from './resources.ts';
import type { ToolInfo } from './run-info.ts';
import { createTouchIndex } from './touch-index.ts';

export interface WorldTouch {
  /** Path of the command or record that touched the world differently. */
  readonly path: string;
  readonly event: string | undefined;
  readonly from: Position;
  readonly touch: Touch;
}

export interface Suspicion {
  readonly record: JournalEntry;
  readonly by: WorldTouch;
  /** The resource, or `world-unknown`. */
  readonly resource: string;
}

export interface WorldInput {
  readonly entries: readonly JournalEntry[];
  readonly pass: PassResult;
  readonly edited: ReadonlySet<string>;
  readonly tools: ReadonlyMap<string, ToolInfo>;
  /** Touches of earlier segments that were run again: before everything here. */
  readonly earlier: readonly WorldTouch[];
}

export function computeSuspicions(input: WorldInput): readonly Suspicion[] {
  const { entries, pass, edited, tools } = input;
  const touches = [...input.earlier, ...computeTouches(input)];
  if (touches.length === 0) return [];
  const index = createTouchIndex(touches);
  const out: Suspicion[] = [];
  for (const record of entries) {
    if (
      !isWorldRead(record, tools) ||
      !pass.claimed.has(record.path) ||
      edited.has(record.path) ||
      record.delivered === undefined
    )
      continue;
    const read = touchOf(record.reads, 'reads', record, tools);
    const first = index.findFirst(read, record.delivered);
    const by = first === undefined ? undefined : touches[first];
    const resource = by === undefined ? undefined : meeting(read, by.touch);
    if (by !== undefined && resource !== undefined) out.push({ record, by, resource });
  }
  return out;
}

/** Tool reads, and anything that declares what it reads. Policies, environment and inputs read no service unless they say so. */
function isWorldRead(record: JournalEntry, tools: ReadonlyMap<string, ToolInfo>): boolean {
  if (record.reads !== undefined) return record.reads.length > 0;
  return record.kind === 'read' && (!record.oneEvent || tools.get(record.name)?.reads !== undefined);
}

export function computeTouches({ entries, pass, edited, tools }: Omit<WorldInput, 'earlier'>): readonly WorldTouch[] {
  const touches: WorldTouch[] = [];
  const accounted = new Set<string>();
  for (const command of pass.commands) {
    const { record } = command;
    if (record !== undefined) accounted.add(record.path);
    if (!touchesWorld(command, tools) && (record === undefined || !touchesWorld(record, tools))) continue;
    if (command.match === 'claimed') {
      const replaced = record !== undefined && edited.has(record.path);
      if (replaced && record.issued !== undefined) touches.push(recordTouch(record, tools));
    } else if (command.match === 'changed' && record?.issued !== undefined) {
      touches.push(recordTouch(record, tools), commandTouch(command, record.issued, tools));
    } else if (command.match === 'inserted') touches.push(commandTouch(command, command.moment, tools));
  }
  for (const record of entries) {
    if (accounted.has(record.path) || record.issued === undefined || !touchesWorld(record, tools)) continue;
    touches.push(recordTouch(record, tools));
  }
  return touches;
}

function touchesWorld(item: JournalEntry | ReplayCommand, tools: ReadonlyMap<string, ToolInfo>): boolean {
  const writes = item.writes ?? tools.get(item.name)?.writes;
  return writes === undefined ? item.kind === 'write' : writes.length > 0;
}

function recordTouch(record: JournalEntry, tools: ReadonlyMap<string, ToolInfo>): WorldTouch {
  return {
    path: record.path,
    event: record.issueEvent,
    from: record.issued ?? '0',
    touch: touchOf(record.writes, 'writes', record, tools),
  };
}

function commandTouch(command: ReplayCommand, from: Position, tools: ReadonlyMap<string, ToolInfo>): WorldTouch {
  return {
    path: command.path,
    event: command.record?.issueEvent,
    from,
    touch: touchOf(command.writes, 'writes', command, tools),
  };
}
