/**
 * The transcript: a projection of the events of one branch, never a source (R69).
 *
 * A light index of lines is made once per filter; texts are made for the window that is asked for. Every line links to its
 * records; gaps, second executions and second records stand in place (R70).
 */
import { lineToShown } from '../../base/shown-text.ts';
import { hasBit } from '../../causal/index.ts';
import type { EventId } from '../../model/index.ts';
import { filterToKey } from '../matching.ts';
import { listToText } from '../effects/words.ts';
import { isInsertionPoint } from '../insertion-point.ts';
import { cut, valueToText } from '../title-words.ts';
import { otherName, viewToTitle } from '../agent-names.ts';
import { shownAgent } from '../agent-stand-ins.ts';
import type { FilterSpec, Finding, TranscriptLine, TranscriptPage } from '../trace-reader.ts';
import type { TraceView } from '../trace-view.ts';
import { isSettingOrCount } from './folds.ts';
import { type CallBefore, eventToText } from './line-text.ts';
import { type FindingEntry, type LineIndex, computeLineIndex } from './line-index.ts';
import { type Nesting, computeNesting } from './nesting.ts';

/** Characters of a text that a line carries; the inspector has the rest. */
export const longestText = 4000;

export interface Transcript {
  readonly page: (filter: FilterSpec, from: number, to: number) => TranscriptPage;
  readonly lineOf: (filter: FilterSpec, event: EventId) => number;
}

/** Indexes kept: the present filter and a few before it. */
const keptIndexes = 4;

export function createTranscript(view: TraceView, findings: readonly Finding[]): Transcript {
  const indexes = new Map<string, LineIndex>();
  let callBefore: CallBefore | undefined;

  let known: Nesting | undefined;
  const nesting = (): Nesting => (known ??= computeNesting(view));

  function indexOf(filter: FilterSpec): LineIndex {
    const key = filterToKey(filter);
    const index = indexes.get(key) ?? computeLineIndex(view, filter, findings, nesting());
    indexes.delete(key);
    indexes.set(key, index);
    for (const oldest of indexes.keys()) {
      if (indexes.size <= keptIndexes) break;
      indexes.delete(oldest);
    }
    return index;
  }

  function line(index: LineIndex, at: number): TranscriptLine {
    callBefore ??= computeCallBefore(view);
    const entry = index.lines[at] ?? 0;
    const members = index.folds.get(entry);
    if (members !== undefined) return { ...foldToLine(view, members, nesting()), ...underOf(index, at, entry) };
    if (entry >= 0) return { ...eventToLine(view, entry, nesting(), callBefore), ...underOf(index, at, entry) };
    const finding = index.findings[-1 - entry];
    if (finding === undefined) throw new RangeError(`Line ${String(at)} names no finding.`);
    return findingToLine(view, finding, nesting());
  }

  /** Named only where the line does not stand below it. */
  function underOf(index: LineIndex, at: number, position: number): Pick<TranscriptLine, 'under'> {
    const parent = index.isApart[at] === 1 ? nesting().parentOf(position) : -1;
    return parent < 0 ? {} : { under: { event: view.index.id(parent), title: parentTitle(view, parent) } };
  }

  return {
    page: (filter, from, to) => {
      const index = indexOf(filter);
      const start = Math.max(0, Math.min(from, index.total));
      const end = Math.max(start, Math.min(to, index.total));
      const lines: TranscriptLine[] = [];
      for (let at = start; at < end; at++) lines.push(line(index, at));
      return { total: index.total, from: start, lines, hidden: index.hidden };
    },
    lineOf: (filter, event) => {
      const position = view.index.find(event);
      const row = view.holds(position) ? view.rowOf(position) : -1;
      if (row < 0) return -1;
      const { lineOfRow } = indexOf(filter);
      const own = lineOfRow[row] ?? -1;
      // What the filter hides has no place; what only has no line of its own is told by the one before it.
      if (own >= 0 || !hasBit(view.matching(filter), position)) return own;
      for (let before = row - 1; before >= 0; before--) {
        const line = lineOfRow[before] ?? -1;
        if (line >= 0) return line;
      }
      return -1;
    },
  };
}

/** A call is told from another of the same tool by what it was called with. */
function parentTitle(view: TraceView, parent: number): string {
  const title = viewToTitle(view, parent);
  const args = view.index.type(parent) === 'tool_call.dispatched' ? valueToText(view.data(parent)['args'], 60) : '';
  return args === '' || args === '{}' ? title : `${title} ${args}`;
}

function eventToLine(view: TraceView, position: number, nesting: Nesting, callBefore: CallBefore): TranscriptLine {
  const { index } = view;
  const { text, notRecorded, isSilent } = eventToText(view, position, callBefore);
  const id = index.id(position);
  const title = viewToTitle(view, position);
  const isAgain = index.has(position, 'replayed') || index.has(position, 'repeat');
  return {
    key: id,
    kind: isAgain ? 'recorded-twice' : isSilent ? 'cannot-answer' : 'event',
    depth: nesting.depthOf(position),
    family: index.family(position),
    title: index.type(position) === 'tool_call.completed' ? withoutWords(title, text) : title,
    // A title that already says it all is not repeated below itself.
    ...shorten(text !== undefined && title.endsWith(`: ${text}`) ? undefined : text),
    agent: shownAgent(view, position),
    agentName: otherName(view, shownAgent(view, position)),
    step: index.step(position),
    events: [id],
    ...(isInsertionPoint(view, position) ? { canStepIn: true } : {}),
    notRecorded,
  };
}

/** The beginning of an answer is not told twice, in the title and in the lines below it. */
function withoutWords(title: string, text: string | undefined): string {
  const at = title.indexOf(': ');
  if (at < 0 || text === undefined || !title.endsWith('…')) return title;
  const told = title.slice(at + 2, -1);
  const begins = lineToShown(
    text
      .slice(0, 4 * told.length + 200)
      .replace(/\s+/g, ' ')
      .trim(),
  ).startsWith(told);
  return begins ? title.slice(0, at) : title;
}

/** Titles of a fold that are read to count them. */
const mostRead = 400;

function foldToLine(view: TraceView, members: readonly number[], nesting: Nesting): TranscriptLine {
  const { index } = view;
  const [first = 0] = members;
  const isSteps = index.type(first) === 'step.started';
  const counts = new Map<string, number>();
  for (const position of members.slice(0, mostRead)) {
    const whole = viewToTitle(view, position);
    const title = isSteps ? whole.replace(/^step /, '').replace(/ started$/, '') : whole;
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  const kinds = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([title, count]) => (count === 1 ? title : `${title} ${String(count)}×`));
  return {
    key: `fold ${index.id(first)}`,
    kind: 'folded',
    depth: nesting.depthOf(first),
    family: index.family(first),
    title: isSteps
      ? `${String(members.length)} steps in which nothing else is recorded`
      : members.every((position) => isSettingOrCount(index.type(position)))
        ? `${String(members.length)} records of settings and counts`
        : `${String(members.length)} records that only their producer explains`,
    text: listToText(kinds, 6),
    agent: index.agent(first),
    agentName: otherName(view, index.agent(first)),
    step: undefined,
    events: members.map((position) => index.id(position)),
    notRecorded: [],
  };
}

function shorten(text: string | undefined): Pick<TranscriptLine, 'text' | 'cut'> {
  if (text === undefined) return {};
  if (text.length <= longestText) return { text };
  const short = cut(text, longestText);
  return { text: short, cut: text.length - short.length + 1 };
}

function findingToLine(view: TraceView, { finding, kind, after }: FindingEntry, nesting: Nesting): TranscriptLine {
  return {
    key: finding.id,
    kind,
    depth: nesting.depthOf(after) + (view.index.type(after) === 'tool_call.dispatched' ? 1 : 0),
    family: view.index.family(after),
    title: finding.title,
    text: finding.text,
    agent: view.index.agent(after),
    agentName: otherName(view, view.index.agent(after)),
    step: view.index.step(after),
    events: finding.evidence,
    notRecorded: finding.unknown,
  };
}

/** For each model call, the one of the same agent, session and run before it in display order. */
function computeCallBefore(view: TraceView): CallBefore {
  const before = new Map<number, number>();
  const last = new Map<string, number>();
  for (const position of view.ofType('model_call.requested')) {
    const { index } = view;
    const key = JSON.stringify([index.run(position), index.session(position) ?? null, index.agent(position) ?? null]);
    before.set(position, last.get(key) ?? -1);
    last.set(key, position);
  }
  return (position) => before.get(position) ?? -1;
}
