/**
 * R21: what any event belongs to, from effect to agent, each link with its basis.
 *
 * A field of the event itself is *recorded*. What is reached over edges is *derived*: the tool call over `result_of`, the decision
 * over `selected_by`, and only then over any cause. What neither gives is "not recorded", where an event of this type has such a link
 * at all; where not, the link is left out. Nothing is guessed from neighbours in time.
 */
import { nameToShown } from '../base/shown-text.ts';
import type { CauseKind } from '../model/index.ts';
import { textAt } from '../causal/index.ts';
import { viewToTitle } from './agent-names.ts';
import { fieldApplies } from './applies.ts';
import { isStoppedDispatch } from './effects/stopped.ts';
import { effectOf } from './title-words.ts';
import { isCopyRecord } from './copy-records.ts';
import type { ChainLink } from './trace-reader.ts';
import type { TraceView } from './trace-view.ts';

const toolTypes: ReadonlySet<string> = new Set(['tool_call.dispatched']);
const decisionTypes: ReadonlySet<string> = new Set(['decision.made']);
const effectTypes: ReadonlySet<string> = new Set(['effect.committed', 'effect.deduplicated']);
const answerKinds: ReadonlySet<CauseKind> = new Set(['result_of', 'caused_by']);
const choiceKinds: ReadonlySet<CauseKind> = new Set(['selected_by']);
const anyKind: ReadonlySet<CauseKind> = new Set([
  'selected_by',
  'result_of',
  'consumed',
  'informed_by',
  'authorized_by',
  'caused_by',
]);

/** Most events looked at to find one link: a chain is for reading, and what lies farther is no answer. */
const farthest = 10_000;

export function computeChain(view: TraceView, position: number): readonly ChainLink[] {
  const tool = findTool(view, position);
  const decision = findDecision(view, position, tool);
  const from = [position, tool, decision].filter((at) => at >= 0);
  const event = view.event(position);
  const links: readonly (readonly [applies: boolean, link: ChainLink])[] = [
    [fieldApplies('effect', event) && (tool < 0 || mayAct(view, tool)), effectLink(view, position, tool)],
    [fieldApplies('tool call', event), eventLink(view, 'tool call', tool, position)],
    [
      fieldApplies('tool call', event) || event.type === 'decision.made',
      eventLink(view, 'decision', decision, position),
    ],
    [fieldApplies('step', event), fieldLink(view, 'step', from, (at) => view.index.step(at))],
    [fieldApplies('session', event), fieldLink(view, 'session', from, (at) => view.index.session(at))],
    [fieldApplies('agent', event), fieldLink(view, 'agent', from, (at) => view.index.agent(at))],
    [
      fieldApplies('principal', event),
      fieldLink(view, 'principal', [...from, ...startOf(view, position)], (at) => view.event(at).principal?.id),
    ],
    [true, { what: 'run', value: nameToShown(view.index.run(position)), basis: 'recorded' }],
  ];
  return links.flatMap(([applies, link]) => (applies || link.basis !== 'not recorded' ? [link] : []));
}

/** The beginning of the run the event belongs to: what another run was started under is no answer. */
function startOf(view: TraceView, position: number): readonly number[] {
  // What a copy says of itself nobody of the run has said.
  if (isCopyRecord(view.index.type(position))) return [];
  const run = view.index.run(position);
  return view
    .ofType('run.started')
    .filter((start) => view.index.run(start) === run)
    .slice(0, 1);
}

/** The call could have left something outside: it is no read, and nothing stopped it before it ran. */
function mayAct(view: TraceView, tool: number): boolean {
  return fieldApplies('effect', view.event(tool)) && !isStoppedDispatch(view, tool);
}

function findTool(view: TraceView, position: number): number {
  if (toolTypes.has(view.index.type(position))) return position;
  const answered = nearest(view, position, 'up', answerKinds, toolTypes);
  if (answered >= 0) return answered;
  return decisionTypes.has(view.index.type(position)) ? nearest(view, position, 'down', choiceKinds, toolTypes) : -1;
}

function findDecision(view: TraceView, position: number, tool: number): number {
  if (decisionTypes.has(view.index.type(position))) return position;
  for (const at of [position, tool]) {
    const chosen = at < 0 ? -1 : nearest(view, at, 'up', choiceKinds, decisionTypes);
    if (chosen >= 0) return chosen;
  }
  return nearest(view, tool < 0 ? position : tool, 'up', anyKind, decisionTypes);
}

/** Breadth first over edges of these kinds; the first event of one of the types, -1 when there is none near. */
function nearest(
  view: TraceView,
  start: number,
  direction: 'up' | 'down',
  kinds: ReadonlySet<CauseKind>,
  types: ReadonlySet<string>,
): number {
  const queue = [start];
  const seen = new Set(queue);
  for (let next = 0; next < queue.length && next < farthest; next++) {
    const at = queue[next] ?? 0;
    const edges = direction === 'up' ? view.causesOf(at) : view.effectsOf(at);
    for (const edge of edges) {
      const other = direction === 'up' ? edge.from : edge.to;
      if (!kinds.has(edge.as) || edge.grade === 'clock-only' || seen.has(other)) continue;
      if (types.has(view.index.type(other))) return other;
      seen.add(other);
      queue.push(other);
    }
  }
  return -1;
}

function effectLink(view: TraceView, position: number, tool: number): ChainLink {
  const own = view.index.family(position) === 'effect' ? position : -1;
  const found = own >= 0 ? own : tool < 0 ? -1 : nearest(view, tool, 'down', answerKinds, effectTypes);
  if (found < 0) return { what: 'effect', basis: 'not recorded' };
  const value = textAt(view.data(found), 'effect') ?? effectOf(view.data(found));
  return {
    what: 'effect',
    value: nameToShown(value),
    event: view.index.id(found),
    basis: found === position ? 'recorded' : 'derived',
  };
}

function eventLink(view: TraceView, what: ChainLink['what'], found: number, position: number): ChainLink {
  if (found < 0) return { what, basis: 'not recorded' };
  return {
    what,
    value: viewToTitle(view, found),
    event: view.index.id(found),
    basis: found === position ? 'recorded' : 'derived',
  };
}

/** The first of these events that has the field; recorded only where it is the event itself. */
function fieldLink(
  view: TraceView,
  what: ChainLink['what'],
  from: readonly number[],
  read: (position: number) => string | undefined,
): ChainLink {
  for (const [i, at] of from.entries()) {
    const value = read(at);
    // The whole of a long name stands among the facts of the event.
    if (value !== undefined)
      return {
        what,
        value: nameToShown(value),
        event: view.index.id(at),
        basis: i === 0 ? 'recorded' : 'derived',
      };
  }
  return { what, basis: 'not recorded' };
}
