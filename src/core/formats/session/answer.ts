/**
 * Answers of the model: one event for all the records that are pieces of one, and the decision that its calls are.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { digest } from '../../model/index.ts';
import { textAt, withoutUndefined } from '../members.ts';
import { alsoOf, type Converting, type EventDraft, type OpenAnswer, parentCause, scopePath } from './draft.ts';
import { attemptOf, lastAttempt } from './link.ts';
import type { Part } from './part.ts';
import { type CauseDraft, decisionEvent, type Entry, type Group, modelEvent, type PlannedPart } from './plan.ts';

export function answerDrafts(at: Converting, group: Group, answer: OpenAnswer): readonly EventDraft[] {
  const pieces = [...answer.pieces].sort((a, b) => compareEntries(a.entry, b.entry));
  const { blocks, parts, data, error } = gatherPieces(group, pieces);
  const shared = {
    causes: answerCauses(at, group),
    step: group.name,
    entry: group.entry,
    command: modelCommand(group, data),
    extra: piecesExtra(group, pieces),
  };
  const rule = group.hasModel ? undefined : 'model-from-call';
  const common = withoutUndefined({ operation: 'chat', ...data, rule });
  if (error !== undefined) {
    const answered = blocks.length === 0 ? {} : { response: blocks };
    return [{ ...shared, id: modelEvent(group), type: 'model_call.failed', data: { ...common, ...answered, error } }];
  }
  if (blocks.length === 0 && isPending(group, pieces))
    return [{ ...shared, id: modelEvent(group), type: 'model_call.requested', data: common }];
  const messages = [{ role: 'assistant', parts }];
  const completed: EventDraft = {
    ...shared,
    id: modelEvent(group),
    type: 'model_call.completed',
    data: { ...common, output_messages: messages, result: blocks },
  };
  return group.calls.length === 0 ? [completed] : [completed, decisionDraft(group)];
}

function isPending(group: Group, pieces: OpenAnswer['pieces']): boolean {
  const parts = pieces.flatMap(({ entry, reading }) =>
    entry.parts.filter((planned) => planned.group === group).map((planned) => reading.parts[planned.index]),
  );
  return parts.every((part) => part?.kind !== 'model' || part.pending === true);
}

interface Gathered {
  blocks: JsonValue[];
  parts: JsonObject[];
  data: JsonObject;
  error: JsonObject | undefined;
}

/** What the records of an answer say together: in their order, a later record of one piece in place of the earlier. */
function gatherPieces(group: Group, pieces: OpenAnswer['pieces']): Gathered {
  const held = new Map<string, Pick<Gathered, 'blocks' | 'parts'>>();
  let data: JsonObject = { ...group.setting };
  let error: JsonObject | undefined;
  let n = 0;
  for (const { entry, reading } of pieces) {
    for (const planned of entry.parts) {
      if (planned.group !== group) continue;
      const part = pieceOf(reading.parts[planned.index], planned);
      if (part?.kind === 'model') {
        if (part.again === true) held.clear();
        const key = part.piece ?? `#${String(n++)}`;
        if (part.appends !== undefined) held.set(key, appendText(held.get(key), part.appends));
        else if (part.blocks.length + part.parts.length > 0)
          held.set(key, { blocks: [...part.blocks], parts: [...part.parts] });
        data = { ...data, ...part.data };
        error = part.error ?? error;
      } else if (part?.kind === 'usage' && !('usage' in data)) data = { ...part.data, ...data, usage: part.usage };
      else if (part?.kind === 'call' && planned.merged !== true && !hasModelPiece(entry, group)) {
        const block = withoutUndefined({ type: 'tool_use', id: part.id, name: part.name, input: part.args });
        const shown = withoutUndefined({ type: 'tool_call', id: part.id, name: part.name, arguments: part.args });
        held.set(`#${String(n++)}`, { blocks: [block], parts: [shown] });
      }
    }
  }
  const all = [...held.values()];
  return { blocks: all.flatMap(({ blocks }) => blocks), parts: all.flatMap(({ parts }) => parts), data, error };
}

function appendText(
  before: Pick<Gathered, 'blocks' | 'parts'> | undefined,
  text: string,
): Pick<Gathered, 'blocks' | 'parts'> {
  const [first = { type: 'text', content: '' }] = before?.parts ?? [];
  const content = `${textAt(first, 'content') ?? ''}${text}`;
  const grown = { ...first, content };
  return { blocks: [grown], parts: [grown] };
}

function pieceOf(part: Part | undefined, planned: PlannedPart): Part | undefined {
  return part?.kind === 'echo' && planned.alone === true ? part.otherwise : part;
}

/** Whether the record has the call among the items of the model too, so that it needs no block of its own. */
function hasModelPiece(entry: Entry, group: Group): boolean {
  return entry.parts.some((part) => part.group === group && part.stub.kind === 'model');
}

/** As the log has them; what stands in the logs of two agents as it was read. */
function compareEntries(a: Entry, b: Entry): number {
  if (a.scope === b.scope) return a.at - b.at;
  return a.stub.file - b.stub.file || a.stub.line - b.stub.line;
}

function answerCauses(at: Converting, group: Group): readonly (CauseDraft | undefined)[] {
  const { entry } = group;
  const isFirst = group.causes.length === 0;
  const parent = typeof entry.stub.parent === 'string' || isFirst ? parentCause(at, entry) : undefined;
  return [parent, ...group.causes];
}

function modelCommand(group: Group, data: JsonObject): JsonObject {
  const last = lastAttempt(group);
  const model = data['response_model'] ?? data['request_model'];
  return {
    path: `${scopePath(group.entry)}/model:message=${last.name}`,
    kind: 'model',
    name: typeof model === 'string' ? model : 'model',
    identity: 'derived',
    attempt: attemptOf(group),
  };
}

function decisionDraft(group: Group): EventDraft {
  const chosen = group.calls.map((call) => withoutUndefined({ tool: call.name, call_id: call.asked }));
  const args = { chosen };
  return {
    id: decisionEvent(group),
    type: 'decision.made',
    causes: [{ event: modelEvent(group), as: 'consumed' }],
    step: group.name,
    entry: group.entry,
    command: {
      path: `${scopePath(group.entry)}/decide:tools=${group.name}`,
      kind: 'decide',
      name: 'tools',
      identity: 'derived',
      args: digest(args),
    },
    data: { args, chosen, result: chosen, rule: 'decision-from-tool-use' },
    extra: {},
  };
}

/** Every record that is part of the answer, with what it says besides. */
function piecesExtra(group: Group, pieces: OpenAnswer['pieces']): JsonObject {
  const [only] = pieces;
  const also = [...group.entries].flatMap((entry) => alsoOf(entry));
  const beside = also.length === 0 ? {} : { also };
  if (pieces.length === 1 && only !== undefined) return { ...only.reading.extra, ...beside };
  const records = pieces.map(({ entry, reading, raw }) => {
    const isCount = entry.parts.every(({ stub }) => stub.kind === 'usage');
    return withoutUndefined({
      line: entry.stub.line,
      kind: entry.stub.kind,
      id: entry.stub.id,
      time: entry.stub.time,
      extra: reading.extra,
      record: isCount ? raw : undefined,
    });
  });
  return { records, ...beside };
}
