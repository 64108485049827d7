/**
 * Member names near the top of a document whose beginning is all that is known: for detection of documents longer than the sniff.
 */

export interface TopKeys {
  readonly isList: boolean;
  /** Members of the document, or of the first element of a list. */
  readonly keys: ReadonlySet<string>;
  /** Members of the objects one level below. */
  readonly inner: ReadonlySet<string>;
}

export function textToTopKeys(text: string): TopKeys {
  const keys = new Set<string>();
  const inner = new Set<string>();
  const stack: number[] = [];
  /** Objects among what is open: counted, for the beginning may be nothing but openings. */
  let objects = 0;
  const isList = /^\s*\[/.test(text);
  const level = isList ? 2 : 1;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) {
      const from = i;
      for (i++; i < text.length && text.charCodeAt(i) !== 34; i++) if (text.charCodeAt(i) === 92) i++;
      if (stack.at(-1) !== 123 || i - from > 60 || !/^\s*:/.test(text.slice(i + 1, i + 8))) continue;
      if (stack.length === level) keys.add(text.slice(from + 1, i));
      else if (stack.length > level && objects === 2) inner.add(text.slice(from + 1, i));
    } else if (c === 123 || c === 91) {
      stack.push(c);
      if (c === 123) objects++;
    } else if (c === 125 || c === 93) {
      if (stack.pop() === 123) objects--;
      // The first value is the document; of a list, the first element tells enough.
      if (stack.length === 0) break;
    }
  }
  return { isList, keys, inner };
}

export function hasAll(keys: ReadonlySet<string>, ...names: readonly string[]): boolean {
  return names.every((name) => keys.has(name));
}
