/** The end of a text, looked at from the end: a pattern such as `/x+$/` begins anew at every mark inside, minutes of a hostile text. */

/** Without the marks that stand at the end, whichever and however many of them. */
export function withoutEnd(text: string, marks: string): string {
  let end = text.length;
  while (end > 0 && marks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Where the digits at its end begin; its length where there are none. */
export function startOfEndDigits(text: string): number {
  let start = text.length;
  while (start > 0 && isDigit(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** What stands behind the last of these marks; all of it where there is none. */
export function behindLast(text: string, marks: string): string {
  let start = text.length;
  while (start > 0 && !marks.includes(text.charAt(start - 1))) start -= 1;
  return text.slice(start);
}
