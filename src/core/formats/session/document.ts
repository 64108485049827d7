/**
 * Where the elements of the lists of a JSON document stand, without parsing it, so that each is a record with a place of its own and
 * a damaged one costs only itself. Iterative and linear.
 */

export interface Element {
  /** The member that is the list; `''` for a document that is a list itself. */
  readonly list: string;
  readonly start: number;
  readonly end: number;
  /** False where the text ends inside it. */
  readonly ended: boolean;
}

export interface SplitDocument {
  readonly elements: readonly Element[];
  /** The document without the elements; brackets that a cut took away are put back. */
  readonly frame: string;
  readonly isList: boolean;
}

export function splitDocument(text: string, lists: ReadonlySet<string>): SplitDocument {
  const elements: Element[] = [];
  const frame: string[] = [];
  const stack: number[] = [];
  const isList = /^\s*\[/.test(text) && lists.has('');
  const listDepth = isList ? 1 : 2;
  let list: string | undefined = isList ? '' : undefined;
  let key = '';
  let kept = 0;
  let start = -1;
  let i = 0;
  for (; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) {
      const from = i;
      for (i++; i < text.length && text.charCodeAt(i) !== 34; i++) if (text.charCodeAt(i) === 92) i++;
      if (stack.length === 1 && stack[0] === 123) key = text.slice(from + 1, i);
    } else if (c === 123 || c === 91) {
      if (list !== undefined && stack.length === listDepth && start < 0) {
        frame.push(text.slice(kept, i));
        start = i;
      }
      stack.push(c);
      if (!isList && stack.length === 2 && c === 91 && lists.has(key)) list = key;
    } else if (c === 125 || c === 93) {
      stack.pop();
      if (list === undefined) continue;
      if (start >= 0 && stack.length === listDepth) {
        elements.push({ list, start, end: i + 1, ended: true });
        kept = i + 1;
        start = -1;
      }
      if (!isList && stack.length === 1) list = undefined;
    } else if (c === 44 && list !== undefined && stack.length === listDepth && start < 0) {
      // Commas between elements go with them.
      frame.push(text.slice(kept, i));
      kept = i + 1;
    }
  }
  if (start >= 0) {
    elements.push({ list: list ?? '', start, end: text.length, ended: false });
    while (stack.length > listDepth) stack.pop();
  } else frame.push(text.slice(kept));
  // A string that the cut left open cannot be closed honestly: the frame then is no JSON, and is told as damaged.
  const isCutInList = start >= 0 || (stack.length > 0 && list !== undefined);
  const closing = isCutInList
    ? stack
        .reverse()
        .map((open) => (open === 91 ? ']' : '}'))
        .join('')
    : '';
  return { elements, frame: frame.join('') + closing, isList };
}
