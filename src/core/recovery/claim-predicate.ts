/**
 * What a clause of a claim asks of a number or of a count of events: the forms of a predicate, read in one place, so that the published
 * schema refuses what no evaluator reads (R87, R88).
 */

export interface Comparison {
  readonly op: '<' | '<=' | '=' | '!=' | '>=' | '>';
  readonly value: number | boolean;
}

export type Predicate = string | number | boolean | Comparison;

const truths = ['hold', 'holds', 'true'];
const untruths = ['violated', 'false'];
const never = ['never', 'absent'];
const once = ['once', 'exactly once'];
const some = ['present', 'occurs', 'at least once'];
const atMostOnce = ['at most once'];
const counts = [...never, ...once, ...some, ...atMostOnce];

/** Digits that a number holds exactly. */
const comparing = String.raw`(<=|>=|={0,3}|!=|<|>)\s*(true|false|-?\d{1,15}(?:\.\d{1,15})?)(?:\s*ms)?`;

/** Letters of either case, for a schema has no flag for it. */
function inAnyCase(pattern: string): string {
  return pattern.replace(/\\.|[a-z]/g, (c) => (c.length > 1 ? c : `[${c}${c.toUpperCase()}]`));
}

/** Every text that is read as a predicate; the words that count are for events alone. Behind the spaces it begins once: in linear time. */
export const predicatePattern = new RegExp(
  `^\\s*(?=\\S)(?:${inAnyCase([comparing, ...truths, ...untruths, ...counts].join('|'))})\\s*$`,
);

export function formsToText(isOfEvent = true): string {
  const words = isOfEvent ? ', "never", "once", "at least once", "at most once"' : '';
  return `"= 0", "!= 0", "<= 500", "< 500", ">= 1", "> 1", "= true", "holds", "violated"${words}`;
}

/** A word that counts events says nothing of a number. */
export function isCountWord(predicate: Predicate): boolean {
  return typeof predicate === 'string' && counts.includes(predicate.trim().toLowerCase());
}

/** `<= 500`, `= true`, `holds`; undefined where the text is none of these. */
export function toTest(predicate: Predicate): ((value: number) => boolean) | undefined {
  const read = toComparison(predicate);
  if (read === undefined) return undefined;
  const right = Number(read.value);
  switch (read.op) {
    case '<':
      return (value) => value < right;
    case '<=':
      return (value) => value <= right;
    case '=':
      return (value) => value === right;
    case '!=':
      return (value) => value !== right;
    case '>=':
      return (value) => value >= right;
    case '>':
      return (value) => value > right;
  }
}

export function toComparison(predicate: Predicate): Comparison | undefined {
  if (typeof predicate === 'object') return predicate;
  return typeof predicate === 'string' ? readComparison(predicate) : { op: '=', value: predicate };
}

function readComparison(text: string): Comparison | undefined {
  const word = text.trim().toLowerCase();
  if (truths.includes(word)) return { op: '=', value: true };
  if (untruths.includes(word)) return { op: '=', value: false };
  const found = new RegExp(`^${comparing}$`).exec(word);
  if (found === null) return undefined;
  const [, sign = '', right = ''] = found;
  const op = /^=*$/.test(sign) ? '=' : sign;
  const value = right === 'true' ? true : right === 'false' ? false : Number(right);
  return op === '<' || op === '<=' || op === '=' || op === '!=' || op === '>=' || op === '>'
    ? { op, value }
    : undefined;
}

/** How often an event must have happened; undefined where the predicate is none that is read. */
export function toCount(predicate: Predicate): ((count: number) => boolean) | undefined {
  const word = typeof predicate === 'string' ? predicate.trim().toLowerCase() : '';
  if (never.includes(word)) return (n) => n === 0;
  if (once.includes(word)) return (n) => n === 1;
  if (some.includes(word)) return (n) => n >= 1;
  if (atMostOnce.includes(word)) return (n) => n <= 1;
  return toTest(predicate);
}
