/** Events that no record is: an importer worked them out, by a rule, so that the loop of a run can be replayed. */
import type { HindcastEvent } from '../model/index.ts';

export function isMadeOnOpening({ imported }: HindcastEvent): boolean {
  return imported?.extra?.['made'] === true;
}
