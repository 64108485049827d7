/**
 * Tells of records whose values are not what their digests say, one problem an event.
 *
 * Invariant: such an event stays an event of the trace, for what happened is not known to be otherwise; that it contradicts itself is said
 * beside it. Called by `hindcast.ts` for every event, so nothing is digested where no digest stands.
 */
import { type HindcastEvent, eventToMismatches, mismatchToText } from '../../model/index.ts';
import type { InputPlace, Problem } from '../format.ts';

export interface DigestWatch {
  readonly see: (event: HindcastEvent, place: InputPlace) => void;
  /** When all was read: one by one, then how many more. */
  readonly problems: () => readonly Problem[];
}

const toldOneByOne = 1000;

export function createDigestWatch(): DigestWatch {
  let isCopy = false;
  // What is withheld from a copy contradicts nothing, and the record that declares the copy may stand anywhere.
  const inOriginal = createList();
  const inCopy = createList();
  return {
    see: (event, place) => {
      if (event.type === 'share.declared') isCopy = true;
      const mismatches = eventToMismatches(event, isCopy);
      if (mismatches.length === 0) return;
      inOriginal.add(event, place, mismatches);
      inCopy.add(event, place, isCopy ? mismatches : eventToMismatches(event, true));
    },
    problems: () => (isCopy ? inCopy : inOriginal).problems(),
  };
}

type Mismatches = ReturnType<typeof eventToMismatches>;

function createList() {
  const told: Problem[] = [];
  let count = 0;
  let firstUntold: Pick<Problem, 'place' | 'events'> = {};
  return {
    add: (event: HindcastEvent, place: InputPlace, mismatches: Mismatches): void => {
      if (mismatches.length === 0) return;
      count++;
      if (count <= toldOneByOne) told.push(toProblem(event, place, mismatches));
      else if (count === toldOneByOne + 1) firstUntold = { place, events: [event.id] };
    },
    problems: (): readonly Problem[] => {
      const more = count - toldOneByOne;
      if (more <= 0) return told;
      const what = more === 1 ? 'event contradicts itself' : 'events contradict themselves';
      const message = `${more.toLocaleString('en')} more ${what}: values are not what the digests beside them say.`;
      return [...told, { code: 'digest-mismatch', message, severity: 'problem', ...firstUntold }];
    },
  };
}

function toProblem(event: HindcastEvent, place: InputPlace, mismatches: Mismatches): Problem {
  const what = mismatches.map(mismatchToText).join('; ');
  const message = `Event "${event.id}" (line ${place.line ?? 0} of ${place.file}) contradicts itself: ${what}. It was changed or written wrongly; it is shown as it stands, and a replay of it is never called identical. Compare it with the file it came from.`;
  return { code: 'digest-mismatch', message, place, events: [event.id], severity: 'problem' };
}
