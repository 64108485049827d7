/**
 * Rule `naive-by-name`: engines whose name says that they start over from the first step, without reconciling (R115).
 *
 * Invariant: case and separators mean nothing; a word that may mean a key, a journal or anything else makes the name another one. A name
 * that only looks like it is told, and decides nothing.
 */

/** Words that say nothing beyond "naive". */
const plain: ReadonlySet<string> = new Set([
  'naive',
  'restart',
  'restarts',
  'nokey',
  'no',
  'key',
  'keyless',
  'without',
  'control',
  'negative',
  'engine',
  'worker',
  'baseline',
]);

export function isNaiveName(name: string): boolean {
  const words = toWords(name);
  return words.includes('naive') && words.every((word) => plain.has(word)) && !isKeyed(words);
}

/** "naive key" is the naive engine with a key; "naive without key" is not. */
function isKeyed(words: readonly string[]): boolean {
  if (words.some((word) => /^(?:idem|keyed|dedup)/.test(word))) return true;
  return words.includes('key') && !words.includes('no') && !words.includes('without');
}

/** A name that people give such a control. */
export function isLikeNaive(name: string): boolean {
  const words = toWords(name);
  if (isKeyed(words)) return false;
  return likeness.test(words.join(' '));
}

const likeness =
  /\b(?:naive\w*|baseline|negative|stateless|scratch|from (?:the )?(?:start|beginning)|no (?:recovery|journal|durability))\b/;

function toWords(name: string): readonly string[] {
  const text = name.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
  const parted = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return parted.split(/[^a-z0-9]+/).filter((word) => word !== '');
}
