/**
 * Text that others wrote, made fit to be shown: what would be obeyed by a terminal or turn a line around is shown and not sent.
 *
 * Invariant: what is replaced stands there as its escape, and what is left out leaves an ellipsis. A line, a name and a passage are never
 * longer than can be measured and laid out at once: the whole text stands where values are shown part by part. Used for the command line,
 * for names and for paths.
 */

/** More than this is no name; a list of traces has no room for it. */
const longestName = 200;

/** What stands in one line (a title, a path, a label); beyond it no one reads, and a page that measures it stands still. */
const longestLine = 1500;
/** The end of a path tells one command from another. */
const keptOfEnd = 60;

/** A sentence or message that quotes what others wrote. */
const longestPassage = 4000;

/** Controls but tab and line end, and marks that change the direction of what follows. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

export function controlsToEscapes(text: string): string {
  return text.replace(controls, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** In one line, however long: for output that is no page. */
export function lineToEscapes(text: string): string {
  return controlsToEscapes(text.replace(breaks, ' '));
}

/** In one line; of a longer one the beginning and the end. */
export function lineToShown(text: string): string {
  return controlsToEscapes(cutInside(text, longestLine).replace(breaks, ' '));
}

/** Sentences as they are, with their line ends; of more than a page its beginning and its end. */
export function passageToShown(text: string): string {
  return controlsToEscapes(cutInside(text, longestPassage));
}

/** Cut between characters: half of a pair at either edge is left out too. */
function cutInside(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.slice(0, limit - keptOfEnd - 1).replace(/[\ud800-\udbff]$/, '');
  return `${start}…${text.slice(-keptOfEnd).replace(/^[\udc00-\udfff]/, '')}`;
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
