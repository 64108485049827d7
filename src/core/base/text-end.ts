/** The end of a text, looked at from the end: a pattern such as `/x+$/` begins anew at every mark inside, minutes of a hostile text. */

/** Without the marks that stand at the end, whichever and however many of them. */
export function withoutEnd(text: string, marks: string): string {
  let end = text.length;
  while (end > 0 && marks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
