/**
 * A file or folder as an opened trace, in memory: the same import, index and reader as the page has, without storage.
 *
 * Bodies are kept as lines and parsed when asked for, so that a long trace costs its text and its index, not its objects.
 */
import { ensureExists } from '../core/base/assert.ts';
import { parseLossless } from '../core/base/lossless.ts';
import { type Result, err, ok } from '../core/base/result.ts';
import { type CausalIndex, type EventSource, createIndexBuilder } from '../core/causal/index.ts';
import type {
  ImportOptions,
  InputPlace,
  Problem,
  RecordCounts,
  SourceFile,
  TraceEntry,
  UnusableInput,
} from '../core/formats/format.ts';
import { type ImportResult, importFiles, listTraces } from '../core/formats/import.ts';
import { type HindcastEvent, parseEvent } from '../core/model/index.ts';
import { pathsToSources } from '../platform/files/node-files.ts';
import { type LeftOut, computeLeftOut } from './left-out.ts';
import { toPercent } from './progress.ts';

export interface Opened {
  readonly index: CausalIndex;
  readonly source: EventSource;
  readonly result: ImportResult;
  readonly counts: RecordCounts;
  readonly problems: readonly Problem[];
  /** How many traces the files hold; they are opened as one unless one was chosen. */
  readonly traces: number;
  readonly placeOf: (position: number) => InputPlace | undefined;
  readonly leftOut: () => LeftOut;
}

interface OpenOptions extends ImportOptions {
  readonly onProgress?: ((text: string) => void) | undefined;
}

/** Several paths are opened together, as the parts of one trace. */
export async function openPaths(
  paths: readonly string[],
  options: OpenOptions,
): Promise<Result<Opened, UnusableInput>> {
  const sources = await pathsToSources(paths);
  if (!sources.ok) return err({ code: 'not-readable', message: sources.error.message });
  return openSources(sources.value, options);
}

export async function openSources(
  sources: readonly SourceFile[],
  options: OpenOptions,
): Promise<Result<Opened, UnusableInput>> {
  const onLooking = (): undefined => {
    options.onProgress?.('Looking at the files');
  };
  onLooking();
  const found = await listTraces(sources, { ...options, onStep: onLooking });
  if (!found.ok) return found;
  const [first] = found.value;
  const keys = first?.traces ?? [];
  if (options.trace !== undefined && !keys.some(({ key }) => key === options.trace))
    return err(noSuchTrace(options.trace, keys));
  if (options.trace === undefined && keys.length > 1 && keys.some(({ isTrial }) => isTrial))
    return err(severalTrials(keys));
  const traces = options.trace === undefined ? Math.max(1, keys.length) : 1;
  const reading = importFiles(sources, options);
  const builder = createIndexBuilder();
  const lines: string[] = [];
  const places: InputPlace[] = [];
  const problems: Problem[] = [];
  const counts = { input: 0, mapped: 0, merged: 0, problems: 0 };
  // Packed files unpack to more than this, and then no part of a whole is told.
  const size = sources.reduce((sum, source) => sum + (source.size ?? 0), 0);
  for (;;) {
    const step = await reading.next();
    if (step.done === true) {
      if (!step.value.ok) return step.value;
      const result = step.value.value;
      const opened = { index: builder.build(), source: linesToSource(lines), result, counts, problems, traces };
      return ok({
        ...opened,
        placeOf: (position) => places[position],
        leftOut: () => computeLeftOut(counts.problems, problems, places),
      });
    }
    const batch = step.value;
    options.onProgress?.(`Opening${toPercent(batch.bytesRead, size)}: ${lines.length} events`);
    for (const { event, line, place } of batch.events) {
      builder.add(event);
      lines.push(line);
      places.push(place);
    }
    for (const problem of batch.problems) problems.push(problem);
    counts.input += batch.counts.input;
    counts.mapped += batch.counts.mapped;
    counts.merged += batch.counts.merged;
    counts.problems += batch.counts.problems;
  }
}

function noSuchTrace(key: string, traces: readonly TraceEntry[]): UnusableInput {
  const message =
    traces.length === 0
      ? `There is only one trace, so "${key}" chooses nothing. Leave the option out.`
      : `There is no trace with the key "${key}". What there is: ${entriesToText(traces)}.`;
  return { code: 'trace-not-there', message };
}

/** Every trial numbers its records for itself: read as one, the effects of one would be told by the records of another. */
function severalTrials(traces: readonly TraceEntry[]): UnusableInput {
  const message = `These files hold ${traces.length} trials that number their records alike, so they cannot be read as one trace. Choose one with --trace KEY: ${entriesToText(traces)}. "hindcast recovery" judges them all.`;
  return { code: 'several-trials', message };
}

function entriesToText(traces: readonly TraceEntry[]): string {
  const some = traces.slice(0, 5).map((trace) => `${trace.key} (${trace.title})`);
  const rest = traces.length > some.length ? ` and ${traces.length - some.length} more` : '';
  return `${some.join(', ')}${rest}`;
}

/** Parsed events kept at hand; rules ask for the same ones again. */
const keptEvents = 20_000;

function linesToSource(lines: readonly string[]): EventSource {
  const kept = new Map<number, HindcastEvent>();
  const line = (position: number): string => ensureExists(lines[position], 'a line for every position');
  return {
    count: lines.length,
    line,
    at: (position) => {
      const known = kept.get(position);
      if (known !== undefined) return known;
      const event = lineToEvent(line(position));
      if (kept.size >= keptEvents) kept.clear();
      kept.set(position, event);
      return event;
    },
  };
}

/** Every line was an event when it was imported. */
function lineToEvent(line: string): HindcastEvent {
  const value = parseLossless(line);
  const event = value.ok ? parseEvent(value.value) : undefined;
  return ensureExists(event?.ok === true ? event.value : undefined, 'an event in an imported line');
}
