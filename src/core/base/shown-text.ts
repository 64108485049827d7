/**
 * Text that others wrote, made fit to be shown: what would be obeyed by a terminal or turn a line around is shown and not sent.
 *
 * Invariant: no letter is lost; what is replaced stands there as its escape. Used for the command line, for names and for paths.
 */

/** More than this is no name; a list of traces has no room for it. */
const longestName = 200;

/** Controls but tab and line end, and marks that change the direction of what follows. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

export function controlsToEscapes(text: string): string {
  return text.replace(controls, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** In one line. */
export function lineToShown(text: string): string {
  return controlsToEscapes(text.replace(breaks, ' '));
}

/** In one line, without space around it, and cut where it is longer than a name may be. */
export function nameToShown(text: string): string {
  // A character is at most two units; the rest of a hostile name of megabytes is not looked at.
  const line = lineToShown(text.trimStart().slice(0, longestName * 2 + 2)).trim();
  const characters = Array.from(line);
  return characters.length <= longestName ? line : `${characters.slice(0, longestName - 1).join('')}…`;
}

/** Why a person cannot give this name, as a sentence. */
export function nameProblem(text: string): string | undefined {
  const { length } = Array.from(text.trim());
  return length <= longestName
    ? undefined
    : `A name has at most ${String(longestName)} characters; this one has ${length.toLocaleString('en')}.`;
}
