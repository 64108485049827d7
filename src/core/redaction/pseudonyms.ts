/**
 * Pseudonyms of one copy: the n-th different name of a space gets a code drawn from the copy's secret and n, never from the name. A name
 * has one pseudonym wherever its space has it: a tool that is called, declared and part of a path is one tool in the copy too. Which
 * classes share a space is said in identities.ts.
 *
 * So a pseudonym keeps joins inside the copy, tells nothing about the name (not even to someone who guesses it), and is unrelated to
 * the pseudonyms of another copy. The secret stays with the person who shares and is thrown away.
 */
import { sha256Hex } from '../base/hash.ts';

const alphabet = 'bcdfghjkmnpqrstvwxz23456789';

export interface Pseudonyms {
  /** The pseudonym of `name` among names of this space: `kind-code`, with the kind it was first met as. */
  readonly of: (space: string, kind: string, name: string) => string;
  /** Lowercase hex of the given length standing for `name`; never all zero. */
  readonly hexOf: (kind: string, name: string, length: number) => string;
  /** Everything that has one. */
  readonly names: () => Iterable<string>;
}

export function createPseudonyms(secret: string): Pseudonyms {
  const bySpace = new Map<string, Map<string, number>>();
  const taken = new Set<string>();
  const labels = new Map<string, string>();

  function ordinal(space: string, name: string): number {
    let names = bySpace.get(space);
    if (names === undefined) bySpace.set(space, (names = new Map<string, number>()));
    const known = names.get(name);
    if (known !== undefined) return known;
    names.set(name, names.size);
    return names.size - 1;
  }

  function of(space: string, kind: string, name: string): string {
    const key = `${space}\u0000${String(ordinal(space, name))}`;
    const known = labels.get(key);
    if (known !== undefined) return known;
    const hex = sha256Hex(`${secret}\u0000label\u0000${key}`);
    let length = 4;
    let label = `${kind}-${codeOf(hex, length)}`;
    while (taken.has(label)) label = `${kind}-${codeOf(hex, ++length)}`;
    taken.add(label);
    labels.set(key, label);
    return label;
  }

  return {
    of,
    hexOf: (kind, name, length) =>
      sha256Hex(`${secret}\u0000hex\u0000${kind}\u0000${String(ordinal(`hex ${kind}`, name))}`).slice(0, length),
    names: () => [...bySpace.values()].flatMap((names) => [...names.keys()]),
  };
}

function codeOf(hex: string, length: number): string {
  let code = '';
  for (let i = 0; i < length; i++)
    code += alphabet.charAt(Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16) % alphabet.length);
  return code;
}
