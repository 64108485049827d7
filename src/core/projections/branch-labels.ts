/**
 * What a branch is called: by what its operation changed.
 *
 * Invariant: names are those of commands, not their paths, so that what differs is not cut away. Used by the summary.
 */
import { type JsonValue, isJsonArray } from '../base/json.ts';
import { lineToShown } from '../base/shown-text.ts';
import { memberOf, textAt } from '../causal/index.ts';
import { type BranchId, mainBranch } from '../model/index.ts';
import { cut, isNamed } from './title-words.ts';

/** "original", or what the operation changed, by whom and why where that is known. */
export function branchLabel(id: BranchId, operation: JsonValue | undefined): string {
  if (id === mainBranch) return 'original';
  const actor = textAt(memberOf(operation, 'actor'), 'id');
  const reason = textAt(operation, 'reason')?.trim() ?? '';
  const what = cut(whatChanged(operation) ?? id, 90);
  return lineToShown(
    `${what}${isNamed(actor) ? ` by ${cut(actor, 40)}` : ''}${reason === '' ? '' : `: ${cut(reason, 60)}`}`,
  );
}

function whatChanged(operation: JsonValue | undefined): string | undefined {
  const parts: string[] = [];
  const kind = textAt(operation, 'kind');
  if (kind === 'patch') parts.push(programChange(operation));
  const [edited, ...edits] = listNames(operation, 'targets');
  if (edited !== undefined)
    parts.push(`edit of ${edited}${edits.length === 0 ? '' : ` and ${String(edits.length)} more`}`);
  if (memberOf(operation, 'input') !== undefined) parts.push('edit of the input');
  const supplied = listNames(operation, 'supplies');
  if (supplied.length === 1) parts.push(`answer to ${supplied[0] ?? ''}`);
  if (supplied.length > 1) parts.push(`${String(supplied.length)} answers`);
  if (parts.length > 0) return parts.join(', ');
  return kind === 'verify' ? 'unedited replay' : kind;
}

/** Two changed programs are two: the beginning of the digest tells them apart. */
function programChange(operation: JsonValue | undefined): string {
  const digest = /^sha256:([0-9a-f]{6})/.exec(textAt(memberOf(operation, 'program_after'), 'digest') ?? '')?.[1];
  return digest === undefined ? 'program changed' : `program changed to ${digest}…`;
}

function listNames(operation: JsonValue | undefined, list: 'targets' | 'supplies'): readonly string[] {
  const items = memberOf(operation, list);
  return (isJsonArray(items) ? items : []).flatMap((item) => {
    const where = textAt(item, 'path') ?? textAt(item, 'record');
    return where === undefined ? [] : [pathToName(where)];
  });
}

/** `/par:a/child:a#0/read:customers.lookup#2` to “customers.lookup #3”: the name, and which of its like where it is not the first. */
export function pathToName(path: string): string {
  const leaf = path.slice(path.lastIndexOf('/') + 1);
  const [, name = leaf, key, index] = /^[a-z]+:(.+?)(?:=(.+)|#(\d+))?$/.exec(leaf) ?? [];
  if (key !== undefined) return `${name} ${key}`;
  return index === undefined || index === '0' ? name : `${name} #${String(Number(index) + 1)}`;
}
