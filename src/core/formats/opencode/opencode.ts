/**
 * OpenCode: the stream of its plugin hooks, `[hook, payload, output]` a line, its session export `{info, messages}`, and the files of its
 * storage (`storage.ts`).
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
import { arrangeStorage, detectStorage, storageKind, storageToReading } from './storage.ts';

export const openCode: Format = createSessionFormat({
  id: 'opencode',
  label: 'OpenCode session (stream of hooks, export, or storage)',
  loop: 'session',
  program: 'OpenCode',
  detect: (sniff) => Math.max(detectExport(sniff), detectHooks(sniff), detectStorage(sniff)),
  entries: readEntries,
  arrange: arrangeStorage,
  read: ({ value, where, beside }) => {
    const kind = where === 'document' && isJsonObject(value) ? storageKind(value) : undefined;
    if (kind !== undefined && isJsonObject(value)) return storageToReading(value, kind, beside);
    // A document beside the storage, such as a to-do list.
    const isExport = isJsonObject(value) && (where !== 'document' || isJsonObject(value['info']));
    if (where === 'document' && !isExport) return { kind: 'document', session: textAt(beside, 'session'), parts: [] };
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
  else if (detectHooks(sniff) === 0 && isOneDocument(sniff)) yield await readDocumentEntries(file, count, new Set());
  else yield* readLineEntries(file, count);
}

/** One value over the whole file; damaged files are read by lines. */
function isOneDocument(sniff: Sniff): boolean {
  return detectStorage(sniff) > 0 || (sniff.whole && parseLossless(sniff.text.trim()).ok);
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
