/** What an edit would invalidate cannot be computed where these records are missing (R45). */
import { isFrame, saysWhatItUsed } from '../../causal/index.ts';
import type { EventId, HindcastEvent } from '../../model/index.ts';
import { countToText } from '../../projections/effects/words.ts';
import type { AuditView } from '../audit-view.ts';
import { type Rule, createFinding } from '../rule.ts';

interface Lack {
  /** One of them, and several. */
  readonly what: readonly [string, string];
  readonly events: readonly EventId[];
}

export const insufficientForInvalidation: Rule = {
  id: 'insufficient-for-invalidation',
  title: 'Records needed to say what an edit would invalidate',
  severity: 'notice',
  establishes:
    'For these events nothing says what they consumed or what came of them: after an edit their state is unknown, not kept.',
  leavesOpen: 'Whether they depended on anything: a missing reference is not a missing dependency.',
  requirements: ['R45'],
  run: (audit) => {
    const lacks = [...commandLacks(audit), ...transitionLacks(audit)].filter(({ events }) => events.length > 0);
    if (lacks.length === 0) return [];
    return [
      createFinding(insufficientForInvalidation, {
        subject: 'trace',
        title: 'Not enough recorded to compute every invalidated suffix',
        text: `After an edit, the state of some events would be unknown: ${lacks.map(({ what, events }) => countToText(events.length, ...what)).join('; ')}.`,
        evidence: lacks.flatMap(({ events }) => events.slice(0, 10)),
        known: lacks.map(({ what, events }) => `${countToText(events.length, ...what)}.`),
        unknown: ['What these events depended on.'],
      }),
    ];
  },
};

function commandLacks(audit: AuditView): Lack[] {
  const issued = audit.events('model_call.requested', 'tool_call.dispatched', 'decision.made');
  const endings = audit.events('model_call.completed', 'tool_call.completed');
  return [
    {
      what: ['command or decision without any recorded cause', 'commands or decisions without any recorded cause'],
      events: ids(issued.filter(isRootless)),
    },
    {
      // Of one where another of its agent has no cause at all, and is counted above.
      what: [
        'command or decision of an agent of which nothing says what it used',
        'commands or decisions of agents of which nothing says what they used',
      ],
      events: ids(withoutUses(audit, issued)),
    },
    {
      what: ['result whose value is not recorded', 'results whose value is not recorded'],
      events: ids(
        endings.filter(
          ({ data, replayed }) => replayed !== true && data.result === undefined && data.error === undefined,
        ),
      ),
    },
  ];
}

/** Nothing says what it came from: no cause but order by clock. The first command of a run may truly have none. */
function isRootless(event: HindcastEvent): boolean {
  if (event.replayed === true || event.command?.issued === 0) return false;
  return !(event.causes ?? []).some(({ grade }) => grade !== 'clock-only');
}

/**
 * Of agents whose records name their step and their authority at most, in everything they did. One command without a use among others that
 * name theirs used nothing as far as its program says, and so may an only one; it is unknown after an edit, and the preview tells it.
 */
function withoutUses(audit: AuditView, issued: readonly HindcastEvent[]): readonly HindcastEvent[] {
  const byAgent = new Map<string, HindcastEvent[]>();
  for (const event of issued) {
    if (event.replayed === true || event.command?.issued === 0) continue;
    const key = JSON.stringify([event.run, event.agent ?? '']);
    const known = byAgent.get(key);
    if (known === undefined) byAgent.set(key, [event]);
    else known.push(event);
  }
  return [...byAgent.values()]
    .filter((list) => list.length > 1 && !list.some((event) => saysUse(audit, event)))
    .flat()
    .filter((event) => !isRootless(event));
}

function saysUse(audit: AuditView, { causes }: HindcastEvent): boolean {
  const frames = new Set(
    (causes ?? []).filter(({ event }) => isFrame(audit.event(event)?.type ?? '')).map(({ event }) => event),
  );
  return saysWhatItUsed(causes, frames);
}

function transitionLacks(audit: AuditView): Lack[] {
  const transitions = audit.events('state.transitioned');
  return [
    {
      what: ['transition without the version it consumed', 'transitions without the version they consumed'],
      events: ids(transitions.filter(({ data }) => data.from === undefined)),
    },
    {
      what: ['transition without a digest of the new state', 'transitions without a digest of the new state'],
      events: ids(transitions.filter(({ data }) => data.digest === undefined)),
    },
  ];
}

function ids(events: readonly HindcastEvent[]): EventId[] {
  return events.map(({ id }) => id);
}
