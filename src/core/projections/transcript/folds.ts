/**
 * Lines that say nothing of their own and come in numbers, told as one: steps in which nothing happens, such as the spans of an HTTP
 * client, and repeated records of a kind this model has no word for, such as the progress of a tool. Those of them that carry only settings
 * or counts are told as one for a whole run.
 *
 * Invariant: a record with a finding after it, a failure, or anything that came of it is never folded, and every folded record stands
 * in exactly one fold, under the line of its first. Decided by types, recorded parents and edges; no body is decoded.
 */
import { behindLast } from '../../base/text-end.ts';
import type { TraceView } from '../trace-view.ts';
import type { Nesting } from './nesting.ts';

/** Fewer of a kind than this are told one by one. */
const fewest = 3;

/** Members by the first of them, in display order. */
export type Folds = ReadonlyMap<number, readonly number[]>;

/** `events`: positions of the lines, in their order. `isKept`: a line that something else hangs on. */
export function computeFolds(
  view: TraceView,
  nesting: Nesting,
  events: Int32Array,
  isKept: (position: number) => boolean,
): Folds {
  const groups = new Map<string, number[]>();
  const empty = findEmptySteps(view, events, isKept);
  let stretch = 0;
  let before = '';
  for (const position of events) {
    const { index } = view;
    const agent = index.agent(position) ?? '';
    const isOdd = index.family(position) === 'unknown' && !isKept(position) && !index.has(position, 'failed');
    const isAside = isOdd && isSettingOrCount(index.type(position));
    // What has no word is folded only where it follows itself; an empty step may stand anywhere under its parent.
    const key = isOdd && !isAside ? `odd ${agent}` : '';
    // Settings and counts stand back wherever they are, and part nothing.
    if (!isAside && key !== before) stretch++;
    if (!isAside) before = key;
    const group = isAside
      ? `aside ${index.run(position)} ${agent}`
      : isOdd
        ? `${key} ${String(stretch)}`
        : empty.has(position)
          ? `step ${String(nesting.parentOf(position))} ${agent}`
          : '';
    if (group === '') continue;
    const list = groups.get(group);
    if (list === undefined) groups.set(group, [position]);
    else list.push(position);
  }
  const folds = new Map<number, readonly number[]>();
  for (const list of groups.values()) if (list.length >= fewest && list[0] !== undefined) folds.set(list[0], list);
  return folds;
}

/** Last words of the types that carry only what was set or counted. */
const asides = new Set(
  'context count counts counter usage setting settings config configuration metadata meta stats statistics limit limits summaries reductions mode attributes'.split(
    ' ',
  ),
);

/** By its type alone: `codex.turn_context`, `codex.event.token_count`, `inspect.summaries`. */
export function isSettingOrCount(type: string): boolean {
  return asides.has(behindLast(type, '._/-').toLowerCase());
}

/** Steps of which nothing came but their own end, or further empty steps. Causes stand before effects: one pass from the end. */
function findEmptySteps(
  view: TraceView,
  events: Int32Array,
  isKept: (position: number) => boolean,
): ReadonlySet<number> {
  const { index } = view;
  const empty = new Set<number>();
  const steps = events.filter((position) => index.type(position) === 'step.started');
  for (const position of [...steps].sort((a, b) => view.rowOf(b) - view.rowOf(a))) {
    const isEmpty = view
      .effectsOf(position)
      .every(({ to }) => empty.has(to) || (index.type(to) === 'step.completed' && isQuietEnd(view, to)));
    if (isEmpty && !isKept(position) && !index.has(position, 'failed')) empty.add(position);
  }
  return empty;
}

/** The end of a step that did not fail and led to nothing. */
function isQuietEnd(view: TraceView, end: number): boolean {
  return (
    !view.index.has(end, 'failed') && view.effectsOf(end).every(({ to }) => view.index.type(to) === 'step.completed')
  );
}
