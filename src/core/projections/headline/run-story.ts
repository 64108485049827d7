/**
 * What the agents did, in one sentence: whom they asked, what they called, how it ended. For a headline that no outside effect fills.
 *
 * Invariant: counts of records of this branch, each linked to the first; a run without a record of its end is not said to have ended.
 */
import { isJsonObject } from '../../base/json.ts';
import { memberOf, textAt } from '../../causal/index.ts';
import type { HeadlineSpan } from '../trace-reader.ts';
import type { TraceView } from '../trace-view.ts';
import { capitalise, countToText } from '../effects/words.ts';
import { agentName } from '../agent-names.ts';
import { valueToText } from '../title-words.ts';
import type { RunEnd } from './headline.ts';
import { viewToAbout, viewToOutcome } from './session-story.ts';
import { linked, linkedList, plain } from './spans.ts';

/** Names told one by one before the rest is counted. */
const toldNames = 3;

export interface RunStory {
  /** What was asked and what was answered last, where the record has it in words. */
  readonly about: readonly HeadlineSpan[];
  readonly acts: readonly HeadlineSpan[];
  readonly end: readonly HeadlineSpan[];
}

export function viewToStory(view: TraceView, runs: readonly RunEnd[]): RunStory | undefined {
  const { index } = view;
  const asked = view.ofType('model_call.requested');
  const calls = asked.length > 0 ? asked : view.ofType('model_call.completed');
  const tools = firstsByName(
    view.ofType('tool_call.dispatched'),
    (position) => textAt(view.data(position), 'tool') ?? index.command(position),
  );
  const agents = firstsByName([...calls, ...view.ofType('decision.made', 'tool_call.dispatched')], index.agent);
  const [call] = calls;
  if (call === undefined && tools.length === 0) return viewToTalk(view, runs);
  const who = agents.map(({ name, position }) => linked(agentName(view, name), index.id(position)));
  const acts = [
    ...(call === undefined ? [] : [[plain('asked a model '), linked(timesOf(calls.length), index.id(call))]]),
    ...(tools.length === 0 ? [] : [[plain('called '), ...linkedList(tools.map(toSpan(view)), toldNames)]]),
  ];
  const outcome = viewToOutcome(view);
  return {
    about: viewToAbout(view, runs.length),
    acts: [
      ...(who.length === 0 ? [plain('An agent not named')] : linkedList(who, toldNames)),
      plain(' '),
      ...acts.flatMap((act, at) => (at === 0 ? act : [plain(' and '), ...act])),
      ...outcome.flatMap((part) => [plain('; '), ...part]),
    ],
    end: endOf(runs),
  };
}

/** Of a record that holds only what was said: who spoke. */
function viewToTalk(view: TraceView, runs: readonly RunEnd[]): RunStory | undefined {
  const { index } = view;
  const messages = view.ofType('message.sent');
  const [first] = messages;
  const speakers = firstsByName(messages, index.agent);
  if (first === undefined || speakers.length === 0) return viewToSteps(view, runs);
  const who = speakers.map(({ name, position }) => linked(agentName(view, name), index.id(position)));
  const said = linked(countToText(messages.length, 'message'), index.id(first));
  return {
    about: viewToAbout(view, runs.length),
    acts: [...linkedList(who, toldNames), plain(' wrote '), said],
    end: endOf(runs),
  };
}

/** Of a workflow or a trace of services: which steps ran, and which failed and why. */
function viewToSteps(view: TraceView, runs: readonly RunEnd[]): RunStory | undefined {
  const { index } = view;
  const ended = view.ofType('step.completed');
  const begun = view.ofType('step.started');
  const steps = begun.length > 0 ? begun : ended;
  const [first] = steps;
  if (first === undefined) return undefined;
  const names = firstsByName(steps, (position) => textAt(view.data(position), 'name') ?? index.step(position));
  const told = names.filter(({ name }) => name !== '');
  return {
    about: [],
    acts: [
      linked(countToText(steps.length, 'step'), index.id(first)),
      plain(' ran'),
      ...(told.length === 0 ? [] : [plain(': '), ...linkedList(told.map(toSpan(view)), toldNames)]),
      ...failedSteps(view, ended),
    ],
    end: endOf(runs),
  };
}

function failedSteps(view: TraceView, ended: readonly number[]): readonly HeadlineSpan[] {
  const failed = ended.filter((position) => isJsonObject(memberOf(view.data(position), 'error')));
  const [first] = failed;
  if (first === undefined) return [];
  const why = textAt(view.data(first), 'error', 'message') ?? textAt(view.data(first), 'error', 'name');
  const of = failed.length === 1 || why === undefined ? '' : ', the first with';
  return [
    plain('; '),
    linked(countToText(failed.length, 'step failed', 'steps failed'), view.index.id(first)),
    plain(why === undefined ? '' : `${of}: ${valueToText(why)}`),
  ];
}

interface Named {
  readonly name: string;
  readonly position: number;
  count: number;
}

function firstsByName(positions: Iterable<number>, nameOf: (position: number) => string | undefined): readonly Named[] {
  const found = new Map<string, Named>();
  for (const position of positions) {
    const name = nameOf(position);
    const known = name === undefined ? undefined : found.get(name);
    if (known !== undefined) known.count++;
    else if (name !== undefined) found.set(name, { name, position, count: 1 });
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

function toSpan({ index }: TraceView): (named: Named) => HeadlineSpan {
  return ({ name, position, count }) => linked(count === 1 ? name : `${name} (${count}×)`, index.id(position));
}

function timesOf(count: number): string {
  return count === 1 ? 'once' : `${String(count)} times`;
}

function endOf(runs: readonly RunEnd[]): readonly HeadlineSpan[] {
  const failed = runs.filter(({ outcome }) => outcome === 'failed').length;
  const open = runs.filter(({ outcome }) => outcome === 'not recorded').length;
  if (runs.length === 0) return [plain('.')];
  const which = runs.length === 1 ? 'the run' : countToText(runs.length, 'run');
  const [end] = runs;
  if (failed + open === 0) return [plain('; '), linked(`${which} completed`, end?.event), plain('.')];
  if (open === runs.length) return [plain(`. The end of ${which} is not recorded.`)];
  const ends = [
    failed > 0 ? `${String(failed)} failed` : '',
    open > 0 ? `the end of ${String(open)} is not recorded` : '',
  ].filter((part) => part !== '');
  return runs.length === 1 ? [plain('; the run failed.')] : [plain(`. ${capitalise(which)}: ${ends.join(', ')}.`)];
}
