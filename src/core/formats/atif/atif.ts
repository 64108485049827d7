/**
 * ATIF, the Agent Trajectory Interchange Format: `{schema_version, session_id, agent, steps, final_metrics}`, also several of them under
 * names in one document, and those of sub-agents inside that of the agent that asked them (`subagent_trajectories`).
 *
 * A step is a record: a message, or an answer of the model with its calls and what they gave. What stands around the steps is one too.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { parseLossless, writeLossless } from '../../base/lossless.ts';
import { joinBytes } from '../decode/decode.ts';
import { decodeText } from '../decode/text.ts';
import type { Format, Sniff, SourceFile } from '../format.ts';
import { listAt, restOf, textAt } from '../members.ts';
import { createSessionFormat } from '../session/read.ts';
import { type CountBytes, type SessionEntry, textToEntries } from '../session/source.ts';
import { hasAll, textToTopKeys } from '../session/top-keys.ts';
import { insideSession, recordToReading } from './reading.ts';

export const atif: Format = createSessionFormat({
  id: 'atif',
  label: 'ATIF trajectory',
  loop: 'session',
  program: 'agent',
  detect: detectAtif,
  entries: readEntries,
  read: (record) => (isJsonObject(record.value) ? recordToReading(record.value, record) : undefined),
  grade: (kinds) => ({
    replayGrade: 'tool loop only',
    missingForReplay: [
      'the control program of the agent',
      'the requests to the model (only its answers are recorded)',
      ...(kinds.has('dispatch') ? ['the rule by which the program of the agent called tools without a model'] : []),
    ],
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
  for (const { written, session, parent } of trajectoriesOf(text)) {
    const entries = textToEntries(file.name, written, at, lists, session);
    yield parent === undefined
      ? entries
      : entries.map((entry) =>
          entry.record?.where === 'document' ? { ...entry, record: { ...entry.record, beside: { parent } } } : entry,
        );
  }
}

interface Told {
  readonly written: string;
  /** Steps do not name their trajectory; what stands around them does. */
  readonly session: string | undefined;
  /** The trajectory in which this one is written. */
  readonly parent?: string | undefined;
}

/** A document of several trajectories, under names or inside one another, is each of them. */
function trajectoriesOf(text: string): readonly Told[] {
  const isOne = textToTopKeys(text).keys.has('steps');
  const alone: Told = { written: text, session: sessionOf(text) };
  if (isOne && !text.includes('"subagent_trajectories"')) return [alone];
  const parsed = parseLossless(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return [alone];
  const roots = isOne ? [parsed.value] : Object.values(parsed.value).filter(isTrajectory);
  const told: Told[] = [];
  const open: { readonly value: JsonObject; readonly parent: string | undefined }[] = [];
  for (const value of [...roots].reverse()) open.push({ value, parent: undefined });
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { value, parent } = at;
    const own = textAt(value, 'trajectory_id') ?? textAt(value, 'session_id');
    const session = parent === undefined || own === undefined ? own : insideSession(parent, own);
    told.push({ written: writeLossless(restOf(value, new Set(['subagent_trajectories']))), session, parent });
    const inner = (listAt(value, 'subagent_trajectories') ?? []).filter(isJsonObject);
    for (const one of [...inner].reverse()) open.push({ value: one, parent: session });
  }
  return told.length === 0 ? [alone] : told;
}

function isTrajectory(value: unknown): value is JsonObject {
  return isJsonObject(value) && (textAt(value, 'schema_version') ?? '').startsWith('ATIF');
}

/** Of a document that may be cut: what stands before its steps. */
function sessionOf(text: string): string | undefined {
  const steps = text.search(/"steps"\s*:\s*\[/);
  const head = steps < 0 ? text : text.slice(0, steps);
  const found =
    /"trajectory_id"\s*:\s*"([^"\\]{1,300})"/.exec(head) ?? /"session_id"\s*:\s*"([^"\\]{1,300})"/.exec(text);
  return found?.[1];
}

function detectAtif({ text }: Sniff): number {
  if (!/^\s*\{/.test(text)) return 0;
  if (/"schema_version"\s*:\s*"ATIF-v\d/.test(text)) return 0.97;
  const { keys, inner } = textToTopKeys(text);
  return hasAll(keys, 'steps', 'session_id', 'agent') && inner.has('step_id') ? 0.8 : 0;
}
