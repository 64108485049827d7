/** Inserted and replaced records say who, under which authority, and when (R58). */
import type { EventOf, HindcastEvent } from '../../model/index.ts';
import type { Finding } from '../../projections/trace-reader.ts';
import { listToText } from '../../projections/effects/words.ts';
import type { AuditView } from '../audit-view.ts';
import { type Rule, createFinding } from '../rule.ts';

export const editedRecords: Rule = {
  id: 'edited-records',
  title: 'Who inserted or replaced records, under which authority, and when',
  severity: 'violation',
  establishes:
    'A record replaces another, was supplied by hand, or tells of privileged access, and does not say who did it, by which authority, or when.',
  leavesOpen: 'Edits that left no trace at all: nothing in a stream can show those.',
  requirements: ['R58'],
  run: (audit) => [...editedEvents(audit), ...incompleteAccess(audit), ...unrecordedAccess(audit)],
};

function editedEvents(audit: AuditView): Finding[] {
  return audit.edits().flatMap((event) => {
    const lacks = [
      event.principal === undefined ? 'who made it' : '',
      event.replay === undefined && event.principal?.privileged_path === undefined && !isAuthorized(event)
        ? 'by which authority'
        : '',
      event.time === undefined && operationTime(audit, event) === undefined ? 'when' : '',
    ].filter((lack) => lack !== '');
    return lacks.length === 0 ? [] : [toFinding(event, 'An inserted or replaced record', lacks)];
  });
}

function isAuthorized(event: HindcastEvent): boolean {
  return event.causes?.some(({ as }) => as === 'authorized_by') ?? false;
}

/** Events of a replay carry no time of their own; the operation that made them does. */
function operationTime(audit: AuditView, event: HindcastEvent): string | undefined {
  return audit.events('replay.started').find((start) => start.branch === event.branch && start.replay === event.replay)
    ?.time;
}

function incompleteAccess(audit: AuditView): Finding[] {
  return audit.events('access.exercised').flatMap((event) => {
    const lacks = [
      event.principal === undefined && event.agent === undefined ? 'who used it' : '',
      event.data.role === undefined &&
      event.data.authority === undefined &&
      event.principal?.privileged_path === undefined
        ? 'by which authority'
        : '',
      event.time === undefined ? 'when' : '',
    ].filter((lack) => lack !== '');
    return lacks.length === 0 ? [] : [toFinding(event, 'A record of privileged access', lacks)];
  });
}

/** A privileged path named on an act, in a stream that keeps an access log, without an entry for it. */
function unrecordedAccess(audit: AuditView): Finding[] {
  const log = audit.events('access.exercised');
  const logged = new Set(log.map(({ run }) => run));
  return audit.events('tool_call.dispatched').flatMap((event) => {
    const path = event.principal?.privileged_path;
    // A run without any entry keeps none, and that is told apart.
    if (!logged.has(event.run)) return [];
    if (path === undefined || event.replayed === true || hasEntry(log, event)) return [];
    return [
      createFinding(editedRecords, {
        subject: event.id,
        title: `Privileged access "${path}": no entry in the access log`,
        text: `${event.id} was made through the privileged path "${path}"; the access log of this trace has no entry for it.`,
        evidence: [event.id],
        known: [`The call names the privileged path "${path}".`],
        unknown: ['Whether the access was logged elsewhere.'],
        command: event.command?.path,
      }),
    ];
  });
}

function hasEntry(log: readonly EventOf<'access.exercised'>[], event: EventOf<'tool_call.dispatched'>): boolean {
  return log.some((entry) => {
    if (entry.causes?.some((cause) => cause.event === event.id) === true) return true;
    const isSamePath =
      entry.principal?.privileged_path === event.principal?.privileged_path ||
      entry.data.role === event.principal?.privileged_path;
    return isSamePath && entry.run === event.run && (entry.step === undefined || entry.step === event.step);
  });
}

function toFinding(event: HindcastEvent, what: string, lacks: readonly string[]): Finding {
  return createFinding(editedRecords, {
    subject: event.id,
    title: `${what} does not say ${listToText(lacks)}`,
    text: `${what} (${event.id}, ${event.type}) does not say ${listToText(lacks)}.`,
    evidence: [event.id, ...(event.supersedes === undefined ? [] : [event.supersedes])],
    known: event.supersedes === undefined ? [] : [`It replaces ${event.supersedes}.`],
    unknown: lacks.map((lack) => `${lack.charAt(0).toUpperCase()}${lack.slice(1)}: not recorded.`),
    command: event.command?.path,
  });
}
