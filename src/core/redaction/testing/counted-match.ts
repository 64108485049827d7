/**
 * A backtracking matcher for the patterns of detectors that counts what it does, so that a test can say how the work grows with the
 * text without a clock. It knows the parts of regular expressions that the detectors use, and throws at any other.
 */

type Node =
  | { readonly is: 'one'; readonly test: (char: string) => boolean }
  | { readonly is: 'assert'; readonly test: (text: string, at: number) => boolean }
  | { readonly is: 'choice'; readonly options: readonly (readonly Node[])[] }
  | {
      readonly is: 'repeat';
      readonly node: Node;
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
    };

/** Steps of looking for all matches, as `replace` with the flag `g` does. */
export function countSteps(pattern: RegExp, text: string): number {
  const nodes = parse(pattern);
  let steps = 0;

  function run(list: readonly Node[], n: number, at: number, rest: (at: number) => number): number {
    steps += 1;
    const node = list[n];
    if (node === undefined) return rest(at);
    const next = (to: number): number => run(list, n + 1, to, rest);
    switch (node.is) {
      case 'one':
        return at < text.length && node.test(text.charAt(at)) ? next(at + 1) : -1;
      case 'assert':
        return node.test(text, at) ? next(at) : -1;
      case 'choice':
        for (const option of node.options) {
          const end = run(option, 0, at, next);
          if (end >= 0) return end;
        }
        return -1;
      case 'repeat':
        return node.node.is === 'one' ? repeatOne(node, node.node.test, at, next) : repeatAny(node, 0, at, next);
    }
  }

  function repeatOne(
    { min, max, isLazy }: Node & { is: 'repeat' },
    test: (char: string) => boolean,
    at: number,
    next: (at: number) => number,
  ): number {
    let most = 0;
    const fits = (count: number): boolean => {
      while (most < count) {
        steps += 1;
        if (at + most >= text.length || !test(text.charAt(at + most))) return false;
        most += 1;
      }
      return true;
    };
    if (isLazy) {
      for (let count = min; count <= max && fits(count); count++) {
        const end = next(at + count);
        if (end >= 0) return end;
      }
      return -1;
    }
    while (most < max && fits(most + 1));
    for (let count = most; count >= min; count--) {
      const end = next(at + count);
      if (end >= 0) return end;
    }
    return -1;
  }

  function repeatAny(node: Node & { is: 'repeat' }, done: number, at: number, next: (at: number) => number): number {
    if (done < node.max) {
      const end = run([node.node], 0, at, (to) => (to === at ? -1 : repeatAny(node, done + 1, to, next)));
      if (end >= 0) return end;
    }
    return done >= node.min ? next(at) : -1;
  }

  for (let at = 0; at <= text.length;) {
    const end = run(nodes, 0, at, (to) => to);
    at = end > at ? end : at + 1;
  }
  return steps;
}

function parse({ source, flags }: RegExp): readonly Node[] {
  let at = 0;
  const setFlags = flags.replace('g', '');

  function take(text: string): boolean {
    if (!source.startsWith(text, at)) return false;
    at += text.length;
    return true;
  }

  function takeMatch(pattern: RegExp): string | undefined {
    const found = new RegExp(pattern.source, 'y');
    found.lastIndex = at;
    const text = found.exec(source)?.[0];
    if (text !== undefined) at += text.length;
    return text;
  }

  function options(): readonly (readonly Node[])[] {
    const all: Node[][] = [[]];
    while (at < source.length && source[at] !== ')') {
      if (take('|')) all.push([]);
      else all.at(-1)?.push(quantified());
    }
    return all;
  }

  function quantified(): Node {
    const node = atom();
    const sign = takeMatch(/[*+?]|\{\d+(?:,\d*)?\}/);
    if (sign === undefined) return node;
    const [, low = '', comma, high = ''] = /^\{(\d+)(,?)(\d*)\}$/.exec(sign) ?? [];
    const min = sign === '+' ? 1 : low === '' ? 0 : Number(low);
    const bounded = sign === '?' ? 1 : comma === '' ? min : high === '' ? Number.POSITIVE_INFINITY : Number(high);
    const max = sign === '*' || sign === '+' ? Number.POSITIVE_INFINITY : bounded;
    return { is: 'repeat', node, min, max, isLazy: take('?') };
  }

  function atom(): Node {
    if (take('(?<!')) {
      const set = toSet(takeMatch(/\[(?:\\.|[^\]\\])*\]/) ?? '');
      if (!take(')')) throw new Error(`a look behind at more than one character: ${source}`);
      return { is: 'assert', test: (text, place) => place === 0 || !set(text.charAt(place - 1)) };
    }
    if (take('(?:')) {
      const inside = options();
      if (!take(')')) throw new Error(`a group without its end: ${source}`);
      return { is: 'choice', options: inside };
    }
    if (take('\\b')) {
      const isWord = (char: string): boolean => /^\w$/.test(char);
      return {
        is: 'assert',
        test: (text, place) => isWord(text.charAt(place - 1)) !== isWord(text.charAt(place)),
      };
    }
    if (take('$')) return { is: 'assert', test: (text, place) => place === text.length };
    const set = takeMatch(/\[(?:\\.|[^\]\\])*\]|\\p\{\w+\}|\\.|[^()[\]*+?{}|^$\\]/);
    if (set === undefined) throw new Error(`the counting matcher does not know ${source.slice(at, at + 8)}`);
    return { is: 'one', test: toSet(set) };
  }

  function toSet(set: string): (char: string) => boolean {
    const whole = new RegExp(`^${set}$`, setFlags);
    const known = new Map<string, boolean>();
    return (char) => {
      let answer = known.get(char);
      if (answer === undefined) known.set(char, (answer = whole.test(char)));
      return answer;
    };
  }

  const all = options();
  if (at < source.length) throw new Error(`the counting matcher stopped at ${source.slice(at)}`);
  return [{ is: 'choice', options: all }];
}
