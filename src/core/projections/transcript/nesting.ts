/**
 * How deep a line stands: sub-agents below the agent that started them, what happens in a step below the step, and what a service
 * tells below the request.
 *
 * Invariant: read from recorded spawns and fields only; an agent whose start is not recorded stands at the top.
 */
import { textAt } from '../../causal/index.ts';
import type { TraceView } from '../trace-view.ts';

const deepest = 12;

export interface Nesting {
  readonly depthOf: (position: number) => number;
}

export function computeNesting(view: TraceView): Nesting {
  const parents = new Map<string, string>();
  for (const position of view.ofType('agent.spawned')) {
    const data = view.data(position);
    const child = textAt(data, 'to') ?? textAt(data, 'name');
    const parent = textAt(data, 'from') ?? view.index.agent(position);
    if (child !== undefined && parent !== undefined && child !== parent && !parents.has(child))
      parents.set(child, parent);
  }
  const depths = new Map<string, number>();
  return {
    depthOf: (position) => {
      const agent = view.index.agent(position);
      const base = agent === undefined ? 0 : agentDepth(parents, depths, agent);
      const type = view.index.type(position);
      const inStep = view.index.step(position) !== undefined && !type.startsWith('step.') ? 1 : 0;
      return Math.min(deepest, base + inStep + belowRequest(type));
    },
  };
}

function belowRequest(type: string): number {
  if (type.startsWith('effect.')) return 1;
  return type.startsWith('tool_call.') && type !== 'tool_call.dispatched' ? 1 : 0;
}

function agentDepth(parents: ReadonlyMap<string, string>, depths: Map<string, number>, agent: string): number {
  const known = depths.get(agent);
  if (known !== undefined) return known;
  let depth = 0;
  const seen = new Set<string>();
  for (let at = parents.get(agent); at !== undefined && !seen.has(at) && depth < deepest; at = parents.get(at)) {
    seen.add(at);
    depth++;
  }
  depths.set(agent, depth);
  return depth;
}
