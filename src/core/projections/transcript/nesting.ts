/**
 * What a line stands under: an answer under its request, what happens in a step under the step, a sub-agent under the record that
 * started it.
 *
 * Invariant: a parent is named by records alone (causes, agent, step), never by the line above; it comes before its child in display
 * order, so there is no cycle. An event of which no parent is recorded stands at the top. What a replay wrote, which names neither step
 * nor agent, stands where the record stands whose place it takes. One pass, no body but those of spawns and of a replay.
 */
import { textAt } from '../../causal/index.ts';
import { mainBranch } from '../../model/index.ts';
import { standInOf } from '../agent-stand-ins.ts';
import type { TraceView } from '../trace-view.ts';

const deepest = 12;

export interface Nesting {
  readonly depthOf: (position: number) => number;
  /** Position of the parent; -1 at the top. */
  readonly parentOf: (position: number) => number;
  /** Position of the record that started the outermost sub-agent this belongs to; -1 where it belongs to none. */
  readonly threadOf: (position: number) => number;
}

export function computeNesting(view: TraceView): Nesting {
  const { index, positions } = view;
  const parents = new Int32Array(index.count).fill(-1);
  const threads = new Int32Array(index.count).fill(-1);
  const depths = new Uint8Array(index.count);
  const open = createOpenRecords(view);
  for (const position of positions) {
    const parent = open.parentOf(position, parents);
    open.add(position);
    if (parent < 0) continue;
    parents[position] = parent;
    depths[position] = Math.min(deepest, (depths[parent] ?? 0) + 1);
    const outer = threads[parent] ?? -1;
    threads[position] = outer < 0 && index.type(parent) === 'agent.spawned' ? parent : outer;
  }
  return {
    depthOf: (position) => depths[position] ?? 0,
    parentOf: (position) => parents[position] ?? -1,
    threadOf: (position) => threads[position] ?? -1,
  };
}

/** The steps and sub-agents begun so far. A restart tells them again; the latest record counts. */
function createOpenRecords(view: TraceView) {
  const { index } = view;
  const steps = new Map<string, number>();
  const spawns = new Map<string, number>();
  const stepKey = (position: number, agent: string | undefined, step: string): string =>
    `${index.run(position)}\u0000${agent ?? ''}\u0000${step}`;
  const anyKey = (position: number, step: string): string => `${index.run(position)}\u0000\u0000\u0000${step}`;
  // Runs may name their sub-agents alike.
  const spawnKey = (position: number, child: string): string => `${index.run(position)}\u0000${child}`;

  function stepOf(position: number, placed: number): number {
    const step = index.step(position) ?? index.step(placed);
    if (step === undefined) return -1;
    const agent = index.agent(position) ?? index.agent(placed);
    // A replay names the step by its path, which is one in a run, and no agent.
    const isOfAny = agent === undefined && index.branch(position) !== mainBranch;
    // A step that begins stands under the step around it, which is named by the beginning of its path.
    const isStart = index.type(position) === 'step.started';
    for (let path = isStart ? outerStep(step) : step; path !== ''; path = outerStep(path)) {
      const found = steps.get(isOfAny ? anyKey(position, path) : stepKey(position, agent, path));
      if (found !== undefined) return found;
    }
    return -1;
  }

  return {
    add: (position: number): void => {
      const step = index.step(position);
      if (index.type(position) === 'step.started' && step !== undefined) {
        steps.set(stepKey(position, index.agent(position), step), position);
        steps.set(anyKey(position, step), position);
      }
      if (index.type(position) !== 'agent.spawned') return;
      const data = view.data(position);
      const child = textAt(data, 'to') ?? textAt(data, 'name');
      if (child !== undefined && child !== (textAt(data, 'from') ?? index.agent(position)))
        spawns.set(spawnKey(position, child), position);
    },
    parentOf: (position: number, parents: Int32Array): number => {
      const request = isAnswer(index.type(position)) ? requestOf(view, position, parents) : -1;
      if (request >= 0) return request;
      const placed = placeOf(view, position);
      const step = stepOf(position, placed);
      if (step >= 0) return step;
      const agent = index.agent(position) ?? index.agent(placed);
      return agent === undefined ? -1 : (spawns.get(spawnKey(position, agent)) ?? -1);
    },
  };
}

/** The record in whose place a replay wrote this one: what it supersedes, else one of the same command; the event itself elsewhere. */
function placeOf(view: TraceView, position: number): number {
  const { index } = view;
  if (index.branch(position) === mainBranch) return position;
  let place = position;
  // A branch of a branch supersedes what a replay wrote. Each came before: there is no cycle, and a bound where a record says so.
  for (let turn = 0; turn < deepest && index.branch(place) !== mainBranch; turn++) {
    const superseded = index.supersedes(place);
    if (superseded < 0) break;
    place = superseded;
  }
  return standInOf(view, place);
}

/** `/child:a/step:x#0/step:y#1` to `/child:a/step:x#0`; what is no path has nothing around it. */
function outerStep(step: string): string {
  return step.slice(0, Math.max(0, step.lastIndexOf('/')));
}

function isAnswer(type: string): boolean {
  return type.startsWith('effect.') || (type.startsWith('tool_call.') && type !== 'tool_call.dispatched');
}

/** By its own cause, or through another answer to the same request. */
function requestOf({ index, causesOf }: TraceView, position: number, parents: Int32Array): number {
  for (const { from, as } of causesOf(position)) {
    if (as !== 'result_of' && as !== 'caused_by') continue;
    if (index.type(from) === 'tool_call.dispatched') return from;
    const through = isAnswer(index.type(from)) ? (parents[from] ?? -1) : -1;
    if (through >= 0 && index.type(through) === 'tool_call.dispatched') return through;
  }
  return -1;
}
