/**
 * OpenHands: version 0 event streams and evaluation outputs (one run a line), version 1 event files, and logs of its model calls.
 *
 * Event files of one conversation are pieces of one session. A log of a model call is joined to the events by the response id.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Format, Sniff, SourceFile } from '../format.ts';
import { readLines } from '../lines.ts';
import { textAt } from '../members.ts';
import { fingerprint } from '../seen.ts';
import { createSessionFormat } from '../session/read.ts';
import { type CountBytes, readDocumentEntries, type SessionEntry, textToEntries } from '../session/source.ts';
import { hasAll, textToTopKeys, type TopKeys } from '../session/top-keys.ts';
import { readSniff } from '../sniff.ts';
import { outputToReading, recordToReading as readV0 } from './v0/reading.ts';
import { isLog, isState, recordToReading as readV1 } from './v1/reading.ts';

export const openHands: Format = createSessionFormat({
  id: 'openhands',
  label: 'OpenHands conversation (events, evaluation output, model logs)',
  loop: 'session',
  program: 'OpenHands',
  sharesSession: true,
  detect: detectOpenHands,
  entries: readEntries,
  read: ({ value, where, group }) => {
    if (!isJsonObject(value)) return undefined;
    if (where === 'document' && group !== undefined) return outputToReading(value, group);
    if (isV1(value)) return readV1(value);
    // What an API writes around a page of events.
    if (where === 'document' && !('source' in value)) return { kind: 'page', parts: [] };
    return readV0(value, group);
  },
  grade: (kinds) => {
    const hasLogs = kinds.has('llm.log');
    const isFirst = [...kinds.keys()].some((kind) => kind.startsWith('v0.'));
    return {
      replayGrade: hasLogs
        ? kinds.has('ActionEvent')
          ? 'needs its program'
          : 'per call'
        : isFirst
          ? 'mostly'
          : 'tool loop only',
      missingForReplay: [
        'the control program of OpenHands',
        ...(hasLogs ? [] : ['the requests to the model (its logs were not opened)']),
      ],
    };
  },
});

/** Members by which the API hands out events. */
const pages: readonly string[] = ['items', 'events', 'trajectory'];
const lists: ReadonlySet<string> = new Set(['', 'history', ...pages]);

async function* readEntries(file: SourceFile, count: CountBytes): AsyncGenerator<readonly SessionEntry[]> {
  const sniff = await readSniff(file);
  const { isList, keys } = textToTopKeys(sniff.text);
  if (isList || !(keys.has('history') || isEventLine(sniff))) {
    yield await readDocumentEntries(file, count, lists);
    return;
  }
  for await (const read of readLines(file.open())) {
    const entries: SessionEntry[] = [];
    for (const line of read) {
      count(line.length);
      const at = { line: line.line, offset: line.offset };
      const isRun = keys.has('history');
      const group = isRun ? runName(line.text) : undefined;
      const [around, ...events] = textToEntries(file.name, line.text, at, lists, group);
      for (const entry of events) entries.push(entry);
      // It tells how the run ended, so it comes last.
      if (around !== undefined) entries.push(around);
    }
    yield entries;
  }
}

/** Events one a line. */
function isEventLine({ text }: Sniff): boolean {
  return /^\s*\{[^\n]*\}\s*\n\s*\{/.test(text);
}

/** A run is named by its task; a task run again is told apart by what it says, wherever it stands. */
function runName(text: string): string {
  const name =
    /"instance_id"\s*:\s*"([^"]{1,200})"/.exec(text)?.[1] ??
    /"issue"\s*:\s*\{[^}]*?"number"\s*:\s*(\d+)/.exec(text)?.[1];
  return `${name ?? 'run'}/${fingerprint(text.trim()).slice(0, 8)}`;
}

const v1Kinds =
  /^(System|Message|Action|Observation|UserReject|AgentError|Condensation|ConversationState|ConversationError|Pause|Token|LLM)/;

function isV1(value: JsonObject): boolean {
  return (v1Kinds.test(textAt(value, 'kind') ?? '') && 'source' in value) || isLog(value) || isState(value);
}

function detectOpenHands({ text }: Sniff): number {
  if (!/^\s*[[{]/.test(text)) return 0;
  const top = textToTopKeys(text);
  if (
    hasAll(top.keys, 'kind', 'source', 'timestamp', 'id') &&
    v1Kinds.test(/"kind"\s*:\s*"(\w+)"/.exec(text)?.[1] ?? '')
  )
    return 0.95;
  if (hasAll(top.keys, 'messages', 'response', 'kwargs') && (top.keys.has('cost') || top.keys.has('latency_sec')))
    return 0.9;
  if (isV0(top)) return 0.9;
  if (pages.some((page) => top.keys.has(page)) && isPage(top.inner, text)) return 0.85;
  if (!top.isList && isV0Event(top.keys) && bySource.test(text)) return 0.85;
  const isOutput = top.keys.has('history') && (top.keys.has('instance_id') || top.keys.has('issue'));
  return isOutput && (top.inner.has('action') || top.inner.has('observation') || top.keys.has('instruction')) ? 0.9 : 0;
}

const bySource = /"source"\s*:\s*"(agent|user|environment)"/;

function isPage(inner: ReadonlySet<string>, text: string): boolean {
  if (!hasAll(inner, 'id', 'timestamp', 'source') || !bySource.test(text)) return false;
  return isV0Event(inner) || v1Kinds.test(/"kind"\s*:\s*"(\w+)"/.exec(text)?.[1] ?? '');
}

/** An event in a file of its own. */
function isV0Event(keys: ReadonlySet<string>): boolean {
  const isEvent = (keys.has('action') && keys.has('args')) || (keys.has('observation') && keys.has('extras'));
  return isEvent && hasAll(keys, 'id', 'timestamp', 'source');
}

function isV0({ isList, keys }: TopKeys): boolean {
  return isList && hasAll(keys, 'id', 'timestamp', 'source') && (keys.has('action') || keys.has('observation'));
}
