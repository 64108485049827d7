/**
 * OpenCode: the stream of its plugin hooks, `[hook, payload, output]` a line, and its session export `{info, messages}`.
 *
 * Parts of messages are told many times while they grow: the last telling counts, and all are folded into one event.
 */
import { isJsonArray, isJsonObject, type JsonValue } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import type { Format, Sniff, SourceFile } from '../format.ts';
import { textAt } from '../members.ts';
import { createSessionFormat } from '../session/read.ts';
import { type CountBytes, readDocumentEntries, readLineEntries, type SessionEntry } from '../session/source.ts';
import { hasAll, textToTopKeys } from '../session/top-keys.ts';
import { readSniff } from '../sniff.ts';
import { exportToReading } from './export.ts';
import { hookToReading } from './hook.ts';

export const openCode: Format = createSessionFormat({
  id: 'opencode',
  label: 'OpenCode session (stream of hooks, or export)',
  loop: 'session',
  program: 'OpenCode',
  detect: (sniff) => Math.max(detectExport(sniff), detectHooks(sniff)),
  entries: readEntries,
  read: ({ value, where }) => {
    if (isJsonObject(value)) return exportToReading(value, where);
    return isHook(value) ? hookToReading(value) : undefined;
  },
  grade: (kinds) => ({
    replayGrade: 'tool loop only',
    missingForReplay: [
      'the control program of OpenCode',
      ...(kinds.has('system') ? [] : ['the system prompt', 'the tool schemas']),
      'the requests to the model (only its answers are recorded)',
    ],
  }),
});

const lists: ReadonlySet<string> = new Set(['messages']);

async function* readEntries(file: SourceFile, count: CountBytes): AsyncGenerator<readonly SessionEntry[]> {
  const sniff = await readSniff(file);
  if (detectExport(sniff) > 0) yield await readDocumentEntries(file, count, lists);
  else yield* readLineEntries(file, count);
}

function detectExport(sniff: Sniff): number {
  if (!/^\s*\{/.test(sniff.text)) return 0;
  const { keys } = textToTopKeys(sniff.text);
  return hasAll(keys, 'info', 'messages') &&
    /"(projectID|providerID)"\s*:/.test(sniff.text) &&
    /"(ses|msg)_/.test(sniff.text)
    ? 0.9
    : 0;
}

const hooks =
  /^(event|chat\.(message|params|headers)|tool\.(definition|execute\.(before|after))|permission\.ask|experimental\.)/;

function isHook(value: JsonValue): value is readonly JsonValue[] {
  return isJsonArray(value) && typeof value[0] === 'string' && isJsonObject(value[1]);
}

function detectHooks(sniff: Sniff): number {
  let found = 0;
  for (const line of sniff.text.split(/\r?\n/, 20)) {
    const parsed = line.startsWith('[') ? parseLossless(line) : undefined;
    if (parsed?.ok !== true || !isHook(parsed.value)) continue;
    const [hook, payload] = parsed.value;
    if (typeof hook !== 'string' || !hooks.test(hook)) continue;
    const event = isJsonObject(payload) ? payload['event'] : undefined;
    if (hook !== 'event') found = Math.max(found, 0.6);
    else if (isJsonObject(event) && textAt(event, 'type') !== undefined) return 0.95;
  }
  return found > 0 ? found : /^\s*\["event",\{"event":\{"type":"[a-z.]+"/.test(sniff.text) ? 0.9 : 0;
}
