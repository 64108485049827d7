/**
 * Gemini CLI: saved chats as one document, chats as JSON lines with patches, bare lists of contents, and recorded responses.
 *
 * Invariant: each message, each patch and what stands around them is a record. Call and answer of a tool stand in one record.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Format, Sniff, SourceFile } from '../format.ts';
import { listAt, memberAt, objectAt, textAt } from '../members.ts';
import { createSessionFormat } from '../session/read.ts';
import { type CountBytes, readDocumentEntries, readLineEntries, type SessionEntry } from '../session/source.ts';
import { hasAll, textToTopKeys } from '../session/top-keys.ts';
import { readSniff, sniffObjects } from '../sniff.ts';
import { recordToReading } from './reading.ts';

export const geminiCli: Format = createSessionFormat({
  id: 'gemini-cli',
  loop: 'session',
  label: 'Gemini CLI chat (document, lines, contents or recorded responses)',
  program: 'Gemini CLI',
  detect: (sniff) => Math.max(detectDocument(sniff), detectLines(sniff)),
  entries: readEntries,
  read: (record) => (isJsonObject(record.value) ? recordToReading(record.value, record.where) : undefined),
  grade: (kinds) => ({
    replayGrade: kinds.has('response') ? 'none' : 'tool loop only',
    missingForReplay: [
      'the control program of Gemini CLI',
      'the system instruction',
      'the tool declarations',
      'the requests to the model (only its answers are recorded)',
      ...(kinds.has('response') ? ['the answers of tools'] : []),
    ],
  }),
});

const lists: ReadonlySet<string> = new Set(['', 'messages', 'history']);
/** A checkpoint before a tool has the conversation beside what the screen showed of it. */
const checkpointLists: ReadonlySet<string> = new Set(['clientHistory']);

async function* readEntries(file: SourceFile, count: CountBytes): AsyncGenerator<readonly SessionEntry[]> {
  const sniff = await readSniff(file);
  const isCheckpoint = textToTopKeys(sniff.text).keys.has('clientHistory');
  if (detectDocument(sniff) > 0) yield await readDocumentEntries(file, count, isCheckpoint ? checkpointLists : lists);
  else yield* readLineEntries(file, count);
}

function detectDocument(sniff: Sniff): number {
  if (!/^\s*[[{]/.test(sniff.text)) return 0;
  const { isList, keys, inner } = textToTopKeys(sniff.text);
  // What a person wrote, session by session.
  if (isList && hasAll(keys, 'sessionId', 'messageId', 'message', 'timestamp')) return 0.85;
  if (isList)
    return hasAll(keys, 'role', 'parts') && !keys.has('kind') && /"role"\s*:\s*"(model|user)"/.test(sniff.text)
      ? 0.75
      : 0;
  if (hasAll(keys, 'sessionId', 'messages') && (keys.has('projectHash') || keys.has('startTime'))) return 0.95;
  // The answer of a run without a screen.
  if (hasAll(keys, 'response', 'stats') && hasAll(inner, 'models', 'tools')) return 0.85;
  // A saved chat or a checkpoint; early versions wrote contents under their own names of roles.
  const holds = keys.has('history') || keys.has('clientHistory');
  return holds && hasAll(inner, 'role', 'parts') && /"role"\s*:\s*"(gemini|model|user)"/.test(sniff.text) ? 0.8 : 0;
}

function detectLines(sniff: Sniff): number {
  let best = 0;
  for (const record of sniffObjects(sniff)) best = Math.max(best, lineConfidence(record));
  return best;
}

function lineConfidence(record: JsonObject): number {
  if (textAt(record, 'sessionId') !== undefined && textAt(record, 'projectHash') !== undefined) return 0.9;
  const method = textAt(record, 'method') ?? '';
  const candidates = responsesOf(record).some((one) => memberAt(one, 'candidates') !== undefined);
  if (/^(generateContent|countTokens|embedContent)/.test(method) && candidates) return 0.95;
  const { type } = record;
  if (type === 'gemini' && textAt(record, 'id') !== undefined && 'content' in record) return 0.9;
  return objectAt(record, '$set') !== undefined && Object.keys(record).length === 1 ? 0.5 : 0;
}

function responsesOf(record: JsonObject): readonly JsonObject[] {
  const response = memberAt(record, 'response');
  return isJsonObject(response) ? [response] : (listAt(record, 'response') ?? []).filter(isJsonObject);
}
