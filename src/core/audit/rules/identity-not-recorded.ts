/** Agent, selecting step and session on what agents do (R15, R16). One finding a field. */
import type { EventId, HindcastEvent } from '../../model/index.ts';
import { countToText } from '../../projections/effects/words.ts';
import { type Rule, createFinding } from '../rule.ts';

export const identityNotRecorded: Rule = {
  id: 'identity-not-recorded',
  title: 'Agent, selecting step and session of every act',
  severity: 'notice',
  establishes: 'Acts of agents lack the field that says whose they are, which step chose them, or in which session.',
  leavesOpen: 'Who it was. Nothing is filled in.',
  requirements: ['R15', 'R16'],
  run: (audit) => {
    const calls = audit.events('tool_call.dispatched').filter(isFirst);
    const outputs: readonly HindcastEvent[] = [
      ...audit.events('decision.made', 'model_call.requested', 'message.sent', 'artifact.produced').filter(isFirst),
      ...calls,
    ];
    const lacks: readonly (readonly [string, readonly HindcastEvent[]])[] = [
      ['agent', outputs.filter(({ agent }) => agent === undefined)],
      ['selecting step', calls.filter((event) => event.step === undefined && !hasSelector(event))],
      ['session', calls.filter(({ session }) => session === undefined)],
    ];
    return lacks
      .filter(([, events]) => events.length > 0)
      .map(([field, events]) =>
        createFinding(identityNotRecorded, {
          subject: field,
          title: `${field.charAt(0).toUpperCase()}${field.slice(1)} not recorded on ${countToText(events.length, 'act')}`,
          text: `No ${field} is recorded on ${countToText(events.length, 'act')} of agents.`,
          evidence: events.slice(0, 50).map(({ id }): EventId => id),
          known: [],
          unknown: [`The ${field} of these acts.`],
        }),
      );
  },
};

function isFirst(event: HindcastEvent): boolean {
  return event.replayed !== true && event.origin === undefined;
}

function hasSelector(event: HindcastEvent): boolean {
  return event.causes?.some(({ as, grade }) => as === 'selected_by' && grade !== 'clock-only') ?? false;
}
