/** How the lines there are go round: one for each paragraph, then one more in turn to those that need it, from the first on. */
export function shareLines(needed: readonly number[], most: number): readonly number[] {
  const shares = needed.map(() => 1);
  let left = most - shares.length;
  while (left > 0) {
    const before = left;
    for (const [at, lines] of needed.entries()) {
      const share = shares[at] ?? 0;
      if (left === 0 || share >= lines) continue;
      shares[at] = share + 1;
      left--;
    }
    if (left === before) break;
  }
  return shares;
}
