/**
 * Which files of one format belong together: those that name the same thing, and those of which one points at what another names.
 *
 * Several files of one run are one trace; sessions or runs that were only picked together have nothing to do with each other, and one story
 * made of both would be told of neither. Called by formats whose records name their run or session.
 */
export interface FileNames {
  /** What its records are called: runs, sessions, records. */
  readonly names: ReadonlySet<string>;
  /** What its records point at. */
  readonly seeks: ReadonlySet<string>;
}

/** Places in `files`, each in one group; groups and places in the order of the files. */
export function groupFiles(files: readonly FileNames[]): readonly (readonly number[])[] {
  const root = files.map((_, at) => at);
  const find = (at: number): number => {
    let top = at;
    for (let next = root[top] ?? top; next !== top; next = root[top] ?? top) top = next;
    root[at] = top;
    return top;
  };
  const join = (a: number, b: number): void => {
    const [one, other] = [find(a), find(b)];
    root[Math.max(one, other)] = Math.min(one, other);
  };
  const owner = new Map<string, number>();
  for (const [at, { names }] of files.entries()) {
    for (const name of names) {
      const known = owner.get(name);
      if (known === undefined) owner.set(name, at);
      else join(known, at);
    }
  }
  for (const [at, { seeks }] of files.entries()) {
    for (const name of seeks) {
      const named = owner.get(name);
      if (named !== undefined) join(named, at);
    }
  }
  const groups = new Map<number, number[]>();
  for (const at of files.keys()) {
    const top = find(at);
    const group = groups.get(top);
    if (group === undefined) groups.set(top, [at]);
    else group.push(at);
  }
  return [...groups.values()];
}
