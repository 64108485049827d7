/**
 * Tells of records whose values are not what their digests say, one problem an event.
 *
 * Invariant: such an event stays an event of the trace, for what happened is not known to be otherwise; that it contradicts itself is said
 * beside it. Called by `hindcast.ts` for every event, so nothing is digested where no digest stands.
 */
import { type HindcastEvent, eventToMismatches, mismatchToText } from '../../model/index.ts';
import type { InputPlace, Problem } from '../format.ts';

export interface DigestWatch {
  readonly see: (event: HindcastEvent, place: InputPlace) => Problem | undefined;
  /** What was not told one by one. */
  readonly rest: () => Problem | undefined;
}

const toldOneByOne = 1000;

export function createDigestWatch(): DigestWatch {
  let told = 0;
  let isCopy = false;
  let firstUntold: Pick<Problem, 'place' | 'events'> = {};
  return {
    see: (event, place) => {
      // A copy declares itself in its first line.
      if (event.type === 'share.declared') isCopy = true;
      const mismatches = eventToMismatches(event, isCopy);
      if (mismatches.length === 0) return undefined;
      if (++told > toldOneByOne) {
        if (told === toldOneByOne + 1) firstUntold = { place, events: [event.id] };
        return undefined;
      }
      const what = mismatches.map(mismatchToText).join('; ');
      const message = `Event "${event.id}" (line ${place.line ?? 0} of ${place.file}) contradicts itself: ${what}. It was changed or written wrongly; it is shown as it stands, and a replay of it is never called identical. Compare it with the file it came from.`;
      return { code: 'digest-mismatch', message, place, events: [event.id], severity: 'problem' };
    },
    rest: () => {
      const more = told - toldOneByOne;
      if (more <= 0) return undefined;
      const what = more === 1 ? 'event contradicts itself' : 'events contradict themselves';
      const message = `${more.toLocaleString('en')} more ${what}: values are not what the digests beside them say.`;
      return { code: 'digest-mismatch', message, severity: 'problem', ...firstUntold };
    },
  };
}
