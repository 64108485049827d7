/** Agents that were started and of which the trace holds nothing: what they did is not told by what was opened (R31). */
import { textAt } from '../../causal/index.ts';
import type { EventOf } from '../../model/index.ts';
import { countToText } from '../../projections/effects/words.ts';
import type { AuditView } from '../audit-view.ts';
import { type Rule, createFinding } from '../rule.ts';

type Start = EventOf<'agent.spawned'>;

export const agentWithoutRecords: Rule = {
  id: 'agent-without-records',
  title: 'Records of the sub-agents that were started',
  severity: 'notice',
  establishes: 'A sub-agent was started, and no record of its own is in this trace.',
  leavesOpen: 'What it did: whether it asked models, called tools or had effects outside.',
  requirements: ['R31'],
  isOpenIn: (audit) => {
    const agents = audit.agents();
    return audit.events('agent.spawned').some((start) => !hasRecords(audit, agents, start));
  },
  run: (audit) => {
    const agents = audit.agents();
    const byRun = new Map<string, Start[]>();
    for (const start of audit.events('agent.spawned')) {
      // Of one that a replay started, the branch itself says what it did.
      if (start.origin === 'replayed' || audit.isRepeat(start.id)) continue;
      if (hasRecords(audit, agents, start) || isInJournal(audit, start) || neverRan(audit, start)) continue;
      const list = byRun.get(start.run);
      if (list === undefined) byRun.set(start.run, [start]);
      else list.push(start);
    }
    return [...byRun].map(([run, starts]) => {
      const isOne = starts.length === 1;
      const noun = starts.every(({ imported }) => imported?.format === 'temporal') ? 'child workflow' : 'sub-agent';
      const what = `${countToText(starts.length, noun)} ${isOne ? 'was started; its' : 'were started; their'}`;
      const place = startsToPlace(starts);
      return createFinding(agentWithoutRecords, {
        subject: run,
        title: `${what} records are not in this trace${place === undefined ? '' : ` (folder “${place}”)`}`,
        text: `${what} records are not in this trace.${place === undefined ? '' : ` Claude Code keeps them in the folder “${place}” beside the session; opened with it, they are part of the trace.`}`,
        evidence: starts.map(({ id }) => id),
        known: [`Started: ${countToText(starts.length, noun)}.`],
        unknown: ['What was done there: the records are not in this trace.'],
      });
    });
  },
};

/** Records of the agent or in the place that the start names, or anything that names the start as its cause and is no answer to it. */
function hasRecords(audit: AuditView, agents: ReadonlySet<string>, start: Start): boolean {
  const { id, data } = start;
  if (data.to !== undefined && agents.has(data.to)) return true;
  if (hasPlace(audit, start)) return true;
  return audit
    .effectsOf(id)
    .some(({ type, grade }) => grade !== 'clock-only' && !/^(?:agent|approval|policy|annotation)\./.test(type));
}

/** `child` says where its records stand: in a run of its own, or in this one, below a path (mapping.md, D). */
function hasPlace(audit: AuditView, { run, data }: Start): boolean {
  const scope = textAt(data.child, 'scope');
  const own = textAt(data.child, 'run') ?? run;
  if (own !== run && audit.hasRun(own)) return true;
  return scope !== undefined && audit.hasCommandIn(own, scope);
}

/**
 * A child of the program itself is in the journal of the program: one that ended there and asked for nothing has no record to miss. A copy
 * does not tell where a record was imported from.
 */
function isInJournal(audit: AuditView, { id, run, command, imported, data }: Start): boolean {
  const isOwn = imported === undefined && (textAt(data.child, 'run') ?? run) === run;
  if (!isOwn || command === undefined || textAt(data.child, 'scope') !== command.path) return false;
  return audit.effectsOf(id).some(({ type }) => type === 'agent.joined');
}

/** It was refused, or ended in an error: it may never have begun. A copy that withholds an error has neither that nor a result. */
function neverRan(audit: AuditView, { id }: Start): boolean {
  return audit.effectsOf(id).some(({ event, type }) => {
    if (type === 'approval.denied') return true;
    if (type !== 'agent.joined') return false;
    const data = audit.event(event)?.data;
    return data?.['error'] !== undefined || (audit.isCopy && data?.['result'] === undefined);
  });
}

/** Claude Code writes the records of sub-agents into a folder that it names after the session; a copy may have renamed the session. */
function startsToPlace([first, ...rest]: readonly Start[]): string | undefined {
  const session = first?.imported?.format === 'claude-code' ? first.session : undefined;
  if (session === undefined || !sessionId.test(session)) return undefined;
  return rest.every((start) => start.session === session) ? `${session}/subagents` : undefined;
}

const sessionId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
