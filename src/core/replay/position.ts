/**
 * Positions: numbers of issues and deliveries in the process that runs control code (mapping C).
 *
 * On a branch a position is the last kept number and counts behind it, `5.1`; they are compared part by part. Positions of
 * one segment and branch line are comparable, no others.
 */
export type Position = string;

export function toPosition(value: number | string): Position {
  return String(value);
}

export function comparePositions(a: Position, b: Position): number {
  if (a === b) return 0;
  if (!a.includes('.') && !b.includes('.')) return Number(a) - Number(b);
  const left = a.split('.');
  const right = b.split('.');
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    // An absent part is before any present one: 5 < 5.1.
    const difference = Number(left[i] ?? -1) - Number(right[i] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

export function laterPosition(a: Position | undefined, b: Position): Position {
  return a === undefined || comparePositions(a, b) < 0 ? b : a;
}
