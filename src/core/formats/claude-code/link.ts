/**
 * Between the passes: turns what the survey counted into identities and joins. Pure functions of the survey, so both are the same
 * whatever the order of lines and files.
 */
import { sha256Hex } from '../../base/hash.ts';
import { type EventId, type RunId, eventId, isRunId } from '../../model/index.ts';
import { assert } from '../../base/assert.ts';
import {
  type Ancestry,
  type Answer,
  type Call,
  type Group,
  type Node,
  type Survey,
  createAncestry,
  scoped,
  unscoped,
} from './survey.ts';

/** How a sub-agent was joined to the call that started it. */
export interface Spawn {
  readonly call: string;
  readonly rule?: 'task-prompt' | 'sole-task' | undefined;
}

export interface Links {
  readonly survey: Survey;
  readonly ancestry: Ancestry;
  readonly parentOf: (node: Node) => Node | undefined;
  readonly sessionOf: (node: Node | undefined, session: string | undefined) => string | undefined;
  readonly runOf: (session: string | undefined) => RunId;
  readonly mainEventOf: (node: Node) => EventId;
  /** The beginning of the run, for records that nothing is recorded before (rule `run-of-session`). */
  readonly runCause: (node: Node) => { readonly event: EventId; readonly as: string; readonly rule: 'run-of-session' };
  readonly recordId: (node: Node, print: string) => EventId;
  readonly modelEvent: (group: string) => EventId;
  readonly decisionEvent: (group: string) => EventId;
  readonly callEvent: (call: string) => EventId;
  readonly answeredCall: (answer: Answer) => { readonly key: string | undefined; readonly inferred: boolean };
  readonly agentOf: (node: Node) => string;
  readonly spawnOf: (agent: string) => Spawn | undefined;
  readonly agentOfCall: (call: string) => string | undefined;
  readonly lastModelOf: (agent: string) => EventId | undefined;
  readonly resultsOf: (group: string) => readonly EventId[];
  readonly retriedBy: (node: Node) => { readonly group: string; readonly attempt: number } | undefined;
  readonly failedAttempts: (group: string) => number;
  /** Command scope of an agent: the call that started it, inside the scope of who called. */
  readonly scopeOf: (agent: string) => string;
}

export const mainAgent = 'main';
const toolsThatSpawn: ReadonlySet<string> = new Set(['task', 'agent']);

export function isSpawn(tool: string): boolean {
  return toolsThatSpawn.has(tool.toLowerCase());
}

export function createLinks(survey: Survey): Links {
  const parentOf = (node: Node): Node | undefined =>
    node.parent === undefined
      ? undefined
      : (survey.nodes.get(scoped(node.session, node.parent)) ?? survey.byUuid.get(node.parent));
  const ancestry = createAncestry(parentOf);
  const ids = createIds(survey, parentOf);
  const agentOf = (node: Node): string => {
    if (node.agentId !== undefined) return node.agentId;
    return node.sidechain ? `sidechain:${ancestry.chainRoot(node).uuid}` : mainAgent;
  };
  const answeredCall = (answer: Answer): { key: string | undefined; inferred: boolean } => {
    if (answer.call !== undefined) return { key: answer.call, inferred: false };
    const asked = answer.via === undefined ? undefined : survey.byUuid.get(answer.via);
    const calls = asked?.group === undefined ? [] : (survey.groups.get(asked.group)?.calls ?? []);
    const own = calls.filter((call) => survey.calls.get(call)?.record === scoped(asked?.session, asked?.uuid ?? ''));
    return { key: own.length === 1 ? own[0] : undefined, inferred: true };
  };
  const agents = joinAgents(survey, agentOf, ancestry);
  const results = collectResults(survey, ids.recordId, answeredCall);
  const retries = collectRetries(survey, ancestry, parentOf);
  return {
    survey,
    ancestry,
    parentOf,
    ...ids,
    agentOf,
    answeredCall,
    spawnOf: (agent) => agents.spawns.get(agent),
    agentOfCall: (call) => agents.byCall.get(call),
    lastModelOf: (agent) => {
      const group = agents.last.get(agent);
      return group === undefined ? undefined : ids.modelEvent(group.key);
    },
    resultsOf: (group) => (survey.groups.get(group)?.calls ?? []).flatMap((call) => results.get(call) ?? []),
    retriedBy: (node) => retries.byNode.get(node),
    failedAttempts: (group) => retries.counts.get(group) ?? 0,
    scopeOf: createScopes(survey, agents),
  };
}

function createIds(survey: Survey, parentOf: (node: Node) => Node | undefined) {
  const [largest] = [...survey.sessions].sort(
    ([a, one], [b, other]) => other.records - one.records || (a < b ? -1 : 1),
  );
  const runs = new Map<string | undefined, RunId>();
  const runOf = (session: string | undefined): RunId => {
    const known = runs.get(session);
    if (known !== undefined) return known;
    const run = sha256Hex(session ?? `claude-code ${survey.smallestPrint}`).slice(0, 32);
    assert(isRunId(run), 'the beginning of a digest is a run id');
    runs.set(session, run);
    return run;
  };
  const sessionOf = (node: Node | undefined, session: string | undefined): string | undefined => {
    let at = node;
    for (let steps = 0; session === undefined && at !== undefined && steps < 1000; steps++) {
      session = at.session;
      at = parentOf(at);
    }
    return session ?? largest?.[0];
  };
  const prefix = (node: Node): string => runOf(sessionOf(node, node.session)).slice(0, 8);
  const recordId = (node: Node, print: string): EventId => {
    const name = `${prefix(node)}/${node.uuid}`;
    const own = node.prints.filter((other) => !node.carried.has(other));
    return eventId(own.length > 1 && own.includes(print) ? `${name}~${print}` : name);
  };
  const scopedEvent = (kind: string, key: string): EventId => {
    const session = key.slice(0, key.indexOf('|'));
    return eventId(
      `${runOf(sessionOf(undefined, session === '' ? undefined : session)).slice(0, 8)}/${kind}:${unscoped(key)}`,
    );
  };
  const modelEvent = (group: string): EventId => scopedEvent('model', group);
  return {
    runOf,
    sessionOf,
    recordId,
    modelEvent,
    runCause: (node: Node) => ({
      event: eventId(`${prefix(node)}/run`),
      as: 'caused_by',
      rule: 'run-of-session' as const,
    }),
    decisionEvent: (group: string): EventId => scopedEvent('decision', group),
    callEvent: (call: string): EventId => scopedEvent('call', call),
    mainEventOf: (node: Node): EventId => {
      if (node.group !== undefined) return modelEvent(node.group);
      const id = recordId(node, node.prints[0] ?? '');
      return node.answers.length > 1 ? resultId(id, node.answers.length - 1) : id;
    },
  };
}

/** A record with several results makes one event for each. */
export function resultId(record: EventId, index: number): EventId {
  return index === 0 ? record : eventId(`${record}:${index}`);
}

interface AgentJoins {
  readonly spawns: ReadonlyMap<string, Spawn>;
  readonly byCall: ReadonlyMap<string, string>;
  readonly last: ReadonlyMap<string, Group>;
  readonly callers: ReadonlyMap<string, string>;
}

function joinAgents(survey: Survey, agentOf: (node: Node) => string, ancestry: Ancestry): AgentJoins {
  const spawns = new Map<string, Spawn>();
  const byCall = new Map<string, string>();
  const last = new Map<string, Group>();
  const callers = new Map<string, string>();
  for (const [agent, call] of survey.spawns) {
    spawns.set(agent, { call });
    byCall.set(call, agent);
  }
  const callsByPrompt = new Map<string, Call[]>();
  for (const call of survey.calls.values()) {
    if (!isSpawn(call.name) || call.promptPrint === undefined || byCall.has(call.key)) continue;
    callsByPrompt.set(call.promptPrint, [...(callsByPrompt.get(call.promptPrint) ?? []), call]);
  }
  for (const node of survey.nodes.values()) {
    if (!node.sidechain || node.prompt === undefined || ancestry.chainRoot(node) !== node) continue;
    const agent = agentOf(node);
    const [call, another] = callsByPrompt.get(node.prompt) ?? [];
    if (spawns.has(agent) || call === undefined || another !== undefined || byCall.has(call.key)) continue;
    spawns.set(agent, { call: call.key, rule: 'task-prompt' });
    byCall.set(call.key, agent);
  }
  joinSole(survey, agentOf, spawns, byCall);
  for (const group of survey.groups.values()) {
    const [node] = group.nodes;
    if (node === undefined) continue;
    const agent = agentOf(node);
    for (const call of group.calls) callers.set(call, agent);
    const before = last.get(agent);
    if (before === undefined || isLater(group, before)) last.set(agent, group);
  }
  return { spawns, byCall, last, callers };
}

/** Rule `sole-task`: nothing else fits, on either side. */
function joinSole(
  survey: Survey,
  agentOf: (node: Node) => string,
  spawns: Map<string, Spawn>,
  byCall: Map<string, string>,
): void {
  const agents = new Set<string>();
  for (const node of survey.nodes.values()) {
    const agent = node.sidechain ? agentOf(node) : mainAgent;
    if (agent !== mainAgent && !spawns.has(agent)) agents.add(agent);
  }
  const open = [...survey.calls.values()].filter(({ key, name }) => isSpawn(name) && !byCall.has(key));
  const [call, another] = open;
  const [agent, sibling] = agents;
  if (call === undefined || agent === undefined || another !== undefined || sibling !== undefined) return;
  // A call whose prompt is recorded would have been found by its words; another prompt is another sub-agent.
  if (call.promptPrint !== undefined) return;
  spawns.set(agent, { call: call.key, rule: 'sole-task' });
  byCall.set(call.key, agent);
}

/** What has no time stands last. */
export function compareTimes(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b ? -1 : 1;
}

function isLater(group: Group, before: Group): boolean {
  const [a, b] = [group.time ?? '', before.time ?? ''];
  return a === b ? group.key > before.key : a > b;
}

function collectResults(
  survey: Survey,
  recordId: (node: Node, print: string) => EventId,
  answeredCall: Links['answeredCall'],
): ReadonlyMap<string, readonly EventId[]> {
  const results = new Map<string, EventId[]>();
  for (const node of survey.nodes.values()) {
    for (const [index, answer] of node.answers.entries()) {
      const { key } = answeredCall(answer);
      if (key === undefined) continue;
      const id = resultId(recordId(node, node.prints[0] ?? ''), index);
      const known = results.get(key);
      if (known === undefined) results.set(key, [id]);
      else known.push(id);
    }
  }
  return results;
}

/** Errors between a prompt and the message that came at last are attempts of one model call (rule `retry-chain`). */
function collectRetries(survey: Survey, ancestry: Ancestry, parentOf: (node: Node) => Node | undefined) {
  const byNode = new Map<Node, { readonly group: string; readonly attempt: number }>();
  const counts = new Map<string, number>();
  for (const group of survey.groups.values()) {
    const errors: Node[] = [];
    let at = parentOf(firstLine(group, ancestry));
    while (at?.kind === 'api_error' && !byNode.has(at) && !errors.includes(at)) {
      errors.unshift(at);
      at = parentOf(at);
    }
    for (const [n, node] of errors.entries()) byNode.set(node, { group: group.key, attempt: n + 1 });
    if (errors.length > 0) counts.set(group.key, errors.length);
  }
  return { byNode, counts };
}

/** The line of a message that stands nearest to the root; its parent is what the message answers. */
export function firstLine(group: Group, ancestry: Ancestry): Node {
  let first: Node | undefined;
  for (const node of group.nodes) {
    const nearer = first === undefined ? -1 : ancestry.depth(node) - ancestry.depth(first);
    if (nearer < 0 || (nearer === 0 && compareTimes(node.time, first?.time) < 0)) first = node;
  }
  assert(first !== undefined, 'a group has at least one line');
  return first;
}

/** Deeper nesting than this is a cycle of agents that started one another, or no session of a person. */
const maxScopeDepth = 64;

function createScopes(survey: Survey, agents: AgentJoins): (agent: string) => string {
  const scopes = new Map<string, string>([[mainAgent, '']]);
  return (agent) => {
    const known = scopes.get(agent);
    if (known !== undefined) return known;
    const parts: string[] = [];
    let at: string | undefined = agent;
    while (at !== undefined && at !== mainAgent && parts.length < maxScopeDepth) {
      const call: string | undefined = agents.spawns.get(at)?.call;
      const asked = call === undefined ? undefined : survey.calls.get(call);
      parts.unshift(call === undefined ? `/child:agent=${at}` : `/child:${asked?.name ?? 'Task'}=${unscoped(call)}`);
      at = call === undefined ? undefined : agents.callers.get(call);
    }
    const scope = parts.join('');
    scopes.set(agent, scope);
    return scope;
  };
}
