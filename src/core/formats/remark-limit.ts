/**
 * How many remarks of one kind are told of a file one by one: a writer of long numbers has some in every record.
 *
 * Invariant: every remark is told or counted. Called by the import, over all batches.
 */
import { notedCodes } from '../base/noted-words.ts';
import { nameToShown } from '../base/shown-text.ts';
import type { InputPlace, Problem } from './format.ts';

/** Of one kind, of one file. */
export const remarksTold = 100;

const kinds: ReadonlyMap<string, string> = new Map([
  [notedCodes.repeated, 'members that stand more than once in their object'],
  [notedCodes.inexact, 'numbers that programs read otherwise than they are written'],
]);

interface Counted {
  readonly code: string;
  readonly file: string;
  count: number;
  last: InputPlace | undefined;
}

export interface RemarkLimit {
  /** Of the problems of a batch those that are told. */
  readonly take: (problems: readonly Problem[]) => readonly Problem[];
  /** At the end: how many more there were. */
  readonly rest: () => readonly Problem[];
}

export function createRemarkLimit(): RemarkLimit {
  const counted = new Map<string, Counted>();
  const isTold = ({ code, place, severity }: Problem): boolean => {
    if (severity === 'problem' || !kinds.has(code)) return true;
    const file = place?.file ?? '';
    const key = JSON.stringify([code, file]);
    const kind = counted.get(key) ?? { code, file, count: 0, last: undefined };
    counted.set(key, kind);
    kind.count++;
    kind.last = place;
    return kind.count <= remarksTold;
  };
  return {
    take: (problems) => problems.filter(isTold),
    rest: () => [...counted.values()].filter(({ count }) => count > remarksTold).map(restToNotice),
  };
}

function restToNotice({ code, file, count, last }: Counted): Problem {
  const more = count - remarksTold;
  const records = `${String(more)} more ${more === 1 ? 'record has' : 'records have'}`;
  const where = last?.line === undefined ? '' : ` The last is in line ${String(last.line)}.`;
  const message = `${nameToShown(file)}: ${records} ${kinds.get(code) ?? code}. All are kept as written.${where}`;
  return { code, message, place: last, severity: 'notice' };
}
