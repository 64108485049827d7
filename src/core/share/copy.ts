/**
 * From an opened trace to the payload of a share: select, redact, check, wrap. The one way a copy is made, for panel and command line.
 */
import type { JsonValue } from '../base/json.ts';
import { type Result, err, ok } from '../base/result.ts';
import {
  type Branches,
  type CausalIndex,
  type EventSource,
  addBit,
  bitsToPositions,
  copyBitset,
  countBits,
  hasBit,
  intersectWith,
  positionsToBitset,
} from '../causal/index.ts';
import { type BranchId, type ContentReference, contentToValue, digestBytes } from '../model/index.ts';
import { textToUtf8 } from '../base/hash.ts';
import {
  type ClassCount,
  type ContentLookup,
  type Hole,
  type RedactionPolicy,
  neverCopied,
  redact,
} from '../redaction/index.ts';
import type { Omission } from './omitted.ts';
import type { SharePayload } from './payload.ts';
import { type ShareSelection, selectPositions } from './selection.ts';

export interface CopyRequest {
  readonly selection: ShareSelection;
  readonly policy: RedactionPolicy;
  /** Fresh random text, never reused. */
  readonly secret: string;
  /** Shown to the reviewer; written by the person who shares. */
  readonly title: string;
  readonly note?: string | undefined;
  readonly expires?: string | undefined;
  /** Told from time to time how many records are done. */
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
  /** What the reviewer sees first, in the ids of the trace. */
  readonly view?:
    | { readonly branch?: string | undefined; readonly event?: string | undefined; readonly view?: string | undefined }
    | undefined;
}

export interface Copy extends Omission {
  readonly payload: SharePayload;
  readonly events: number;
  readonly holes: readonly Hole[];
  readonly leaves: readonly ClassCount[];
}

export function makeCopy(index: CausalIndex, source: EventSource, branches: Branches, request: CopyRequest): Copy {
  const positions = selectPositions(index, branches, request.selection);
  const events = Array.from({ length: source.count }, (_, position) => source.at(position));
  const redacted = redact({
    events,
    include: new Set(positions),
    lacking: computeLacking(index, branches, positions),
    policy: request.policy,
    secret: request.secret,
    content: createContent(index, source),
    note: request.note,
    onProgress: request.onProgress,
  });
  const { view } = request;
  const payload: SharePayload = {
    v: 1,
    kind: 'hindcast-share',
    title: request.title,
    stream: redacted.lines.map((line) => `${line}\n`).join(''),
  };
  if (request.note !== undefined) payload.note = request.note;
  if (request.expires !== undefined) payload.expires = request.expires;
  if (view !== undefined) {
    payload.view = {
      branch: view.branch === undefined ? undefined : (redacted.branchIds.get(view.branch) ?? 'main'),
      event: view.event === undefined ? undefined : redacted.eventIds.get(view.event),
      view: view.view,
    };
  }
  const { events: copied, omitted, holes, leaves } = redacted;
  const chosen = [...new Set(request.selection.branches)];
  const lacking = countLacking(index, branches, chosen, positions);
  return { payload, events: copied, omitted, lacking, chosen: chosen.length, holes, leaves };
}

/** Events that the chosen branches show and the copy does not. */
function countLacking(
  index: CausalIndex,
  branches: Branches,
  chosen: readonly BranchId[],
  positions: Int32Array,
): number {
  const goes = positionsToBitset(index.count, positions);
  for (const position of index.ofType(...neverCopied)) addBit(goes, position);
  const missed = new Set<number>();
  for (const branch of chosen)
    for (const position of bitsToPositions(branches.visible(branch))) if (!hasBit(goes, position)) missed.add(position);
  return missed.size;
}

/** How many events each branch of the copy shows in the trace and not in the copy; a branch that lacks none is not listed. */
function computeLacking(index: CausalIndex, branches: Branches, positions: Int32Array): ReadonlyMap<BranchId, number> {
  const goes = positionsToBitset(index.count, positions);
  for (const position of index.ofType(...neverCopied)) addBit(goes, position);
  const inCopy = new Set<BranchId>();
  for (const position of positions) inCopy.add(index.branch(position));
  const lacking = new Map<BranchId, number>();
  for (const { id } of branches.list) {
    if (!inCopy.has(id)) continue;
    const shown = branches.visible(id);
    const here = copyBitset(shown);
    intersectWith(here, goes);
    const count = countBits(shown) - countBits(here);
    if (count > 0) lacking.set(id, count);
  }
  return lacking;
}

/** Why a copy of `branch` holds no event: what was asked for, and the branches there are to ask for. */
export function emptyCopyToSentence(branches: Branches, branch: BranchId): string {
  const filled = branches.list.filter(({ id }) => countBits(branches.visible(id)) > 0);
  const names = filled.slice(0, mostNamed).map(({ id }) => `"${id}"`);
  if (filled.length > mostNamed) names.push(`${String(filled.length - mostNamed)} more`);
  const there = names.length === 0 ? 'no branch has any' : `branches that have events: ${names.join(', ')}`;
  return `The copy would hold no event of the branch "${branch}"; ${there}.`;
}

const mostNamed = 10;

/** Values stored apart, read when a kept field refers to one; a content whose digest is wrong counts as absent. */
function createContent(index: CausalIndex, source: EventSource): ContentLookup {
  const stored = new Map<string, number>();
  for (const position of index.ofType('content.stored')) {
    const event = source.at(position);
    if (event.type === 'content.stored') stored.set(event.data.digest, position);
  }
  const known = new Map<string, Result<JsonValue, string>>();

  function read({ $ref, mediaType }: ContentReference): Result<JsonValue, string> {
    const position = stored.get($ref);
    const event = position === undefined ? undefined : source.at(position);
    if (event?.type !== 'content.stored') return err('stored apart and absent from the trace');
    const { text, base64 } = event.data;
    if (text === undefined)
      return err(
        base64 === undefined
          ? 'stored apart and absent from the trace'
          : 'stored apart as binary, which a copy does not hold',
      );
    if (digestBytes(textToUtf8(text)) !== $ref) return err('stored apart under the digest of something else');
    return ok(contentToValue(text, event.data.mediaType, mediaType));
  }

  return (reference) => {
    const key = `${reference.$ref} ${reference.mediaType ?? ''}`;
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = read(reference)));
    return value;
  };
}
