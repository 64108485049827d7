/**
 * SWE-agent trajectories: `{environment, trajectory, history, info}`.
 *
 * A step of the trajectory is a model call, a command and its output. The history tells the same as messages, and what was there
 * before the first step; its messages are joined to the steps by their texts and their place between them.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Format, Sniff, SourceFile } from '../format.ts';
import { memberAt, textAt } from '../members.ts';
import { contentToText } from '../session/fields.ts';
import { createSessionFormat } from '../session/read.ts';
import { type CountBytes, readDocumentEntries, type SessionEntry, type SessionRecord } from '../session/source.ts';
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

const lists: ReadonlySet<string> = new Set(['trajectory', 'history']);

/** Messages before the steps, the steps, what the history says again, and last what stands around: it tells how the run ended. */
async function* readEntries(file: SourceFile, count: CountBytes): AsyncGenerator<readonly SessionEntry[]> {
  const entries = await readDocumentEntries(file, count, lists);
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
  yield [...[...before, ...told, ...again].map((record) => ({ record })), ...others];
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
  if (keys.has('trajectory') && hasAll(inner, 'action', 'observation', 'response')) return 0.9;
  // A simple form has the history alone.
  return keys.has('history') && inner.has('agent') && inner.has('message_type') ? 0.7 : 0;
}
