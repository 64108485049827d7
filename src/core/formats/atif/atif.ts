/**
 * ATIF, the Agent Trajectory Interchange Format: `{schema_version, session_id, agent, steps, final_metrics}`, also several of them under
 * names in one document.
 *
 * A step is a record: a message, or an answer of the model with its calls and what they gave. What stands around the steps is one too.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { parseLossless, writeLossless } from '../../base/lossless.ts';
import { joinBytes } from '../decode/decode.ts';
import { decodeText } from '../decode/text.ts';
import type { Format, Sniff, SourceFile } from '../format.ts';
import { textAt } from '../members.ts';
import { createSessionFormat } from '../session/read.ts';
import { type CountBytes, type SessionEntry, textToEntries } from '../session/source.ts';
import { hasAll, textToTopKeys } from '../session/top-keys.ts';
import { recordToReading } from './reading.ts';

export const atif: Format = createSessionFormat({
  id: 'atif',
  label: 'ATIF trajectory',
  loop: 'session',
  program: 'agent',
  detect: detectAtif,
  entries: readEntries,
  read: ({ value, where, group }) => (isJsonObject(value) ? recordToReading(value, where, group) : undefined),
  grade: () => ({
    replayGrade: 'tool loop only',
    missingForReplay: ['the control program of the agent', 'the requests to the model (only its answers are recorded)'],
  }),
});

const lists: ReadonlySet<string> = new Set(['steps']);

async function* readEntries(file: SourceFile, count: CountBytes): AsyncGenerator<readonly SessionEntry[]> {
  const parts: Uint8Array[] = [];
  for await (const chunk of file.open()) {
    count(chunk.length);
    parts.push(chunk);
  }
  const { text } = decodeText(joinBytes(parts));
  const at = { line: 1, offset: 0 };
  for (const written of trajectoriesOf(text)) yield textToEntries(file.name, written, at, lists, sessionOf(written));
}

/** A document of several trajectories under names is each of them. */
function trajectoriesOf(text: string): readonly string[] {
  if (textToTopKeys(text).keys.has('steps')) return [text];
  const parsed = parseLossless(text);
  const held = parsed.ok && isJsonObject(parsed.value) ? Object.values(parsed.value).filter(isTrajectory) : [];
  return held.length === 0 ? [text] : held.map((one) => writeLossless(one));
}

function isTrajectory(value: unknown): value is JsonObject {
  return isJsonObject(value) && (textAt(value, 'schema_version') ?? '').startsWith('ATIF');
}

/** Steps do not name their session; what stands around them does. */
function sessionOf(text: string): string | undefined {
  return /"session_id"\s*:\s*"([^"\\]{1,300})"/.exec(text)?.[1];
}

function detectAtif({ text }: Sniff): number {
  if (!/^\s*\{/.test(text)) return 0;
  if (/"schema_version"\s*:\s*"ATIF-v\d/.test(text)) return 0.97;
  const { keys, inner } = textToTopKeys(text);
  return hasAll(keys, 'steps', 'session_id', 'agent') && inner.has('step_id') ? 0.8 : 0;
}
