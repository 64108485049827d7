/**
 * In words what of a value programs read otherwise than it is written (`parseNoting`).
 *
 * Invariant: one sentence or two for each kind, however much there is of it; what a writer wrote is cut to the length of a name.
 */
import type { NotedValue } from './lossless.ts';
import { nameToShown } from './shown-text.ts';

/** Codes of the remarks about records that are kept whole all the same. */
export const notedCodes = { repeated: 'repeated-member', inexact: 'inexact-number' } as const;

interface Noted {
  readonly code: (typeof notedCodes)[keyof typeof notedCodes];
  /** Begins in the middle of a line, behind its place. */
  readonly text: string;
}

/** A member that stands twice is kept twice; a number that a double does not hold is kept as its text. What another program took is not known. */
export function notedToWords({ repeated, inexact }: Pick<NotedValue, 'repeated' | 'inexact'>): readonly Noted[] {
  const words: Noted[] = [];
  if (repeated !== undefined) {
    const { path, objects } = repeated;
    const others = objects === 1 ? '' : ` ${String(objects)} objects of it have such members.`;
    const text = `the member "${nameToShown(path)}" stands more than once in its object.${others} All values are kept as written; programs differ in which of them they take.`;
    words.push({ code: notedCodes.repeated, text });
  }
  if (inexact !== undefined) {
    const { path, token, numbers } = inexact;
    const where = path === '' ? '' : ` "${nameToShown(path)}"`;
    const others = numbers === 1 ? 'It is' : `${String(numbers)} numbers of it are such, and are`;
    const text = `the number${where} is written ${nameToShown(token)}, which programs read as another number or not at all. ${others} kept as written.`;
    words.push({ code: notedCodes.inexact, text });
  }
  return words;
}
