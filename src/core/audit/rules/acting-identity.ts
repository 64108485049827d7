/** An inserted record is never the principal's own; who acts and for whom are two fields (R59). */
import type { EventId, HindcastEvent } from '../../model/index.ts';
import type { Finding } from '../../projections/trace-reader.ts';
import { countToText } from '../../projections/effects/words.ts';
import type { AuditView } from '../audit-view.ts';
import { type Rule, createFinding } from '../rule.ts';

export const actingIdentity: Rule = {
  id: 'acting-identity',
  title: 'Who acted, and on whose behalf, as two separate fields',
  severity: 'violation',
  establishes:
    'A record that was inserted carries the identity of an agent, or a consequential act names only one of the two identities.',
  leavesOpen: 'Whether the named identity is true: the stream is not signed here.',
  requirements: ['R59', 'R61'],
  run: (audit) => [...injected(audit), ...oneSided(audit)],
};

function injected(audit: AuditView): Finding[] {
  return audit
    .edits()
    .filter((event) => event.agent !== undefined)
    .map((event) =>
      createFinding(actingIdentity, {
        subject: event.id,
        title: `An inserted record stands under the agent "${event.agent ?? ''}"`,
        text: `${event.id} (${event.type}) was inserted or replaces a record, and carries the agent "${event.agent ?? ''}" as if that agent had made it.`,
        evidence: [event.id, ...(event.supersedes === undefined ? [] : [event.supersedes])],
        known: [`Principal: ${event.principal?.id ?? 'not recorded'}.`],
        unknown: ['Whether the agent made this record.'],
        command: event.command?.path,
      }),
    );
}

/** Acts that somebody answers for. */
function oneSided(audit: AuditView): Finding[] {
  const outside = audit.ledger.commands.filter(({ stopped }) => stopped === undefined).map(({ first }) => first);
  const acts: readonly HindcastEvent[] = [
    ...outside,
    ...audit.events('approval.granted', 'approval.denied', 'access.exercised'),
  ].filter((event) => event.replayed !== true);
  const byLack = new Map<string, EventId[]>();
  for (const event of acts) {
    const lack = lackOf(event);
    if (lack === undefined) continue;
    const list = byLack.get(lack);
    if (list === undefined) byLack.set(lack, [event.id]);
    else list.push(event.id);
  }
  return [...byLack].map(([lack, events]) =>
    createFinding(actingIdentity, {
      subject: lack,
      severity: 'notice',
      title: `${lack}: not recorded for ${countToText(events.length, 'act')}`,
      text: `For ${countToText(events.length, 'consequential act')} ${lack === noIdentity ? 'no identity is recorded' : 'only one identity is recorded'}; missing: ${lack.charAt(0).toLowerCase()}${lack.slice(1)}.`,
      evidence: events,
      known: [],
      unknown: [`${lack}.`],
    }),
  );
}

const noIdentity = 'Who acted and under whose authority';

function lackOf(event: HindcastEvent): string | undefined {
  const { agent, principal } = event;
  if (principal === undefined) return agent === undefined ? noIdentity : 'Under whose authority the agent acted';
  // A person who acts for themselves is both; a service or an agent acts for somebody.
  if (principal.kind === 'human' || principal.on_behalf_of !== undefined) return undefined;
  return 'On whose behalf the principal acted';
}
