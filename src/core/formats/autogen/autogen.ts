/**
 * Who&When (AutoGen) failure logs: what agents said, in order, and the ground truth about who failed where. Text only: no ids, times,
 * tools or counts.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type EventDraft, recordToEventId, traceToRun } from '../draft.ts';
import type { Format, InputPlace, Problem, Sniff } from '../format.ts';
import {
  type Grouped,
  type GroupedFormat,
  type GroupedTrace,
  listGrouped,
  type MappedRecord,
  readGrouped,
} from '../grouped.ts';
import { listAt, memberAt, restOf, textAt, withoutUndefined } from '../members.ts';
import type { Piece } from '../pieces.ts';
import { fingerprint } from '../seen.ts';
import { sniffObjects } from '../sniff.ts';

const grouped: GroupedFormat = {
  id: 'autogen',
  wanted: new Set(['history.*', '*']),
  lineWanted: new Set(['']),
  collect,
  summary: {
    replayGrade: 'none',
    missingForReplay: [
      'model calls',
      'tool calls',
      'the control program',
      'times',
      'positions of issues and deliveries',
    ],
  },
};

export const autogen: Format = {
  id: 'autogen',
  label: 'Who&When failure log (AutoGen)',
  detect,
  list: (files) => listGrouped(grouped, files),
  read: (files, options) => readGrouped(grouped, files, options),
};

function detect(sniff: Sniff): number {
  if (sniffObjects(sniff, 3).some(isLog)) return 0.9;
  const { text } = sniff;
  return /^\s*[[{]/.test(text) &&
    /"history"\s*:\s*\[/.test(text) &&
    /"(mistake_agent|mistake_step|question_ID|is_correct(ed)?)"\s*:/.test(text)
    ? 0.9
    : 0;
}

function isLog(value: JsonValue): boolean {
  return (
    listAt(value, 'history') !== undefined &&
    ['mistake_agent', 'mistake_step', 'ground_truth'].some((key) => memberAt(value, key) !== undefined)
  );
}

interface Building {
  frame: { readonly value: JsonObject; readonly place: InputPlace } | undefined;
  readonly history: { readonly value: JsonValue; readonly place: InputPlace }[];
}

function collect(pieces: readonly Piece[]): Grouped {
  const documents = new Map<string, Building>();
  const problems: Problem[] = [];
  for (const { record, path, document } of pieces) {
    const { value, place } = record;
    // A list of logs is one document of many.
    const key = path === '*' ? `${place.file}#${document}@${place.offset}` : `${place.file}#${document}`;
    const building = documents.get(key) ?? { frame: undefined, history: [] };
    documents.set(key, building);
    if (path.endsWith('history.*')) building.history.push({ value, place });
    else if (isJsonObject(value)) {
      building.frame = { value, place };
      for (const item of listAt(value, 'history') ?? []) building.history.push({ value: item, place });
    } else
      problems.push({
        code: 'not-an-object',
        message: `A record of ${place.file} (byte ${place.offset}) is no object.`,
        place,
        severity: 'problem',
      });
  }
  const traces = new Map<string, GroupedTrace>();
  for (const building of documents.values()) {
    const trace = toTrace(building);
    const known = traces.get(trace.key);
    // The same log once more adds nothing.
    if (known === undefined) traces.set(trace.key, trace);
    else traces.set(trace.key, { ...known, merged: known.merged + trace.mapped.length });
  }
  return { traces: [...traces.values()], problems, notes: [] };
}

function toTrace({ frame, history }: Building): GroupedTrace {
  const about = frame?.value ?? {};
  const print = fingerprint(JSON.stringify([about, ...history.map(({ value }) => value)]));
  const key = `${textAt(about, 'question_ID') ?? 'log'} ${print.slice(0, 8)}`;
  const run = traceToRun(`autogen ${key}`);
  const spoken = history.map(({ value, place }, n): MappedRecord => ({
    place,
    drafts: [messageToDraft(run, value, n)],
  }));
  const begin = beginning(run, key, about);
  const title = textAt(about, 'question') ?? key;
  const first: readonly MappedRecord[] =
    frame === undefined ? [] : [{ place: frame.place, drafts: [begin, ...truth(run, about, history.length)] }];
  const derived: readonly MappedRecord[] =
    frame === undefined ? [{ place: history[0]?.place ?? { file: '', offset: 0 }, drafts: [begin] }] : [];
  return { key, title, mapped: [...first, ...spoken], derived, merged: 0 };
}

function beginning(run: string, key: string, about: JsonObject): EventDraft {
  return {
    id: recordToEventId(run, 'run'),
    type: 'run.started',
    run,
    record: key,
    extra: restOf(
      about,
      new Set(['history', 'question', 'ground_truth', 'mistake_agent', 'mistake_step', 'mistake_reason']),
    ),
    data: withoutUndefined({ program: { name: 'AutoGen' }, input: textAt(about, 'question') }),
  };
}

/** The role and what stands in brackets at its end. Looked for from the end: a pattern would begin anew at every bracket of a hostile one. */
function roleToParts(role: string): readonly [string, string] {
  const text = role.trimEnd();
  const from = text.endsWith(')') ? text.indexOf('(', text.lastIndexOf(')', text.length - 2) + 1) : -1;
  return from < 0 ? [role, ''] : [text.slice(0, from).trimEnd(), text.slice(from + 1, -1)];
}

/** Who spoke: `name`, or `role` as in "Orchestrator (-> WebSurfer)" and "Orchestrator (thought)". */
function messageToDraft(run: string, value: JsonValue, n: number): EventDraft {
  const role = textAt(value, 'role') ?? 'unknown';
  const [base, note] = roleToParts(role);
  const speaker = textAt(value, 'name') ?? base;
  const to = note.startsWith('->') ? note.slice(2).trimStart() || undefined : undefined;
  const before = recordToEventId(run, n === 0 ? 'run' : `m${n - 1}`);
  const shared = {
    id: recordToEventId(run, `m${n}`),
    run,
    record: `message ${n}`,
    causes: [{ event: before, as: 'caused_by', rule: 'message-order' }],
    extra: isJsonObject(value) ? restOf(value, new Set(['content', 'role', 'name'])) : { value },
  } as const;
  const content = memberAt(value, 'content') ?? '';
  if (speaker === 'human')
    return {
      ...shared,
      type: 'input.received',
      principal: { id: 'human', kind: 'human' },
      data: { name: 'message', value: content },
    };
  const data = withoutUndefined({
    from: speaker,
    to,
    // A role that names the speaker may say more; that of a chat API ("user" for every other agent) says nothing of who spoke.
    role: note !== '' && base === speaker ? role : undefined,
    chat_role: base === speaker ? undefined : role,
    content,
  });
  return { ...shared, type: 'message.sent', agent: speaker, data };
}

/** The judgement of the data set's authors, as annotations: never part of what happened. */
function truth(run: string, about: JsonObject, messages: number): readonly EventDraft[] {
  const annotator = { id: 'Who&When', kind: 'human' };
  const drafts: EventDraft[] = [];
  const agent = textAt(about, 'mistake_agent');
  const step = memberAt(about, 'mistake_step');
  if (agent !== undefined || step !== undefined) {
    const at = typeof step === 'string' || typeof step === 'number' ? Number(step) : Number.NaN;
    const target = Number.isInteger(at) && at >= 0 && at < messages ? recordToEventId(run, `m${at}`) : undefined;
    drafts.push({
      id: recordToEventId(run, 'mistake'),
      type: 'annotation.made',
      run,
      causes: [{ event: target ?? recordToEventId(run, 'run'), as: 'caused_by' }],
      data: withoutUndefined({
        annotator,
        target,
        label: 'decisive mistake',
        body: withoutUndefined({ agent, step, reason: textAt(about, 'mistake_reason') }),
      }),
    });
  }
  const expected = memberAt(about, 'ground_truth');
  if (expected !== undefined) {
    const causes = [{ event: recordToEventId(run, 'run'), as: 'caused_by' }] as const;
    drafts.push({
      id: recordToEventId(run, 'expected'),
      type: 'annotation.made',
      run,
      causes,
      data: { annotator, label: 'expected answer', body: expected },
    });
  }
  return drafts;
}
