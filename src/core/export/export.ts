/**
 * A trace as a file for other programs: the own stream, or OTLP JSON that carries it.
 *
 * The own stream is the stored lines as they stand: every event, stored content, branch, unknown type and unknown field. Called by the
 * command line and by the page's export.
 */
import type { HindcastEvent } from '../model/index.ts';
import { eventsToOtlp } from './otlp.ts';

export const exportForms = ['hindcast', 'otlp'] as const;
export type ExportForm = (typeof exportForms)[number];

/** What an export reads: a line and an event for every position, in any order of asking. */
export interface ExportSource {
  readonly count: number;
  readonly line: (position: number) => string;
  readonly at: (position: number) => HindcastEvent;
}

/** The file in parts, in order. */
export function exportToParts(source: ExportSource, form: ExportForm): Iterable<string> {
  return form === 'hindcast' ? toLines(source) : eventsToOtlp(toEvents(source));
}

/** How the file is called, after the name of the trace. */
export function exportName(name: string, form: ExportForm): string {
  const safe = name.replace(/[^\p{L}\p{N}._ -]+/gu, '-').slice(0, 120) || 'trace';
  return form === 'hindcast' ? `${safe}.hindcast.jsonl` : `${safe}.otlp.json`;
}

function* toLines(source: ExportSource): Generator<string> {
  for (let position = 0; position < source.count; position++) yield `${source.line(position)}\n`;
}

function* toEvents(source: ExportSource): Generator<HindcastEvent> {
  for (let position = 0; position < source.count; position++) yield source.at(position);
}
