/** Which of several programs has the loop of a run, told by the names it asks for, without running any. */

interface Asked {
  readonly kind: string;
  readonly name: string;
}

const asks = /\b(?:ctx|c)\.(read|model|write)\(\s*'([^']+)'/g;

/**
 * The program all of whose written questions the record has, each at least as often as it is written; of several the one that writes most,
 * for it says most. Undefined where none does, or two say the same: then running them tells.
 */
export function findFitting<P extends { readonly source: string }>(
  programs: readonly P[],
  recorded: readonly Asked[],
): P | undefined {
  const had = countOf(recorded.map(({ kind, name }) => `${kind} ${name}`));
  const fitting = programs
    .map((program) => ({
      program,
      asked: [...program.source.matchAll(asks)].map(([, kind, name]) => `${kind} ${name}`),
    }))
    .filter(
      ({ asked }) => asked.length > 0 && [...countOf(asked)].every(([ask, times]) => (had.get(ask) ?? 0) >= times),
    )
    .sort((one, other) => other.asked.length - one.asked.length);
  const [first, second] = fitting;
  return first === undefined || first.asked.length === second?.asked.length ? undefined : first.program;
}

function countOf(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
