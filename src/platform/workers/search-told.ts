/**
 * What is told of a search for text while it runs: how far it is, and the first rows that the question will show.
 *
 * Invariant: a row told here is a row of the answer: it meets the other conditions of the filter too and lies on the branch. Told at
 * most once for each hundredth of the bytes, and never of a search that one stretch ends. Called by the library worker.
 */
import type { EventId } from '../../core/model/index.ts';
import { type Bitset, hasBit } from '../../core/causal/index.ts';
import { filterToTerms } from '../../core/projections/index.ts';
import type { EventRow, FilterSpec, TraceReader } from '../../core/projections/trace-reader.ts';
import type { SearchTold } from './library-methods.ts';
import type { PrepareOptions, TextProgress, TextSearch } from './text-search.ts';

const firstRows = 5;
const tellings = 100;

export interface TextQuestion {
  /** In lower case; there is one at least. */
  readonly needles: readonly string[];
  readonly branch: Parameters<TraceReader['rows']>[0];
  readonly filter: FilterSpec;
}

/** The text to search for among the arguments of a question, as `computeMatches` asks for it. */
export function argsToTextQuestion(args: readonly unknown[]): TextQuestion | undefined {
  const [branch, filter] = args;
  if (typeof filter !== 'object' || filter === null || !('text' in filter) || !('types' in filter)) return undefined;
  // Casts: a question with a filter has the branch before it; both were typed by `ReaderClient` on the other end of the port.
  const spec = filter as FilterSpec;
  const needles = filterToTerms(spec);
  return needles.length === 0 ? undefined : { needles, branch: branch as TextQuestion['branch'], filter: spec };
}

export interface SearchTeller {
  readonly onFound: (position: number) => void;
  readonly onProgress: (progress: TextProgress) => void;
}

export function createSearchTeller(
  reader: Pick<TraceReader, 'rows' | 'rowOf'>,
  idOf: (position: number) => EventId,
  { branch, filter }: TextQuestion,
  tell: (told: SearchTold) => void,
): SearchTeller {
  const others: FilterSpec = { ...filter, text: '', terms: undefined };
  const first: EventRow[] = [];
  let last = 0;
  return {
    onFound: (position) => {
      if (first.length === firstRows) return;
      const row = reader.rowOf(branch, others, idOf(position));
      if (row >= 0) for (const one of reader.rows(branch, others, row, row + 1).rows) first.push(one);
    },
    onProgress: ({ bytes, bytesTotal, found }) => {
      const part = Math.floor((bytes / bytesTotal) * tellings);
      if (part === last || bytes >= bytesTotal) return;
      last = part;
      tell({ text: filter.text, bytes, bytesTotal, found, first: first.slice() });
    },
  };
}

/** One needle after the other. Rows are told of while the last one is searched: what holds it and all before. */
export async function prepareNeedles(
  search: TextSearch,
  needles: readonly string[],
  { onFound, onProgress }: SearchTeller,
  options: Pick<PrepareOptions, 'signal' | 'pause'>,
): Promise<void> {
  const before: Bitset[] = [];
  for (const [n, needle] of needles.entries()) {
    const isLast = n === needles.length - 1;
    await search.prepare(needle, {
      ...options,
      onFound: (position) => {
        if (isLast && before.every((hits) => hasBit(hits, position))) onFound(position);
      },
      onProgress: ({ bytes, bytesTotal, found }) =>
        onProgress({ bytes: bytes + n * bytesTotal, bytesTotal: bytesTotal * needles.length, found }),
    });
    // Given up: nothing is known of this needle, and nobody waits for the others.
    if (options.signal.aborted) return;
    if (!isLast) before.push(search.find(needle));
  }
}
