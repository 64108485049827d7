/** A tool call attributed to a step or decision that did not authorise it (R22). */
import { type JsonValue, isJsonArray, isJsonObject } from '../../base/json.ts';
import { isRefusal, memberOf, payloadOf, textAt, textOf } from '../../causal/index.ts';
import { type EventOf, type HindcastEvent, eventFamily } from '../../model/index.ts';
import { toolOf } from '../../projections/effects/declarations.ts';
import type { Finding } from '../../projections/trace-reader.ts';
import { approvalAnswer } from '../approvals.ts';
import type { AuditView } from '../audit-view.ts';
import { type Rule, createFinding } from '../rule.ts';

type Dispatch = EventOf<'tool_call.dispatched'>;

export const unauthorisedCall: Rule = {
  id: 'unauthorised-call',
  title: 'Tool calls that their step did not authorise',
  severity: 'violation',
  establishes:
    'The record of a tool call names a step, decision, policy or approval whose own record does not authorise this call.',
  leavesOpen: 'Which of the two records is wrong.',
  requirements: ['R22', 'R17'],
  run: (audit) => {
    const dispatches = audit.events('tool_call.dispatched');
    const tools = new Set([
      ...dispatches.flatMap((event) => toolOf(event) ?? []),
      ...audit.ledger.declarations.tools.keys(),
    ]);
    const begun = new Set(audit.events('step.started').map(({ step }) => step));
    return dispatches.flatMap((event) => {
      const reasons = disagreements(audit, event, { tools, begun });
      return reasons.length === 0 ? [] : [toFinding(event, reasons)];
    });
  },
};

interface Disagreement {
  readonly text: string;
  readonly with: HindcastEvent;
  /** The authority was asked, and whether it agreed is not recorded. */
  readonly isOpen?: true;
}

interface Known {
  readonly tools: ReadonlySet<string>;
  /** Steps that have a beginning of their own. */
  readonly begun: ReadonlySet<string | undefined>;
}

function disagreements(audit: AuditView, event: Dispatch, known: Known): Disagreement[] {
  const found: Disagreement[] = [];
  for (const cause of event.causes ?? []) {
    const other = audit.event(cause.event);
    if (other === undefined || (cause.grade !== undefined && cause.grade !== 'recorded')) continue;
    if (cause.as === 'selected_by') {
      const text = selectionToText(event, other, known);
      if (text !== undefined) found.push({ text, with: other });
    } else if (cause.as === 'authorized_by') {
      const disagreement = authorityToDisagreement(audit, other);
      if (disagreement !== undefined) found.push(disagreement);
    }
  }
  return found;
}

function selectionToText(event: Dispatch, chooser: HindcastEvent, { tools, begun }: Known): string | undefined {
  if (cannotChoose.has(eventFamily(chooser.type)))
    return `it names ${chooser.id} as what selected it, and that is a ${chooser.type}`;
  if (event.run !== chooser.run) return `it was selected by ${chooser.id} of another run`;
  const areTold = isAttribution(event, begun) && isAttribution(chooser, begun);
  if (areTold && event.step !== undefined && chooser.step !== undefined && !isSameStep(event.step, chooser.step)) {
    return `it is attributed to step ${event.step}, and ${chooser.id}, which selected it, belongs to step ${chooser.step}`;
  }
  if (chooser.type !== 'decision.made') return undefined;
  const { chosen } = decisionOf(chooser);
  const named = (isJsonArray(chosen) ? chosen : [chosen]).map(toolNamed);
  if (chosen === false) return `the decision ${chooser.id} chose not to do it`;
  const tool = toolOf(event);
  const others = named.filter((name) => name !== undefined && tools.has(name));
  if (others.length > 0 && others.length === named.length && tool !== undefined && !others.includes(tool)) {
    return `the decision ${chooser.id} chose ${others.map((name) => `"${name ?? ''}"`).join(' and ')}`;
  }
  return undefined;
}

/** What these families tell of is never a choice. */
const cannotChoose: ReadonlySet<string> = new Set([
  'effect',
  'state',
  'fault',
  'artifact',
  'check',
  'tool',
  'trial',
  'stream',
  'note',
]);

/** A step within a step is the same line of work. */
function isSameStep(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

/** The tool a choice names: as a text, or in a field of the usual name. */
function toolNamed(chosen: JsonValue | undefined): string | undefined {
  if (typeof chosen === 'string') return chosen;
  return textAt(chosen, 'tool') ?? textAt(chosen, 'name');
}

/**
 * Of many foreign records the step is the group they stand in, as a span is inside another: a model answers in one and the call is made in
 * the next, and neither says on whose behalf. It says so where such a step has a beginning of its own.
 */
function isAttribution({ imported, step }: HindcastEvent, begun: Known['begun']): boolean {
  return imported === undefined || begun.has(step);
}

function decisionOf(event: EventOf<'decision.made'>): { readonly chosen: JsonValue | undefined } {
  const { result, chosen, args } = event.data;
  return { chosen: result ?? chosen ?? (isJsonObject(args) ? args['chosen'] : undefined) };
}

function authorityToDisagreement(audit: AuditView, authority: HindcastEvent): Disagreement | undefined {
  if (authority.type === 'approval.denied') return { text: `the approval ${authority.id} was denied`, with: authority };
  if (authority.type === 'policy.evaluated') {
    const verdict = memberOf(payloadOf(authority), 'verdict');
    if (!isRefusal(verdict)) return undefined;
    return {
      text: `the policy "${authority.data.policy ?? authority.id}" gave the verdict "${textOf(verdict) ?? 'false'}"`,
      with: authority,
    };
  }
  if (authority.type !== 'approval.requested') return undefined;
  const answer = approvalAnswer(audit, authority.id);
  if (answer?.type === 'approval.granted') return undefined;
  if (answer !== undefined) return { text: `the approval ${authority.id} was denied`, with: authority };
  return {
    text: `it names the approval ${authority.id}, which was asked for, and no answer to that is recorded`,
    with: authority,
    isOpen: true,
  };
}

function toFinding(event: Dispatch, reasons: readonly Disagreement[]): Finding {
  const tool = toolOf(event) ?? 'a tool whose name is not recorded';
  const isOpen = reasons.every((reason) => reason.isOpen === true);
  return createFinding(unauthorisedCall, {
    subject: event.id,
    ...(isOpen ? { severity: 'gap' as const, interval: 'between the approval that was asked for and the call' } : {}),
    title: `Call of "${tool}" not authorised by what it names`,
    text: `The call of "${tool}" (${event.id}) names an authority that does not cover it: ${reasons.map(({ text }) => text).join('; ')}.`,
    evidence: [event.id, ...reasons.map((reason) => reason.with.id)],
    known: reasons.map(({ text }) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`),
    unknown: [isOpen ? 'Whether the approval was given.' : 'Which of the two records tells what happened.'],
    command: event.command?.path,
  });
}
