/**
 * What is said once about a whole import: assumptions about times and order, sessions that no record names, records that share an id.
 */
import type { Problem } from '../format.ts';
import type { Entry, Plan } from './plan.ts';

export function sessionNotices(plan: Plan, names: readonly string[]): readonly Problem[] {
  const notices: Problem[] = [];
  for (const info of plan.sessions.values()) {
    const file = names[info.file] ?? '';
    const place = { file, offset: 0 };
    if (info.recorded === undefined) {
      const message = `No record of ${file} names its session. The run id was made from the records (rule no-session).`;
      notices.push({ code: 'session-not-recorded', message, place, severity: 'notice' });
    }
    if (info.parentSession !== undefined && !plan.sessions.has(info.parentSession)) {
      const message = `The session ${info.recorded ?? info.key} was started by ${info.parentSession}, which is in no file opened.`;
      notices.push({ code: 'parent-session-absent', message, place, severity: 'notice' });
    }
  }
  noteTimes(plan, names, notices);
  for (const scope of plan.scopes.values()) {
    if (!scope.byTime) continue;
    const file = names[scope.entries[0]?.stub.file ?? 0] ?? '';
    const message = `The records of ${file} stand in an order that their times contradict. They are used in the order of their times, and what follows from the order alone is drawn as clock-only.`;
    notices.push({ code: 'order-by-time', message, place: { file, offset: 0 }, severity: 'notice' });
  }
  for (const problem of conflicts(plan, names)) notices.push(problem);
  return notices;
}

function noteTimes(plan: Plan, names: readonly string[], notices: Problem[]): void {
  const files = new Map<number, { zoneless: number; zoned: number; untimed: number; session: string }>();
  const timed = new Set<string>();
  for (const { stub, session } of plan.entries) {
    const seen = files.get(stub.file) ?? { zoneless: 0, zoned: 0, untimed: 0, session };
    if (stub.time === undefined) seen.untimed++;
    else if (stub.zoneless) seen.zoneless++;
    else seen.zoned++;
    files.set(stub.file, seen);
    if (stub.time !== undefined) timed.add(session);
  }
  const alone: string[] = [];
  for (const [index, { zoneless, zoned, untimed, session }] of files) {
    const file = names[index] ?? '';
    const place = { file, offset: 0 };
    if (zoneless > 0) {
      if (zoneless + zoned + untimed === 1) alone.push(file);
      else notices.push(zonelessNotice(zoneless, file));
      if (zoned > 0) {
        const mixed = `${file} mixes times with and without a zone: ${String(zoned)} with, ${String(zoneless)} without.`;
        notices.push({ code: 'mixed-zones', message: mixed, place, severity: 'notice' });
      }
    }
    // A file of one record has no order of its own, where its session has times in other files.
    if (zoneless + zoned === 0 && untimed > 0 && (untimed > 1 || !timed.has(session))) {
      const message = `No record of ${file} has a time. Its order is that of the file.`;
      notices.push({ code: 'no-times', message, place, severity: 'notice' });
    }
  }
  // Files of one record each, of which there may be thousands, are said once.
  const [first, another] = alone;
  if (first !== undefined) {
    const others = another === undefined ? '' : ` and ${String(alone.length - 1)} other files`;
    notices.push(zonelessNotice(alone.length, `${first}${others}`, first));
  }
}

function zonelessNotice(count: number, where: string, file = where): Problem {
  const message = `${String(count)} records of ${where} have times without a zone. They are shown as if they were UTC, on a clock of their own; their distance to other clocks is not known.`;
  return { code: 'time-without-zone', message, place: { file, offset: 0 }, severity: 'notice' };
}

/** Records that say different things under one id, and are no pieces of one answer. */
function conflicts(plan: Plan, names: readonly string[]): readonly Problem[] {
  const first = new Map<string, Entry>();
  const problems: Problem[] = [];
  for (const entry of plan.entries) {
    const { id } = entry.stub;
    if (id === undefined || entry.copyOf !== undefined) continue;
    if (entry.parts.length > 0 && entry.parts.every(({ own }) => own === undefined)) continue;
    const key = `${entry.session}|${id}`;
    const known = first.get(key);
    if (known === undefined) {
      first.set(key, entry);
      continue;
    }
    const file = names[entry.stub.file] ?? '';
    const message = `Line ${String(entry.stub.line)} of ${file} has the id "${id}" of line ${String(known.stub.line)}, which says something else. Both are kept, each under an id of its own.`;
    const place = { file, line: entry.stub.line, offset: 0 };
    problems.push({ code: 'conflicting-id', message, place, severity: 'problem' });
  }
  return problems;
}
