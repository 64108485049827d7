/**
 * Names in sentences without a word said twice: "input received" of an input that is named "input", "hook progress" of a type that says
 * progress once as its kind and once as its subtype.
 *
 * Invariant: nothing is taken out of a name that a person gave; only the words that a title puts around it give way. Called by titles and lanes.
 */
import { lineToShown } from '../base/shown-text.ts';
import { isOpaqueId, shortId } from './title-words.ts';

/** A type in its own words, each of them once, where it is said last: `claude_code.progress.hook_progress` to "claude code hook progress". */
export function typeToWords(type: string): string {
  const words = type.split(/[._/:\s-]+/).filter((word) => word !== '');
  const last = new Map(words.map((word, at) => [word.toLowerCase(), at]));
  return words.filter((word, at) => last.get(word.toLowerCase()) === at).join(' ');
}

/** "step plan started"; the noun and the verb are left out where the name says them itself. */
export function sayAround(noun: string, name: string, verb: string): string {
  const said = toWords(name);
  const before = said[0] === noun ? '' : `${noun} `;
  const after = said.length > 1 && said.at(-1) === verb ? '' : ` ${verb}`;
  return `${said.length === 0 ? noun : `${before}${name}`}${after}`;
}

/** Equal for names that differ only in how they are written: `k8s_agent` and "k8s agent", `TravelAgent` and `travel-agent`. */
export function nameToKey(name: string): string {
  return toWords(name).join('');
}

function toWords(name: string): readonly string[] {
  return name
    .toLowerCase()
    .split(/[\s._-]+/)
    .filter((word) => word !== '');
}

/** Names in the order of their first, each with how often it stands there: "Bash, Glob (4×)". */
export function countAlike(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${String(count)}×)`)).join(', ');
}

/** Two versions so that they can be told apart: of ids that a machine made, as much as it takes. */
export function versionsToText(from: string | undefined, to: string | undefined): string {
  if (to === undefined) return '';
  if (from === undefined) return `to ${shorten(to)}`;
  if (!isOpaqueId(from) || !isOpaqueId(to)) return `${from} to ${to}`;
  const [a, b] = [shortId(from), shortId(to)];
  if (a !== b || from === to) return `${a} to ${b}`;
  let same = 0;
  while (same < to.length && from[same] === to[same]) same++;
  const end = to.indexOf('-', same);
  const cut = end < 0 ? to.length : end;
  return `${lineToShown(from.slice(0, cut))} to ${lineToShown(to.slice(0, cut))}`;
}

function shorten(version: string): string {
  return isOpaqueId(version) ? shortId(version) : version;
}
