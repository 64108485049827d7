/** How a word names steps: by the id, by the name that the page shows, or where neither is so by the beginning of that name. */
import { stepToText } from './title-words.ts';

/** The steps meant, of those there are; in either case where the name is only begun. */
export function findSteps(steps: readonly string[], values: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const value of values) {
    const whole = steps.filter((step) => step === value || stepToText(step) === value);
    const begun = value.toLowerCase();
    const meant = whole.length > 0 ? whole : steps.filter((step) => stepToText(step).toLowerCase().startsWith(begun));
    for (const step of meant) found.add(step);
  }
  return found;
}
