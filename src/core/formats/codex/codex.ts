/**
 * Codex rollouts: JSON lines `{timestamp, type, payload}`, one file a session, sub-agents in files of their own.
 *
 * `response_item` is what the model saw and said; `event_msg` repeats it for the screen and is folded into it (rule `same-words`).
 * Invariant: every line is mapped, merged or a problem.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Format, Sniff } from '../format.ts';
import { memberAt, objectAt, textAt } from '../members.ts';
import { createSessionFormat } from '../session/read.ts';
import { readLineEntries } from '../session/source.ts';
import { sniffObjects } from '../sniff.ts';
import { execConfidence } from './exec.ts';
import { isBareMeta, recordToReading } from './reading.ts';

export const codex: Format = createSessionFormat({
  id: 'codex',
  loop: 'session',
  label: 'Codex rollout (JSON lines, with those of its sub-agents), or output of codex exec --json',
  program: 'Codex',
  detect: detectCodex,
  entries: readLineEntries,
  read: ({ value }) => (isJsonObject(value) ? recordToReading(value) : undefined),
  grade: (kinds) => ({
    replayGrade: 'tool loop only',
    missingForReplay: [
      'the control program of Codex',
      ...(kinds.has('thread.started') ? ['the prompt of the run'] : []),
      'the tool schemas',
      'the requests to the model (only its answers are recorded)',
      'the text of encrypted reasoning',
    ],
  }),
});

const kinds: ReadonlySet<string> = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted']);

function detectCodex(sniff: Sniff): number {
  let best = 0;
  for (const record of sniffObjects(sniff)) best = Math.max(best, recordConfidence(record));
  if (best > 0) return best;
  const head = sniff.text.slice(0, 400);
  return /^\s*\{"timestamp":"[^"]+","type":"(session_meta|response_item|turn_context|event_msg)","payload":\{/.test(
    head,
  )
    ? 0.9
    : 0;
}

function recordConfidence(record: JsonObject): number {
  const type = textAt(record, 'type');
  if (type !== undefined && kinds.has(type) && objectAt(record, 'payload') !== undefined) return 0.95;
  const exec = execConfidence(record);
  if (exec > 0) return exec;
  if (isBareMeta(record) || textAt(record, 'record_type') === 'state') return 0.8;
  // Before rollouts had envelopes, items stood bare in the line.
  const created = textAt(record, 'created_at') !== undefined;
  if (created && (type === 'function_call' || type === 'function_result')) return 0.8;
  return created && textAt(record, 'role') !== undefined && memberAt(record, 'model') !== undefined ? 0.6 : 0;
}
