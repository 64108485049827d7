/**
 * Which of many texts occur in another one, in the time of reading it once.
 *
 * Texts of one beginning stand together by length; the beginning is looked up at each place, and a rolling hash says whether one of
 * them follows there before any is compared. So a long text of one letter, or a thousand that begin alike, cost no more than others.
 */
export interface TextSearch<T> {
  /** Adds the values of the texts that occur. */
  find(text: string, found: Set<T>): void;
}

interface Sought<T> {
  readonly text: string;
  readonly values: Set<T>;
}

type ByHash<T> = Map<number, Sought<T>[]>;
/** By length, then by hash. */
type Alike<T> = Map<number, ByHash<T>>;

const base = 0x01000193;

/** `texts`: each at least `shortest` long. */
export function createTextSearch<T>(
  texts: Iterable<{ readonly text: string; readonly value: T }>,
  shortest: number,
): TextSearch<T> {
  const byBeginning = new Map<string, Alike<T>>();
  const powers = [1];
  for (const { text, value } of texts) add(text, value);
  return {
    find(text, found) {
      let sums: Int32Array | undefined;
      const done = new Set<Sought<T>>();
      for (let at = 0; at + shortest <= text.length; at++) {
        const alike = byBeginning.get(text.slice(at, at + shortest));
        if (alike === undefined) continue;
        sums ??= sumsOf(text);
        for (const [length, byHash] of alike) {
          if (at + length > text.length) continue;
          for (const sought of byHash.get(hashOf(sums, at, length)) ?? []) {
            if (done.has(sought) || !text.startsWith(sought.text, at)) continue;
            done.add(sought);
            for (const value of sought.values) found.add(value);
          }
        }
      }
    },
  };

  function add(text: string, value: T): void {
    const beginning = text.slice(0, shortest);
    let alike = byBeginning.get(beginning);
    if (alike === undefined) byBeginning.set(beginning, (alike = new Map<number, ByHash<T>>()));
    let byHash = alike.get(text.length);
    if (byHash === undefined) alike.set(text.length, (byHash = new Map<number, Sought<T>[]>()));
    const hash = hashOf(sumsOf(text), 0, text.length);
    let list = byHash.get(hash);
    if (list === undefined) byHash.set(hash, (list = []));
    const known = list.find((sought) => sought.text === text);
    if (known === undefined) list.push({ text, values: new Set([value]) });
    else known.values.add(value);
  }

  /** Hashes of all beginnings: what stands between two of them follows by one multiplication. */
  function sumsOf(text: string): Int32Array {
    const sums = new Int32Array(text.length + 1);
    for (let i = 0; i < text.length; i++) sums[i + 1] = Math.imul(sums[i] ?? 0, base) + text.charCodeAt(i);
    while (powers.length <= text.length) powers.push(Math.imul(powers.at(-1) ?? 1, base));
    return sums;
  }

  function hashOf(sums: Int32Array, from: number, length: number): number {
    return ((sums[from + length] ?? 0) - Math.imul(sums[from] ?? 0, powers[length] ?? 1)) | 0;
  }
}
