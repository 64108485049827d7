/**
 * A received copy as an opened trace, in memory only: imported by the same code as a file, indexed by the same index.
 */
import { sha256Hex, textToUtf8 } from '../../core/base/hash.ts';
import { type Result, err, ok } from '../../core/base/result.ts';
import { nameToShown } from '../../core/base/shown-text.ts';
import { secondsToText, timeToMillis } from '../../core/base/time.ts';
import { createIndexBuilder, eventsToSource } from '../../core/causal/index.ts';
import type { Problem, RecordCounts, SourceFile } from '../../core/formats/format.ts';
import { type ImportResult, importFiles } from '../../core/formats/import.ts';
import { type EventOf, type HindcastEvent, branchId, mainBranch } from '../../core/model/index.ts';
import { countLeftOut, countRunEvents } from '../../core/projections/index.ts';
import { decodePayload } from '../../core/share/index.ts';
import { type TraceRecord, traceId } from '../storage/index.ts';
import { computeGraphProblems } from './graph-problems.ts';
import type { OpenedTrace } from './open-traces.ts';
import type { HeldCopy, LastDay } from './share-methods.ts';

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
  const end = expires === undefined ? undefined : expiresToLastDay(expires, now);
  if (end !== undefined && 'over' in end) {
    return err(
      `This share expired on ${end.over}; the person who made it asked that it is not shown any more. (The page keeps to that as a courtesy: it is not a lock.)`,
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
  const declared = findDeclaration(events);
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
      isHeld: true,
    },
    copy: {
      trace: id,
      title: nameToShown(title),
      note,
      expires: end,
      isDeclared: declared !== undefined,
      view,
      events: trace.events,
      holes: declared?.data.holes.length ?? 0,
      omitted: declared?.data.omitted ?? 0,
      lacking: countLeftOut(index, source, branchId(view?.branch ?? mainBranch)),
    },
  });
}

function findDeclaration(events: readonly HindcastEvent[]): EventOf<'share.declared'> | undefined {
  for (const event of events) if (event.type === 'share.declared') return event;
  return undefined;
}

/** As moments, not as texts: writers have zones of their own. What is no time ends nothing, and is told. */
function expiresToLastDay(expires: string, now: string): LastDay | { readonly over: string } {
  const end = timeToMillis(expires);
  const moment = timeToMillis(now);
  if (end === undefined || moment === undefined) return { unread: nameToShown(expires) };
  const day = secondsToText(Math.floor(end / 1000)).slice(0, 10);
  return end <= moment ? { over: day } : { day };
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
    formatLabel: findDeclaration(events) === undefined ? result.label : `Redacted copy of a ${result.label}`,
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
