/**
 * Whose lane an event of an agent stands in: one lane an agent, and where several sessions use one name (every session of a coding agent
 * calls itself "main"), one lane a session, each named after it.
 *
 * Where no session is recorded the run tells them apart, unless runs continue each other. Called by the overview, once a context.
 */
import type { CausalIndex } from '../causal/index.ts';
import { agentToText } from './title-words.ts';

export interface AgentLane {
  readonly id: string;
  /** What the agent is called, the same for all its lanes. */
  readonly name: string;
  readonly label: string;
}

/** An agent in more sessions than this keeps one lane, which says how many they are: lanes are to be looked at together. */
const mostSessions = 12;

/** The lane of an event; undefined where it names no agent. */
export function createAgentLanes(
  index: CausalIndex,
  nameOf: (agent: string) => string,
): (position: number) => AgentLane | undefined {
  const { contexts, runs, sessions, agents } = index.columns;
  const runsTellApart = index.ofType('run.rolled_over').length === 0;
  const sessionOfRun = new Map<number, number>();
  contexts.session.forEach((session, at) => {
    const run = contexts.run[at] ?? 0;
    // 0: none recorded; -1: several.
    if (session !== 0) sessionOfRun.set(run, (sessionOfRun.get(run) ?? session) === session ? session : -1);
  });
  const whoseIs = (context: number): string => {
    const run = contexts.run[context] ?? 0;
    const session = contexts.session[context] || Math.max(0, sessionOfRun.get(run) ?? 0);
    if (session !== 0) return `session ${sessions[session] ?? ''}`;
    return runsTellApart ? `run ${runs[run] ?? ''}` : '';
  };
  const owners = new Map<number, Set<string>>();
  contexts.agent.forEach((agent, context) => {
    if (agent === 0) return;
    const known = owners.get(agent) ?? new Set();
    owners.set(agent, known.add(whoseIs(context)));
  });
  return (position) => {
    const context = index.columns.context[position] ?? 0;
    const agent = contexts.agent[context] ?? 0;
    if (agent === 0) return undefined;
    const recorded = agents[agent] ?? '';
    const name = nameOf(recorded);
    const id = `agent:${recorded}`;
    const of = owners.get(agent) ?? new Set();
    if (of.size < 2) return { id, name, label: name };
    if (of.size > mostSessions) return { id, name, label: `${name}, in ${of.size.toLocaleString('en')} sessions` };
    const whose = whoseIs(context);
    return { id: `${id}:${whose}`, name, label: `${name}, ${shortOf(whose, of)}` };
  };
}

/** The beginning of a long id, where no other of them begins alike. */
function shortOf(whose: string, all: ReadonlySet<string>): string {
  const short = cutId(whose);
  return [...all].some((other) => other !== whose && cutId(other) === short) ? whose : short;
}

function cutId(whose: string): string {
  return agentToText(whose).replace(/\b([0-9a-f]{8})[0-9a-f]{24}\b/i, '$1');
}
