/**
 * From what a person changed, or only supposes, to the question of what would fall.
 *
 * The preview follows declared edges from the edited records; their new values matter only in being other values. So a value that is not
 * typed yet, or not usable yet, is stood in for by one that equals nothing recorded.
 */
import type { JsonValue } from '../../core/base/json.ts';
import type { BranchId, EventId } from '../../core/model/index.ts';
import type { Edit, ReplayRequest, TraceId } from '../../data/index.ts';
import type { ReplayDraft } from '../../state/replay-draft.ts';
import { textToJson } from '../../ui/json-text.ts';

const supposedValue: JsonValue = { 'hindcast:supposed': 'another value' };

/** An event a person supposes to be different. */
export interface Supposition {
  readonly event: EventId;
  readonly isInput: boolean;
}

export interface PreviewPlace {
  readonly trace: TraceId;
  readonly base: BranchId;
  readonly run: string | undefined;
}

/** Undefined where nothing is changed or supposed. */
export function draftToPreviewRequest(
  draft: ReplayDraft,
  supposition: Supposition | undefined,
  { trace, base, run }: PreviewPlace,
): ReplayRequest | undefined {
  const edits: Edit[] = Object.entries(draft.steps).map(([event, { as, text }]) => ({
    target: { event },
    value: as === 'value' ? textToValue(text) : supposedValue,
  }));
  const isInput = supposition?.isInput === true;
  if (draft.input !== undefined || isInput)
    edits.push({
      target: { input: true },
      value: draft.input === undefined ? supposedValue : textToValue(draft.input),
    });
  if (supposition !== undefined && !isInput && !Object.hasOwn(draft.steps, supposition.event))
    edits.push({ target: { event: supposition.event }, value: supposedValue });
  if (edits.length === 0 && draft.program === undefined) return undefined;
  return {
    trace,
    base,
    edits,
    supply: [],
    ...(run === undefined ? {} : { run }),
    ...(draft.program === undefined ? {} : { program: draft.program }),
  };
}

/** What a request is about, without what was typed: two requests of one subject differ in values alone. */
export function requestToSubject(request: ReplayRequest | undefined): string {
  if (request === undefined) return '';
  const { trace, base, run, edits, program } = request;
  return JSON.stringify([trace, base, run, edits.map(({ target }) => target), program !== undefined]);
}

function textToValue(text: string): JsonValue {
  const parsed = textToJson(text);
  return parsed.ok ? parsed.value : supposedValue;
}
