/**
 * Token counts in records of their own (rule `usage-of-call`): each count goes to one model call, and the same total told again goes
 * where it went the first time, so that nothing is summed twice.
 */
import type { Group, PlannedPart, Scope } from './plan.ts';

export function linkUsage(scope: Scope): void {
  const byName = new Map<string, Group>();
  for (const entry of scope.entries)
    for (const { group } of entry.parts) if (group !== undefined) byName.set(group.name, group);
  let current: Group | undefined;
  let waiting: PlannedPart[] = [];
  let lastTotal: string | undefined;
  let lastPart: PlannedPart | undefined;
  for (const entry of scope.entries) {
    for (const part of entry.parts) {
      if (part.stub.kind !== 'usage') {
        if (part.group === undefined || part.group === current) continue;
        current = part.group;
        if (current.counted || current.failed) continue;
        for (const one of waiting) give(one, current);
        if (waiting.length > 0) current.counted = true;
        waiting = [];
        continue;
      }
      const [total] = part.stub.prints;
      if (part.stub.key !== undefined) {
        const named = byName.get(part.stub.key);
        if (named !== undefined) give(part, named);
      } else if (total === lastTotal && lastPart !== undefined) {
        part.merged = true;
        if (lastPart.group !== undefined) give(part, lastPart.group);
        else if (waiting.includes(lastPart)) waiting.push(part);
        else part.merged = false;
        continue;
      } else if (current !== undefined && !current.counted && !current.failed) {
        give(part, current);
        current.counted = true;
      } else waiting = [part];
      lastTotal = total;
      lastPart = part;
    }
  }
  // The record of each count is a piece of the call it was given to.
  for (const entry of scope.entries) {
    for (const part of entry.parts) if (part.stub.kind === 'usage') part.group?.entries.add(entry);
  }
}

function give(part: PlannedPart, group: Group): void {
  part.group = group;
  part.rule = 'usage-of-call';
}
