/**
 * What coding agents print when nobody sits before them: `claude -p --output-format stream-json` and the messages of its SDK, the same of
 * `cursor-agent` and Qwen Code, and that of Gemini CLI. JSON lines, or a list of the same records, as CI jobs keep them.
 *
 * Records name their session, and a sub-agent by the call that started it; few have times.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import type { Format, Sniff, SourceFile } from '../format.ts';
import { objectAt, textAt } from '../members.ts';
import { createSessionFormat } from '../session/read.ts';
import { type CountBytes, readDocumentEntries, readLineEntries, type SessionEntry } from '../session/source.ts';
import { readSniff, sniffObjects } from '../sniff.ts';
import { claudeToReading } from './claude.ts';
import { geminiToReading, isGemini } from './gemini.ts';

export const agentStream: Format = createSessionFormat({
  id: 'agent-stream',
  label:
    'stream of a coding agent without a screen (Claude Code, Cursor, Qwen, Gemini CLI: --output-format stream-json)',
  loop: 'session',
  program: 'coding agent',
  detect,
  entries: readEntries,
  read: ({ value }) => {
    if (!isJsonObject(value)) return undefined;
    return isGemini(value) ? geminiToReading(value) : claudeToReading(value);
  },
  grade: () => ({
    replayGrade: 'tool loop only',
    missingForReplay: [
      'the control program of the agent',
      'the prompt of the run, where the stream begins behind it',
      'the system prompt',
      'the tool schemas',
      'the requests to the model (only its answers are recorded)',
    ],
  }),
});

const lists: ReadonlySet<string> = new Set(['']);

async function* readEntries(file: SourceFile, count: CountBytes): AsyncGenerator<readonly SessionEntry[]> {
  const sniff = await readSniff(file);
  // One record alone may be written over several lines.
  const isAlone = sniff.whole && sniffObjects(sniff, 2).length !== 2 && parseLossless(sniff.text.trim()).ok;
  if (/^\s*\[/.test(sniff.text) || isAlone) yield await readDocumentEntries(file, count, lists);
  else yield* readLineEntries(file, count);
}

function detect(sniff: Sniff): number {
  const document = sniff.whole ? parseLossless(sniff.text.trim()) : undefined;
  const value = document?.ok === true ? document.value : undefined;
  const records = Array.isArray(value) ? value.slice(0, 40) : value !== undefined ? [value] : sniffObjects(sniff);
  let best = 0;
  for (const record of records) if (isJsonObject(record)) best = Math.max(best, confidenceOf(record));
  if (best > 0) return best;
  // A long list of records over many lines.
  const begins = /^\s*\[\s*\{\s*"type"\s*:\s*"system"\s*,\s*"subtype"\s*:\s*"init"/.test(sniff.text);
  return begins && /"session_id"\s*:/.test(sniff.text) ? 0.9 : 0;
}

function confidenceOf(record: JsonObject): number {
  const session = textAt(record, 'session_id');
  const type = textAt(record, 'type');
  if (session === undefined) return 0;
  if (type === 'system' && textAt(record, 'subtype') === 'init') return 0.92;
  if (type === 'result' && textAt(record, 'subtype') !== undefined && 'is_error' in record) return 0.92;
  const speaks = (type === 'assistant' || type === 'user') && objectAt(record, 'message') !== undefined;
  if (speaks && 'parent_tool_use_id' in record) return 0.92;
  return type === 'init' && textAt(record, 'model') !== undefined ? 0.86 : 0;
}
