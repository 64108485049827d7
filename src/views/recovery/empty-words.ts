/** What is said where no trial was found: whose traces were looked at, and whether they are here at all. Called by `Empty.tsx`. */
import { countOf } from '../../ui/format.ts';

export function lookedToSentence(looked: number, isSelection: boolean): string {
  if (looked === 0)
    return isSelection
      ? 'None of the chosen traces is in the library of this browser.'
      : 'The library of this browser is empty.';
  if (looked === 1) return isSelection ? 'The chosen trace holds none.' : 'The one trace in the library holds none.';
  return `None of the ${countOf(looked, isSelection ? 'chosen trace' : 'trace')}${isSelection ? '' : ' in the library'} holds one.`;
}
