/** What an import under way says of itself: how far, how fast, how long still, and what was found so far. */
import type { ImportState } from '../../data/index.ts';
import { bytesToText, countOf, secondsToText } from '../../ui/format.ts';

type ImportProgress = Extract<ImportState, { readonly status: 'running' | 'stopping' }>['progress'];

/** Facts in the order they are read. Rate and time left are those of reading: the later phases have no measure. */
export function progressToFacts(progress: ImportProgress): readonly string[] {
  const { phase, bytesRead, bytesTotal, events, problems } = progress;
  const { rate, secondsLeft } = phase === 'reading' ? progress : {};
  return [
    bytesTotal === undefined ? bytesToText(bytesRead) : `${bytesToText(bytesRead)} of ${bytesToText(bytesTotal)}`,
    rate === undefined ? undefined : `${bytesToText(rate)} a second`,
    secondsLeft === undefined ? undefined : `${secondsToText(secondsLeft)} left`,
    countOf(events, 'event'),
    problems === 0 ? undefined : countOf(problems, 'problem'),
  ].filter((fact) => fact !== undefined);
}

/** Share of the input that was read; undefined where that says nothing of how long it still takes. */
export function progressToShare({ phase, bytesRead, bytesTotal = 0 }: ImportProgress): number | undefined {
  return bytesTotal === 0 || phase !== 'reading' ? undefined : bytesRead / bytesTotal;
}
