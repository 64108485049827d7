/**
 * Whether what a stored branch rests on is what it was made from (SPEC P16; R40, replay 3.7).
 *
 * The operation of a branch carries the digest of its base, over the events as they were written, and an id made of all that was asked.
 * A redacted copy is another writing of the same events and says nothing. Called by `problems.ts`, once a reading.
 */
import { type JsonObject, isJsonObject } from '../base/json.ts';
import { type BranchId, type Digest, isDigest } from '../model/index.ts';
import { bitsToPositions } from './bitset.ts';
import type { BranchInfo } from './branches.ts';
import { digestBase, digestEvent, digestOperation } from './operation-digest.ts';
import { memberOf, payloadOf, textAt } from './payload.ts';
import { type ProblemInput, type Report, nameEvent } from './problem.ts';

export function checkBases(input: ProblemInput, report: Report): void {
  const { index, branches, source } = input;
  if (branches.list.length === 1 || index.ofType('share.declared').length > 0) return;
  const digestOf = createBaseDigests(input);
  for (const position of index.ofType('replay.started')) {
    const operation = memberOf(payloadOf(source.at(position)), 'operation');
    const info = branches.find(index.branch(position));
    if (!isJsonObject(operation) || info === undefined || index.has(position, 'repeat')) continue;
    checkId(input, position, operation, report);
    checkBase(input, position, { operation, info, digestOf }, report);
  }
}

function checkId(input: ProblemInput, position: number, operation: JsonObject, report: Report): void {
  const recorded = textAt(operation, 'op_id');
  if (recorded === undefined || digestOperation(operation) === recorded) return;
  const message = `The operation of the branch "${input.index.branch(position)}" (${nameEvent(input, position)}) is not the one that was run: its id "${recorded}" was made of another. Run what it asks for again to have its branch.`;
  report('problem', 'branch-operation-differs', message, [position]);
}

interface Started {
  readonly operation: JsonObject;
  readonly info: BranchInfo;
  readonly digestOf: (parent: BranchId, run: string) => Digest | undefined | 'too long';
}

function checkBase(
  input: ProblemInput,
  position: number,
  { operation, info, digestOf }: Started,
  report: Report,
): void {
  const { index, branches } = input;
  const recorded = textAt(operation, 'base_digest');
  const { parent } = info;
  // A parent that is not here, or a circle, is told as such.
  if (recorded === undefined || !isDigest(recorded) || parent === undefined) return;
  if (branches.find(parent) === undefined || branches.circular.includes(info.id)) return;
  const present = digestOf(parent, textAt(operation, 'run') ?? index.run(position));
  if (present === undefined || present === recorded) return;
  const line = parent === 'main' ? 'the recorded line' : `the branch "${parent}"`;
  if (present === 'too long') {
    const message = `The branch "${info.id}" rests on ${line}, which is too long to be held here against the digest of its base; "hindcast check" does.`;
    report('notice', 'branch-base-not-held', message, [position]);
    return;
  }
  const message = `The branch "${info.id}" (${nameEvent(input, position)}) was made from other records than those of ${line} in this trace: one of them was changed, added or removed since. What the branch shows may not follow from them; run its edit again to see what does.`;
  report('problem', 'branch-base-differs', message, [position]);
}

/** Of what a branch inherited from, by parent and run; undefined where the trace has none of it. */
function createBaseDigests(input: ProblemInput): Started['digestOf'] {
  const { index, branches, source, mostDigested = Number.POSITIVE_INFINITY } = input;
  const digests = new Map<number, Digest>();
  const known = new Map<string, Digest | undefined | 'too long'>();
  const digestAt = (position: number): Digest => {
    const made = digests.get(position) ?? digestEvent(source.at(position));
    digests.set(position, made);
    return made;
  };
  const compute = (parent: BranchId, run: string): Digest | undefined | 'too long' => {
    const shown = [...bitsToPositions(branches.visible(parent))].filter(
      (position) => index.branch(position) !== 'main' || index.run(position) === run,
    );
    if (shown.length === 0) return undefined;
    if (shown.length > mostDigested) return 'too long';
    return digestBase(shown.map((position) => [source.at(position).id, digestAt(position)] as const));
  };
  return (parent, run) => {
    const key = JSON.stringify([parent, run]);
    if (!known.has(key)) known.set(key, compute(parent, run));
    return known.get(key);
  };
}
