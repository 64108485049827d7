/**
 * What collecting and reading LangSmith runs share: the bodies of one run laid over one another, and the ids in a dotted order.
 */
import type { JsonObject } from '../../base/json.ts';
import type { InputPlace } from '../format.ts';

export interface MergedRun {
  readonly body: JsonObject;
  readonly place: InputPlace;
  readonly count: number;
}

/** Segments are `<time>Z<uuid>`, from the root to the run itself. */
export function dottedToIds(dotted: string | undefined): readonly string[] {
  if (dotted === undefined) return [];
  return dotted
    .split('.')
    .map((segment) => segment.slice(segment.indexOf('Z') + 1))
    .filter((id) => id !== '');
}
