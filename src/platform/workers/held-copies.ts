/**
 * A received copy as an opened trace, in memory only: imported by the same code as a file, indexed by the same index.
 */
import { sha256Hex, textToUtf8 } from '../../core/base/hash.ts';
import { type Result, err, ok } from '../../core/base/result.ts';
import { nameToShown } from '../../core/base/shown-text.ts';
import { createIndexBuilder, eventsToSource } from '../../core/causal/index.ts';
import type { Problem, RecordCounts, SourceFile } from '../../core/formats/format.ts';
import { type ImportResult, importFiles } from '../../core/formats/import.ts';
import type { HindcastEvent } from '../../core/model/index.ts';
import { countRunEvents } from '../../core/projections/index.ts';
import { decodePayload } from '../../core/share/index.ts';
import { type TraceRecord, traceId } from '../storage/index.ts';
import { computeGraphProblems } from './graph-problems.ts';
import type { OpenedTrace } from './open-traces.ts';
import type { HeldCopy } from './share-methods.ts';

export interface Held {
  readonly opened: OpenedTrace;
  readonly copy: HeldCopy;
}

interface Read {
  readonly events: readonly HindcastEvent[];
  readonly lines: readonly string[];
  readonly problems: readonly Problem[];
  readonly counts: RecordCounts;
  readonly result: ImportResult;
}

export async function bytesToHeld(bytes: Uint8Array<ArrayBuffer>, now: string): Promise<Result<Held, string>> {
  const payload = decodePayload(bytes);
  if (!payload.ok) return payload;
  const { title, note, expires, view, stream } = payload.value;
  if (expires !== undefined && expires <= now) {
    return err(
      `This share expired on ${expires.slice(0, 10)}; the person who made it asked that it is not shown any more. (The page keeps to that as a courtesy: it is not a lock.)`,
    );
  }
  const read = await readStream(stream);
  if (!read.ok) return read;
  const { events, lines } = read.value;
  const id = traceId(`copy-${sha256Hex(bytes).slice(0, 32)}`);
  const builder = createIndexBuilder();
  for (const event of events) builder.add(event);
  const columns = builder.toColumns();
  const index = builder.build();
  const source = eventsToSource(events, lines);
  const { problems: graphProblems } = computeGraphProblems(index, source, () => undefined);
  const trace = readToRecord(read.value, countRunEvents(columns), id, title, stream.length, now);
  const declared = events.find((event) => event.type === 'share.declared');
  return ok({
    opened: {
      parts: {
        trace,
        chunks: [],
        index: { columns, problems: graphProblems },
        problems: read.value.problems,
        branches: [],
      },
      graphProblems,
      index,
      source,
    },
    copy: {
      trace: id,
      title: nameToShown(title),
      note,
      expires,
      view,
      events: trace.events,
      holes: declared?.type === 'share.declared' ? declared.data.holes.length : 0,
      omitted: declared?.type === 'share.declared' ? (declared.data.omitted ?? 0) : 0,
    },
  });
}

/** The reader of files would advise to open another one; a reviewer has no other. */
const unreadable =
  'The share was opened, and what is in it is no trace. It was damaged before it was sent, or made by another program: ask the sender for it again.';

async function readStream(stream: string): Promise<Result<Read, string>> {
  const bytes = textToUtf8(stream);
  const file: SourceFile = {
    name: 'copy.hindcast.jsonl',
    size: bytes.length,
    open: () => chunkOnce(bytes),
  };
  const reading = importFiles([file]);
  const events: HindcastEvent[] = [];
  const lines: string[] = [];
  const problems: Problem[] = [];
  const counts = { input: 0, mapped: 0, merged: 0, problems: 0 };
  for (;;) {
    const step = await reading.next();
    if (step.done === true) {
      if (!step.value.ok) return err(unreadable);
      return ok({ events, lines, problems, counts, result: step.value.value });
    }
    for (const { event, line } of step.value.events) {
      events.push(event);
      lines.push(line);
    }
    for (const problem of step.value.problems) problems.push(problem);
    counts.input += step.value.counts.input;
    counts.mapped += step.value.counts.mapped;
    counts.merged += step.value.counts.merged;
    counts.problems += step.value.counts.problems;
  }
}

async function* chunkOnce(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

function readToRecord(
  read: Read,
  count: number,
  id: TraceRecord['id'],
  title: string,
  size: number,
  now: string,
): TraceRecord {
  const { result, counts, problems, events } = read;
  return {
    id,
    name: nameToShown(title),
    format: result.format,
    formatLabel: `Redacted copy of a ${result.label}`,
    replayGrade: result.replayGrade,
    missingForReplay: result.missingForReplay,
    files: [],
    sourceBytes: size,
    storedBytes: 0,
    events: count,
    runs: new Set(events.map((event) => event.run)).size,
    branches: 0,
    counts,
    problems: problems.filter(({ severity }) => severity === 'problem').length,
    notices: problems.filter(({ severity }) => severity === 'notice').length,
    created: now,
    retention: { hold: false, then: 'offer' },
    origin: 'shared',
  };
}
