/**
 * Where lines of parents end: of workflows and what they were forked from, of steps and what they are copies of, of executions and who
 * started them.
 *
 * Invariant: every member is looked at once, however many lines lead through it. A line that runs into a circle ends where that closes: at
 * the member before the one by which the circle was entered.
 */
export function endsOfLines(
  members: Iterable<string>,
  parents: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const ends = new Map<string, string>();
  for (const member of members) {
    const line = new Set<string>();
    let at: string | undefined = member;
    while (at !== undefined && !ends.has(at) && !line.has(at)) {
      line.add(at);
      at = parents.get(at);
    }
    const way = [...line];
    if (at !== undefined && line.has(at)) {
      const circle = way.splice(way.indexOf(at));
      for (const [n, one] of circle.entries()) ends.set(one, circle.at(n - 1) ?? one);
    }
    const end = at === undefined ? way.at(-1) : ends.get(at);
    if (end !== undefined) for (const one of way) ends.set(one, end);
  }
  return ends;
}
