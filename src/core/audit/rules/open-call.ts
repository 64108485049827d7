/** Model calls and reads that have no recorded end (R26). Outside effects are told by the gap rules. */
import type { EventId, EventOf, HindcastEvent } from '../../model/index.ts';
import { lifeKey } from '../../projections/effects/lives.ts';
import type { Finding } from '../../projections/trace-reader.ts';
import { killToSentence, absenceToSentence, absenceWord } from '../attempt-words.ts';
import type { AuditView } from '../audit-view.ts';
import { type Rule, createFinding } from '../rule.ts';

type Call = EventOf<'model_call.requested'> | EventOf<'tool_call.dispatched'>;

const endings: ReadonlySet<string> = new Set([
  'model_call.completed',
  'model_call.failed',
  'model_call.cancelled',
  'tool_call.completed',
  'tool_call.failed',
  'tool_call.timed_out',
  'tool_call.cancelled',
  'tool_call.result_persisted',
  // A call that was refused ends there.
  'approval.denied',
]);

export const openCall: Rule = {
  id: 'call-without-end',
  title: 'Model calls and reads that have a recorded end',
  severity: 'gap',
  establishes: 'A call without outside effect was issued, and no answer, failure or cancellation of it is recorded.',
  leavesOpen: 'Whether it was answered.',
  requirements: ['R26', 'R29', 'R30'],
  run: (audit) => {
    const outside = new Set(
      audit.ledger.commands.flatMap(({ attempts }) =>
        attempts.flatMap(({ records }) => records.dispatched.map(({ id }) => id)),
      ),
    );
    const open = audit
      .events('model_call.requested', 'tool_call.dispatched')
      .filter(
        (event) =>
          event.replayed !== true &&
          event.origin === undefined &&
          !outside.has(event.id) &&
          !audit.isRepeat(event.id) &&
          !isEnded(audit, event),
      );
    if (open.length === 0) return [];
    const isAnswered = createCallIdJoin(audit);
    return open.filter((event) => !isAnswered(event)).map((event) => toFinding(audit, event));
  },
};

function isEnded(audit: AuditView, event: Call): boolean {
  return audit
    .effectsOf(event.id)
    .some((effect) => endings.has(effect.type) || endsBehind(audit, effect.event, effect.type));
}

/** An ending may name the acknowledgement instead of the request. */
function endsBehind(audit: AuditView, id: EventId, type: string): boolean {
  if (type !== 'tool_call.acknowledged' && type !== 'model_call.served') return false;
  return audit.effectsOf(id).some((effect) => endings.has(effect.type));
}

const callEndings = [
  'tool_call.completed',
  'tool_call.failed',
  'tool_call.timed_out',
  'tool_call.cancelled',
  'tool_call.result_persisted',
] as const;

/** Whether an ending that names no request shares the call id, as the ledger joins outside calls: in one life, or with one call alone. */
function createCallIdJoin(audit: AuditView): (event: Call) => boolean {
  const ended = new Set<string>();
  for (const event of audit.events(...callEndings)) {
    const isSilent = !(event.causes ?? []).some(({ as }) => as === 'result_of');
    if (isSilent) for (const key of callKeys(event)) ended.add(key);
  }
  const calls = new Map<string, number>();
  for (const event of audit.events('tool_call.dispatched'))
    for (const key of callKeys(event).slice(1)) calls.set(key, (calls.get(key) ?? 0) + 1);
  return (event) => {
    const [own, any] = callKeys(event);
    if (own === undefined || any === undefined) return false;
    return ended.has(own) || (ended.has(any) && calls.get(any) === 1);
  };
}

/** The call id within the life that wrote it, and within the run. */
function callKeys(event: HindcastEvent): readonly string[] {
  const call = event.data?.['call_id'];
  if (typeof call !== 'string' || call === '') return [];
  return [`${event.run}|${lifeKey(event.source)}|${call}`, `${event.run}|${call}`];
}

function toFinding(audit: AuditView, event: Call): Finding {
  const life = audit.ledger.lives.of(event);
  const name =
    event.type === 'model_call.requested'
      ? (event.command?.name ?? event.data.request_model)
      : (event.data.tool ?? event.command?.name);
  const what = event.type === 'model_call.requested' ? 'Model call' : 'Call of';
  const word = absenceWord(life, audit.ledger.declarations);
  return createFinding(openCall, {
    subject: event.id,
    title: `${what} ${name === undefined ? '(name not recorded)' : `"${name}"`}: end ${word}`,
    text: `${event.id} was issued; an end of it is ${word}.${life?.killed === true ? ` ${killToSentence(life)}` : ''}`,
    evidence: [event.id, ...(life?.exited === undefined ? [] : [life.exited.id])],
    known: ['The call was issued.'],
    unknown: [absenceToSentence('end of the call', life, audit.ledger.declarations)],
    command: event.command?.path,
    interval: 'between the call and its end',
  });
}
