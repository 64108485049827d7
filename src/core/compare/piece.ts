/**
 * The piece of a long text that is shown beside another one: it holds the place where the two begin to differ.
 *
 * Invariant: never longer than asked for, and no character is cut in half. Called where two sides are told in one line each.
 */

/** So much of what both share stands before the difference, as a part of the piece. */
const before = 1 / 3;

export function textToPiece(text: string, other: string, most: number): string {
  if (text.length <= most) return text;
  const at = firstDifference(text, other);
  if (at < most * (1 - before)) return `${text.slice(0, whole(text, most - 1))}…`;
  const start = whole(text, at - Math.floor(most * before));
  const end = start + most - 2;
  return end >= text.length
    ? `…${text.slice(whole(text, text.length - most + 2))}`
    : `…${text.slice(start, whole(text, end))}…`;
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  // Equal texts are shown from their beginning.
  return at === a.length && at === b.length ? 0 : at;
}

/** The place itself, or the one before it where it lies within a pair of surrogates. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000 ? at - 1 : at;
}
