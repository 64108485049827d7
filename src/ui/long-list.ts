/**
 * Scroll positions of a list of any length to lines and back. Pure, so that the ends can be tested at a billion lines.
 *
 * Browsers stop at about 33 million pixels, so the scroll area is scaled beyond `tallest`.
 */

export interface ListShape {
  readonly count: number;
  /** What a line takes of the scroll area. */
  readonly lineHeight: number;
  /** Height of the frame in pixels. */
  readonly frame: number;
}

const tallest = 16_000_000;

/** The scroll area: at its end the last line is at the top of the frame, so that it is seen whole, however high it is. */
export function wholeHeight({ count, lineHeight, frame }: ListShape): number {
  return Math.min(tallest, Math.max(0, count - 1) * lineHeight + frame);
}

/** The line at the top of the frame, and as a fraction how much of it is above. */
export function scrollToLine(list: ListShape, scrollTop: number): number {
  const way = wholeHeight(list) - list.frame;
  if (way <= 0) return 0;
  return Math.min(1, Math.max(0, scrollTop / way)) * Math.max(0, list.count - 1);
}

export function lineToScroll(list: ListShape, line: number): number {
  if (list.count <= 1) return 0;
  const share = Math.min(1, Math.max(0, line / (list.count - 1)));
  return share * (wholeHeight(list) - list.frame);
}
