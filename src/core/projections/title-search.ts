/**
 * Whether a searched word stands in the title an event is shown under, where its record does not hold it: "returned", "dispatched".
 *
 * Invariant: of up to `exactly` events every title is read, once for each view. Of more, a sample of each type says which words titles
 * add to records: a title is read only where its type adds the word, and not even there where all the sampled ones have it. So a word
 * that no title adds costs nothing at a million rows. Called by `matching.ts` for positions that its other terms and columns leave.
 */
import { viewToTitle } from './agent-names.ts';
import type { TraceView } from './trace-view.ts';

const exactly = 20_000;
/** Samples stand close to each other at a few places: each place costs the reading of a page of the trace, and each type alone would. */
const places = 8;
const samplesAtPlace = 8;

export interface TitleSearch {
  /** The term is in lower case. */
  readonly has: (position: number, term: string) => boolean;
}

const known = new WeakMap<TraceView, TitleSearch>();

export function viewToTitleSearch(view: TraceView, limit = exactly): TitleSearch {
  const before = known.get(view);
  if (before !== undefined) return before;
  const made = view.positions.length <= limit ? createExact(view) : createSampled(view);
  known.set(view, made);
  return made;
}

function titleOf(view: TraceView, position: number): string {
  return viewToTitle(view, position).toLowerCase();
}

function createExact(view: TraceView): TitleSearch {
  const titles = new Map<number, string>();
  return {
    has: (position, term) => {
      const title = titles.get(position) ?? titleOf(view, position);
      titles.set(position, title);
      return title.includes(term);
    },
  };
}

interface AddedWords {
  /** Words that titles of this type have and their records have not. */
  readonly some: string;
  /** Of these, what is added apart from the signs around it: a word before "…" or in brackets is mostly one of the record. */
  readonly bare: string;
  /** Those that all sampled titles have. */
  readonly all: readonly string[];
}

function createSampled(view: TraceView): TitleSearch {
  const added = computeAdded(view);
  const type = view.index.columns.type;
  return {
    has: (position, term) => {
      const words = added.get(type[position] ?? 0);
      if (words === undefined || !term.split(' ').some((word) => isAdded(words, word))) return false;
      return words.all.some((word) => word.includes(term)) || titleOf(view, position).includes(term);
    },
  };
}

function isAdded({ some, bare }: AddedWords, word: string): boolean {
  return (toBare(word) === word ? bare : some).includes(word);
}

/** Without the signs around it. */
function toBare(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

/** By the number of the type; the first few of each from every place on. */
function computeAdded(view: TraceView): ReadonlyMap<number, AddedWords> {
  const type = view.index.columns.type;
  const sampled = new Map<number, number[]>();
  const stretch = Math.max(1, Math.ceil(view.positions.length / places));
  let met = new Map<number, number>();
  for (const [n, position] of view.positions.entries()) {
    if (n % stretch === 0) met = new Map();
    const of = type[position] ?? 0;
    const count = met.get(of) ?? 0;
    if (count === samplesAtPlace) continue;
    met.set(of, count + 1);
    const list = sampled.get(of);
    if (list === undefined) sampled.set(of, [position]);
    else list.push(position);
  }
  return new Map([...sampled].map(([of, positions]) => [of, positionsToAdded(view, positions)]));
}

function positionsToAdded(view: TraceView, positions: readonly number[]): AddedWords {
  const counts = new Map<string, number>();
  const bare = new Set<string>();
  for (const position of positions) {
    const line = view.source.line(position).toLowerCase();
    for (const word of new Set(titleOf(view, position).split(' '))) {
      if (line.includes(word)) continue;
      counts.set(word, (counts.get(word) ?? 0) + 1);
      const own = toBare(word);
      if (!line.includes(own)) bare.add(own);
    }
  }
  const words = [...counts];
  return {
    some: words.map(([word]) => word).join(' '),
    bare: [...bare].join(' '),
    all: words.filter(([, count]) => count === positions.length).map(([word]) => word),
  };
}
