/**
 * SWE-agent trajectories: `{environment, trajectory, history, info}`, and `{attempts: [ … ]}` of a task that was tried several times.
 *
 * A step of the trajectory is a model call, a command and its output. The history tells the same as messages, and what was there
 * before the first step; its messages are joined to the steps by their texts and their place between them.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { writeLossless } from '../../base/lossless.ts';
import { decodeText } from '../decode/text.ts';
import type { Format, InputPlace, Sniff, SourceFile } from '../format.ts';
import { memberAt, numberAt, objectAt, textAt } from '../members.ts';
import { fingerprint } from '../seen.ts';
import { contentToText } from '../session/fields.ts';
import { createSessionFormat } from '../session/read.ts';
import {
  type CountBytes,
  readDocumentEntries,
  type SessionEntry,
  type SessionRecord,
  textToEntries,
} from '../session/source.ts';
import { hasAll, textToTopKeys } from '../session/top-keys.ts';
import { recordToReading } from './reading.ts';

export const sweAgent: Format = createSessionFormat({
  id: 'swe-agent',
  label: 'SWE-agent trajectory',
  loop: 'task',
  program: 'SWE-agent',
  detect: detectTrajectory,
  entries: readEntries,
  read: (record) => (isJsonObject(record.value) ? recordToReading(record.value, record) : undefined),
  grade: () => ({
    replayGrade: 'mostly',
    missingForReplay: [
      'the control program of SWE-agent',
      'ids and times',
      'token counts of single calls',
      'the settings of the model',
    ],
  }),
});

const lists: ReadonlySet<string> = new Set(['trajectory', 'history', 'attempts']);

/** Messages before the steps, the steps, what the history says again, and last what stands around: it tells how the run ended. */
async function* readEntries(file: SourceFile, count: CountBytes): AsyncGenerator<readonly SessionEntry[]> {
  const entries = await readDocumentEntries(file, count, lists);
  const attempts = entries.flatMap((entry) => toAttempt(entry) ?? []);
  yield attempts.length === 0 ? arrangeEntries(entries) : attemptsToEntries(file.name, entries, attempts);
}

/** The text of one run among several of the same task, and where it stands. */
interface Attempt {
  readonly text: string;
  readonly place: InputPlace;
  /** Names its run; a file that was cut has another last one. */
  readonly session: string;
}

/** An attempt that the end of the file cut off is read as far as it goes. */
function toAttempt({ record, problem }: SessionEntry): Attempt | undefined {
  if (record?.where === 'attempts') {
    const { text, place, value } = record;
    return { text, place, session: `attempt ${fingerprint(writeLossless(value))}` };
  }
  if (problem?.code !== 'truncated-document' || problem.raw === undefined || problem.place === undefined)
    return undefined;
  const { text } = decodeText(problem.raw);
  const { keys } = textToTopKeys(text);
  const isCut = keys.has('trajectory') || keys.has('history');
  return isCut ? { text, place: problem.place, session: `attempt ${fingerprint(text)}` } : undefined;
}

/** Every attempt is a run. What stands beside them is the one that was chosen, told again. */
function attemptsToEntries(
  file: string,
  entries: readonly SessionEntry[],
  attempts: readonly Attempt[],
): readonly SessionEntry[] {
  const inside = attempts.flatMap(({ text, place, session }) => {
    const at = { line: place.line ?? 1, offset: place.offset };
    return arrangeEntries(textToEntries(file, text, at, lists), session);
  });
  const beside = entries.filter((entry) => toAttempt(entry) === undefined);
  const frame = beside.find(({ record }) => record?.where === 'document')?.record;
  const best = numberAt(objectAt(frame?.value, 'info'), 'best_attempt_idx');
  const chosen = attempts[best ?? -1]?.session ?? `chosen ${fingerprint(writeLossless(frame?.value ?? null))}`;
  const around = beside.map((entry) =>
    entry.record?.where === 'document' ? { ...entry, record: { ...entry.record, where: 'around attempts' } } : entry,
  );
  return [...inside, ...arrangeEntries(around, chosen)];
}

function arrangeEntries(entries: readonly SessionEntry[], session?: string): readonly SessionEntry[] {
  const steps: SessionRecord[] = [];
  const history: SessionRecord[] = [];
  const others: SessionEntry[] = [];
  for (const entry of entries) {
    if (entry.record?.where === 'trajectory') steps.push({ ...entry.record, group: `step:${String(steps.length)}` });
    else if (entry.record?.where === 'history') history.push(entry.record);
    else others.push(entry);
  }
  const { before, again, shown } = joinHistory(steps, history);
  const told = steps.map((record, index) => ({ ...record, beside: shown.get(index) }));
  const named = [...before, ...told, ...again].map((record) =>
    session === undefined ? record : { ...record, session, name: nameOf(record, history) },
  );
  return [...named.map((record) => ({ record })), ...others.map((entry) => inSession(entry, session))];
}

/** A message of the history has no name of its own: its place is all that tells it again. */
function nameOf({ where, place }: SessionRecord, history: readonly SessionRecord[]): string | undefined {
  return where === 'history' ? `history:${String(history.findIndex((one) => one.place === place))}` : undefined;
}

function inSession(entry: SessionEntry, session: string | undefined): SessionEntry {
  return entry.record === undefined ? entry : { ...entry, record: { ...entry.record, session } };
}

interface Joined {
  readonly before: readonly SessionRecord[];
  readonly again: readonly SessionRecord[];
  /** What the program wrote around the output of a step when it showed it to the model. */
  readonly shown: ReadonlyMap<number, JsonObject>;
}

/** By their texts; with as many answers as steps, by their place. */
function joinHistory(steps: readonly SessionRecord[], history: readonly SessionRecord[]): Joined {
  const answers = steps.map(({ value }) => contentToText(memberAt(value, 'response')).trim());
  const isInStep = history.filter(isAnswer).length === steps.length;
  const before: SessionRecord[] = [];
  const again: SessionRecord[] = [];
  const shown = new Map<number, JsonObject>();
  let next = 0;
  let step = -1;
  for (const record of history) {
    if (isAnswer(record)) {
      step = isInStep ? next : answers.indexOf(contentToText(memberAt(record.value, 'content')).trim(), next);
      if (step >= 0) next = step + 1;
    }
    const group = step < 0 ? undefined : `step:${String(step)}`;
    if (step < 0) before.push(record);
    else if (isAnswer(record)) again.push({ ...record, group });
    else {
      const frame = frameOf(
        contentToText(memberAt(record.value, 'content')),
        memberAt(steps[step]?.value, 'observation'),
      );
      if (frame !== undefined) shown.set(step, frame);
      again.push({ ...record, group: frame === undefined ? undefined : group });
    }
  }
  return { before, again, shown };
}

/** Undefined where the message does not hold the output as it was. */
function frameOf(content: string, observation: JsonValue | undefined): JsonObject | undefined {
  if (typeof observation !== 'string') return undefined;
  const at = content.indexOf(observation);
  return at < 0
    ? undefined
    : { shown_before: content.slice(0, at), shown_after: content.slice(at + observation.length) };
}

function isAnswer({ value }: SessionRecord): boolean {
  return textAt(value, 'role') === 'assistant' && memberAt(value, 'is_demo') !== true;
}

function detectTrajectory({ text }: Sniff): number {
  if (!/^\s*\{/.test(text)) return 0;
  const { keys, inner } = textToTopKeys(text);
  if (hasAll(keys, 'environment', 'trajectory')) return 0.95;
  if (keys.has('attempts') && (inner.has('trajectory') || inner.has('history'))) return 0.95;
  if (keys.has('trajectory') && hasAll(inner, 'action', 'observation', 'response')) return 0.9;
  // A simple form has the history alone.
  return keys.has('history') && inner.has('agent') && inner.has('message_type') ? 0.7 : 0;
}
