/**
 * From what a person typed to the request the engine is given, or to the sentences that say what is still wrong.
 *
 * Invariant: a text that is not a usable value never becomes part of a request, and an edit that only repeats what is recorded is left in:
 * the engine says that it changes nothing.
 */
import { type Result, err } from '../../core/base/result.ts';
import { nameToShown } from '../../core/base/shown-text.ts';
import type { BranchId } from '../../core/model/index.ts';
import { type Replacement, jsonToOrigin, jsonToReplacement } from '../../core/replay/edit-file.ts';
import type { Edit, ReplayRequest, Supply, TraceId } from '../../data/index.ts';
import type { DraftValue, ReplayDraft } from '../../state/replay-draft.ts';
import { textToJson } from '../../ui/json-text.ts';

export interface RequestPlace {
  readonly trace: TraceId;
  readonly run: string | undefined;
  readonly base: BranchId;
}

export function textToReplacement({ as, text }: DraftValue): Result<Replacement, string> {
  const parsed = textToJson(text);
  return parsed.ok ? jsonToReplacement(as, parsed.value) : err(parsed.error.sentence);
}

export interface DraftReading {
  /** Absent while something typed is not usable. */
  readonly request: ReplayRequest | undefined;
  /** One sentence each, by the thing that was changed: an event, `input`, or the path of a supplied value. */
  readonly problems: ReadonlyMap<string, string>;
  readonly changes: number;
}

export function draftToRequest(draft: ReplayDraft, place: RequestPlace): DraftReading {
  const problems = new Map<string, string>();
  const edits: Edit[] = [];
  const supply: Supply[] = [];
  for (const [event, value] of Object.entries(draft.steps)) {
    const replacement = textToReplacement(value);
    if (replacement.ok) edits.push({ target: { event }, ...replacement.value });
    else problems.set(event, replacement.error);
  }
  if (draft.input !== undefined) {
    const parsed = textToJson(draft.input);
    if (parsed.ok) edits.push({ target: { input: true }, value: parsed.value });
    else problems.set('input', parsed.error.sentence);
  }
  for (const { path, evidence, from, asked: _asked, ...value } of draft.supplies) {
    const replacement = textToReplacement(value);
    const origin = from === undefined ? undefined : jsonToOrigin(from, path);
    if (!replacement.ok) problems.set(path, replacement.error);
    else if (origin?.ok === false) problems.set(path, origin.error);
    else {
      supply.push({
        path,
        ...(evidence === undefined ? {} : { evidence }),
        ...(origin === undefined ? {} : { from: origin.value }),
        ...replacement.value,
      });
    }
  }
  if (draft.program?.trim() === '') problems.set('program', 'There is no program text; reset it to the recorded one.');
  const reason = draft.reason.trim();
  const request: ReplayRequest = {
    trace: place.trace,
    base: place.base,
    edits,
    supply,
    ...(place.run === undefined ? {} : { run: place.run }),
    ...(draft.program === undefined ? {} : { program: draft.program }),
    ...(reason === '' ? {} : { reason }),
    ...(draft.lenient ? { world: 'lenient' as const } : {}),
  };
  return {
    request: problems.size === 0 ? request : undefined,
    problems,
    changes: edits.length + supply.length + problems.size + (draft.program === undefined ? 0 : 1),
  };
}

/** What the preview depends on: reasons, supplied values and policies change no edge. */
export function requestToPreview(request: ReplayRequest): ReplayRequest {
  const { trace, run, base, edits, program } = request;
  return {
    trace,
    base,
    edits,
    supply: [],
    ...(run === undefined ? {} : { run }),
    ...(program === undefined ? {} : { program }),
  };
}

/** Made by who is typed in the form now, cut as it will be kept. Where nothing was typed, by who is kept. */
export function underName(request: ReplayRequest, typed: string | undefined): ReplayRequest {
  return typed === undefined ? request : { ...request, person: nameToShown(typed) };
}

/** Whether two requests are the same operation: who and why do not count. */
export function isSameOperation(a: ReplayRequest, b: ReplayRequest): boolean {
  const body = ({ person: _person, reason: _reason, patience: _patience, ...rest }: ReplayRequest): string =>
    JSON.stringify(Object.entries(rest).toSorted(([x], [y]) => (x < y ? -1 : 1)));
  return body(a) === body(b);
}

/** Whether a result answers what is on the left: the very operation, another change, or a replay of another branch or run. */
export type ResultStanding = 'current' | 'old' | 'elsewhere';

/** A request without a run was made of `place.run`, which is the run that is shown where none is named. */
export function requestToStanding(made: ReplayRequest, place: RequestPlace, reading: DraftReading): ResultStanding {
  const { run } = place;
  if (made.base !== place.base || (made.run ?? run) !== run) return 'elsewhere';
  const { request } = reading;
  if (request === undefined) return 'old';
  const named = run === undefined ? {} : { run };
  if (isSameOperation({ ...made, ...named }, { ...request, ...named })) return 'current';
  // Where nothing is changed no read is out of date: verifying under either policy is the same.
  return isUnedited(made) && isUnedited(request) ? 'current' : 'old';
}

function isUnedited({ edits, supply, program }: ReplayRequest): boolean {
  return edits.length + supply.length === 0 && program === undefined;
}
