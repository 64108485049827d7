/**
 * Smaller coding agents, each a dialect of a few shapes: Antigravity, Copilot CLI, Cursor, Droid, Grok, Hermes, iFlow, Kimi, OpenClaw and Pi,
 * Qwen Code, and logs of plain chat messages. Adding one is a file and a line in the table.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Format, Sniff, SourceFile } from '../format.ts';
import { createSessionFormat } from '../session/read.ts';
import { type CountBytes, readDocumentEntries, readLineEntries, type SessionEntry } from '../session/source.ts';
import { textToTopKeys } from '../session/top-keys.ts';
import { readSniff, sniffObjects } from '../sniff.ts';
import { antigravity } from './antigravity.ts';
import { chatLines, cursor } from './chat-lines.ts';
import { copilot } from './copilot.ts';
import type { Dialect } from './dialect.ts';
import { droid } from './droid.ts';
import { grok } from './grok.ts';
import { hermes, isHermes } from './hermes.ts';
import { iflow } from './iflow.ts';
import { kimi } from './kimi.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';

const dialects: readonly Dialect[] = [
  antigravity,
  copilot,
  cursor,
  droid,
  grok,
  hermes,
  iflow,
  kimi,
  pi,
  qwen,
  chatLines,
];
const byId: ReadonlyMap<string, Dialect> = new Map(dialects.map((dialect) => [dialect.id, dialect]));

export const otherCli: Format = createSessionFormat({
  id: 'other-cli',
  label:
    'coding agent session (Antigravity, Copilot CLI, Cursor, Droid, Grok, Hermes, iFlow, Kimi, OpenClaw, Pi, Qwen)',
  program: 'coding agent',
  detect: (sniff) => (isHermes(textToTopKeys(sniff.text).keys) ? 0.85 : bestDialect(sniff).confidence),
  entries: readEntries,
  read: ({ value, group }) => {
    const dialect = byId.get(group ?? '');
    if (!isJsonObject(value)) return undefined;
    if (dialect === undefined) return { kind: 'document', parts: [] };
    const reading = dialect.read(value);
    return { ...reading, kind: `${dialect.id}.${reading.kind}` };
  },
  grade: () => ({
    replayGrade: 'tool loop only',
    missingForReplay: [
      'the control program of the agent',
      'the tool schemas',
      'the requests to the model (only its answers are recorded)',
      'positions of issues and deliveries',
    ],
  }),
});

async function* readEntries(file: SourceFile, count: CountBytes): AsyncGenerator<readonly SessionEntry[]> {
  const sniff = await readSniff(file);
  if (isHermes(textToTopKeys(sniff.text).keys)) {
    const entries = await readDocumentEntries(file, count, new Set(['messages']));
    yield entries.map((entry) =>
      entry.record === undefined ? entry : { ...entry, record: { ...entry.record, group: hermes.id } },
    );
    return;
  }
  const { dialect } = bestDialect(sniff);
  if (dialect === undefined && sniffObjects(sniff, 2).length === 0) {
    // A document beside a session, such as the state of its program.
    yield await readDocumentEntries(file, count, new Set());
    return;
  }
  for await (const entries of readLineEntries(file, count)) {
    yield entries.map((entry) =>
      entry.record === undefined ? entry : { ...entry, record: { ...entry.record, group: dialect?.id } },
    );
  }
}

function bestDialect(sniff: Sniff): { readonly dialect: Dialect | undefined; readonly confidence: number } {
  let best: { dialect: Dialect | undefined; confidence: number } = { dialect: undefined, confidence: 0 };
  const records: readonly JsonObject[] = sniffObjects(sniff);
  for (const dialect of dialects) {
    for (const record of records) {
      const confidence = dialect.confidence(record);
      if (confidence > best.confidence) best = { dialect, confidence };
    }
  }
  return best;
}
