/**
 * AgentSight: what a kernel probe saw of an agent: pieces of TLS traffic, and the processes it started.
 *
 * Requests and answers are put together from the reads and writes of each thread (`exchange.ts`); an exchange with a model is a model
 * call, any other is an event of its own. A process is joined to the tool call whose command it runs (rule `command-of-call`).
 * Invariant: every recorded read, write and process event is mapped or merged.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Format, Sniff, SourceFile } from '../format.ts';
import { readLines } from '../lines.ts';
import { memberAt, objectAt, textAt } from '../members.ts';
import { createSessionFormat } from '../session/read.ts';
import {
  type CountBytes,
  readDocumentEntries,
  readLineEntries,
  type SessionEntry,
  type SessionRecord,
} from '../session/source.ts';
import { textToTopKeys } from '../session/top-keys.ts';
import { readSniff, sniffObjects } from '../sniff.ts';
import { createAssembler } from './exchange.ts';
import { recordToReading } from './reading.ts';

export const agentSight: Format = createSessionFormat({
  id: 'agentsight',
  label: 'AgentSight recording (TLS traffic and processes)',
  program: 'agent seen by AgentSight',
  detect: detectAgentSight,
  entries: readEntries,
  read: (record) => (isJsonObject(record.value) ? recordToReading(record.value, record) : undefined),
  grade: (kinds) => ({
    replayGrade: kinds.has('exchange') ? 'needs its program' : 'none',
    missingForReplay: [
      'the control program of the agent',
      ...(kinds.has('exchange') ? [] : ['requests to a model']),
      'positions of issues and deliveries',
    ],
  }),
});

const lists: ReadonlySet<string> = new Set(['', 'data_timeline', 'timeline']);

async function* readEntries(file: SourceFile, count: CountBytes): AsyncGenerator<readonly SessionEntry[]> {
  const assembler = createAssembler();
  const head = textToTopKeys((await readSniff(file)).text);
  if (head.isList || isProcessed(head.keys)) {
    const entries = await readDocumentEntries(file, count, lists);
    yield [...entries.flatMap((entry) => toPieces(assembler.push, entry)), ...assembler.end().map(toEntry)];
    return;
  }
  if (await isInOrder(file)) {
    for await (const entries of readLineEntries(file, count)) {
      yield entries.flatMap((entry) => toPieces(assembler.push, entry));
    }
  } else {
    const entries: SessionEntry[] = [];
    for await (const some of readLineEntries(file, count)) entries.push(...some);
    yield inProbeOrder(entries).flatMap((entry) => toPieces(assembler.push, entry));
  }
  yield assembler.end().map(toEntry);
}

const ordered = new WeakMap<SourceFile, boolean>();

/** Whether lines stand as the probe's clock has them. Told by their texts: a recording may be long, and nearly all are in order. */
async function isInOrder(file: SourceFile): Promise<boolean> {
  const known = ordered.get(file);
  if (known !== undefined) return known;
  let last = '';
  let isOrdered = true;
  for await (const lines of readLines(file.open())) {
    for (const { text } of lines) {
      const at = /"timestamp_ns"\s*:\s*(\d+)/.exec(text)?.[1] ?? /"timestamp"\s*:\s*(\d+)/.exec(text)?.[1];
      if (at === undefined) continue;
      isOrdered &&= !isBefore(at, last);
      last = at;
    }
  }
  ordered.set(file, isOrdered);
  return isOrdered;
}

/** Of digits without a sign, which may be more than a double holds. */
function isBefore(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}

/** A file that was put together in another order is read in that of the clock; what has no time stays at its end. */
function inProbeOrder(entries: readonly SessionEntry[]): readonly SessionEntry[] {
  const timed = entries.map((entry, n) => ({ entry, n, at: timeOf(entry) }));
  timed.sort((a, b) => {
    if (a.at === b.at) return a.n - b.n;
    if (a.at === undefined || b.at === undefined) return a.at === undefined ? 1 : -1;
    return isBefore(a.at, b.at) ? -1 : 1;
  });
  return timed.map(({ entry }) => entry);
}

function timeOf({ record }: SessionEntry): string | undefined {
  const value = record?.value;
  const time = memberAt(objectAt(value, 'data'), 'timestamp_ns') ?? memberAt(value, 'timestamp');
  if (typeof time === 'number') return String(time);
  return textAt(time, '$num');
}

function toPieces(
  push: (record: SessionRecord) => readonly SessionRecord[],
  entry: SessionEntry,
): readonly SessionEntry[] {
  if (entry.record === undefined || entry.record.where === 'document') return [entry];
  return push(entry.record).map(toEntry);
}

function toEntry(record: SessionRecord): SessionEntry {
  return { record };
}

function isProcessed(keys: ReadonlySet<string>): boolean {
  return keys.has('data_timeline') || keys.has('timeline');
}

function detectAgentSight(sniff: Sniff): number {
  const { keys } = textToTopKeys(sniff.text);
  if (keys.has('analysis_metadata') && isProcessed(keys)) return 0.95;
  let best = 0;
  for (const record of sniffObjects(sniff)) best = Math.max(best, recordConfidence(record));
  return best;
}

function recordConfidence(record: JsonObject): number {
  const data = objectAt(record, 'data');
  const source = textAt(record, 'source') ?? '';
  if (data === undefined || memberAt(record, 'timestamp') === undefined) return 0;
  const isTls = source === 'ssl' && 'function' in data && 'pid' in data;
  if (isTls || (source === 'process' && 'event' in data && 'pid' in data)) return 0.95;
  return /^(http_parser|sse_processor|stdio|system)$/.test(source) && ('pid' in record || 'tid' in data) ? 0.85 : 0;
}
