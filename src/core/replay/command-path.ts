/**
 * Paths of commands (replay 3.3): scope path, then `/kind:name` and `=key` or `#n`.
 */
export interface PathParts {
  /** Path of the scope, empty for the root of segment 0. */
  readonly scope: string;
  readonly label: string;
  readonly key?: string;
  readonly index?: number;
}

export function pathToParts(path: string): PathParts {
  const cut = path.lastIndexOf('/');
  const scope = cut < 0 ? '' : path.slice(0, cut);
  const keyAt = path.indexOf('=', cut + 1);
  if (keyAt >= 0) return { scope, label: path.slice(cut + 1, keyAt), key: path.slice(keyAt + 1) };
  const countAt = path.lastIndexOf('#');
  if (countAt > cut && areDigits(path, countAt + 1))
    return { scope, label: path.slice(cut + 1, countAt), index: Number(path.slice(countAt + 1)) };
  return { scope, label: path.slice(cut + 1) };
}

/** Whether the rest of a text is a number, one digit at least. */
function areDigits(text: string, from: number): boolean {
  for (let n = from; n < text.length; n++) {
    const c = text.charCodeAt(n);
    if (c < 0x30 || c > 0x39) return false;
  }
  return from < text.length;
}

/** Segment of a run a path belongs to: `/seg:2/…` is 2, everything else is 0. */
export function pathToSegment(path: string): number {
  const match = /^\/seg:(\d+)(?:\/|$)/.exec(path);
  return match === null ? 0 : Number(match[1]);
}

export function segmentToRoot(segment: number): string {
  return segment === 0 ? '' : `/seg:${String(segment)}`;
}

/** Innermost `par:` or `each=` scope instance a path lies in; the root is the empty text. */
export function pathToFiber(path: string): string {
  let end = path.lastIndexOf('/');
  while (end > 0) {
    const start = path.lastIndexOf('/', end - 1);
    const label = path.slice(start + 1, end);
    if (label.startsWith('par:') || label.startsWith('each=')) return path.slice(0, end);
    end = start;
  }
  return '';
}

/** Whether work of one fiber may flow into the other without passing a join: one encloses the other. */
export function areFibersRelated(a: string, b: string): boolean {
  return a === b || a === '' || b === '' || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
