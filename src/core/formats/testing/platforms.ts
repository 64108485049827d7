/** Stories of opened files as short texts, for tests of formats: edges by the ends of their ids, and variants of a file. */
import { expect } from 'vitest';
import {
  computeProblems,
  createBranches,
  createIndexBuilder,
  createOrder,
  eventsToSource,
} from '../../causal/index.ts';
import type { HindcastEvent } from '../../model/index.ts';
import { openFiles, type Opened, textToSource } from './opening.ts';

export async function openValue(value: unknown): Promise<Opened> {
  return openFiles([textToSource('input.bin', JSON.stringify(value))]);
}

export async function openLines(values: readonly unknown[]): Promise<Opened> {
  return openFiles([textToSource('input.bin', `${values.map((value) => JSON.stringify(value)).join('\n')}\n`)]);
}

export function byType({ events }: Opened, type: string): readonly HindcastEvent[] {
  return events.map(({ event }) => event).filter((event) => event.type === type);
}

function shortId(id: string): string {
  return id.slice(id.indexOf('/') + 1);
}

/** Every event with its time, causes and data, one line each; of answers and decisions without what says the same a second time. */
export function toWholeStory({ events }: Opened): readonly string[] {
  return events.map(({ event: { type, time, causes, data } }) => {
    const isAnswer = type === 'model_call.completed' || type === 'decision.made';
    const kept = Object.entries(data ?? {}).filter(([key]) => !isAnswer || (key !== 'result' && key !== 'args'));
    const told = (causes ?? []).map(
      ({ event, as, rule }) => `<${as}${rule === undefined ? '' : `~${rule}`} ${shortId(event)}`,
    );
    return [type, time?.slice(17) ?? '-', ...told, JSON.stringify(Object.fromEntries(kept))].join(' ');
  });
}

/** "cause -as~rule-> effect", sorted. */
export function edges({ events }: Opened): readonly string[] {
  return events
    .flatMap(({ event }) =>
      (event.causes ?? []).map(
        ({ event: cause, as, rule }) =>
          `${shortId(cause)} -${as}${rule === undefined ? '' : `~${rule}`}-> ${shortId(event.id)}`,
      ),
    )
    .sort();
}

/** What every file must give, whatever it is: the account adds up, ids are unique, inferred edges name their rule. */
export function expectSound(opened: Opened): void {
  const { counts, events } = opened;
  expect(counts.input).toBe(counts.mapped + counts.merged + counts.problems);
  expect(new Set(events.map(({ event }) => event.id)).size).toBe(events.length);
  for (const { event } of events) {
    for (const cause of event.causes ?? []) {
      if (cause.grade !== undefined && cause.grade !== 'recorded') expect(cause.rule).toBeTypeOf('string');
    }
  }
}

/** The graph without places in files, for comparing orders of one file. */
export function graphOf({ events }: Opened): readonly string[] {
  return events.map(({ event: { imported: _imported, ...rest } }) => JSON.stringify(rest)).sort();
}

/** Every edge of a damaged variant stands in the whole file too: damage loses, and never invents. */
export function expectNoNewEdges(damaged: Opened, whole: Opened): void {
  const known = new Set(edges(whole));
  expect(edges(damaged).filter((edge) => !known.has(edge))).toEqual([]);
}

/** Every rule on an edge, to be found in the table where the format describes it. */
export function rulesOf({ events }: Opened): readonly string[] {
  const names = events.flatMap(({ event }) => (event.causes ?? []).flatMap(({ rule }) => rule ?? []));
  return [...new Set(names)].sort();
}

/** What the records do not fit together in, as "code: message". */
export function problemsOf(opened: Opened): readonly string[] {
  const builder = createIndexBuilder();
  for (const { event } of opened.events) builder.add(event);
  const index = builder.build();
  const source = eventsToSource(opened.events.map(({ event }) => event));
  const branches = createBranches(index, source);
  const problems = computeProblems({ index, source, order: createOrder(index), branches });
  return problems.filter(({ severity }) => severity === 'problem').map(({ code, message }) => `${code}: ${message}`);
}
