/** What a typed value was checked against, in a sentence; nothing where it was checked against nothing. */
export function shapeToNote({
  basis,
  problems,
}: {
  readonly basis: string;
  readonly problems: readonly string[];
}): string | undefined {
  if (basis === '') return undefined;
  return problems.length === 0 ? `Fits ${basis}.` : `Checked against ${basis}. You may replay it all the same.`;
}
