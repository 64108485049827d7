/**
 * What a schema says of a file that people write, as words: where it is wrong and what is there. Called by the readers of such files.
 */

import { nameToShown } from './shown-text.ts';

/** What the schema library tells, as far as it is read here. */
interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[] | undefined;
  readonly errors?: readonly (readonly Issue[])[] | undefined;
}

/** The first thing that is wrong, without a full stop. */
export function issuesToText(issues: readonly Issue[]): string {
  const [issue] = issues;
  if (issue === undefined) return 'it is not what is expected';
  const at = issue.path.length === 0 ? 'it' : `"${nameToShown(issue.path.map(String).join('.'))}"`;
  const [key, ...more] = issue.keys ?? [];
  if (issue.code === 'unrecognized_keys' && key !== undefined)
    return `${at} has the member "${nameToShown(key)}", which is not known${more.length === 0 ? '' : `, nor are ${String(more.length)} more`}`;
  const told = [issue, ...(issue.errors ?? []).flatMap((errors) => errors.slice(0, 1))]
    .map(({ message }) => message)
    .filter((message) => message !== 'Invalid input');
  if (told.some((message) => message.endsWith('received undefined'))) return `${at} is missing`;
  if (told.length === 0) return `${at} is not what is expected`;
  return `${at} ${[...new Set(told.map(messageToWords))].join(', or ')}`;
}

/** "Invalid input: expected array, received null" to "must be a list, not null". */
export function messageToWords(message: string): string {
  const [, expected, received] = /^Invalid (?:input|option): expected (.*?)(?:, received (\w+))?$/s.exec(message) ?? [];
  if (expected === undefined) return sizeToWords(message);
  return `must be ${kinds.get(expected) ?? expected}${received === undefined ? '' : `, not ${kinds.get(received) ?? received}`}`;
}

/** "Too small: expected array to have >=1 items" to "must have at least 1 item", ">0" of a number to "must be more than 0". */
function sizeToWords(message: string): string {
  const [, of = '', sign = '', limit = ''] =
    /^Too (?:small|big): expected (\w+) to (?:have|be) (>=|<=|>|<)(\S+?)(?: \w+)?$/s.exec(message) ?? [];
  const measure = measures.get(sign);
  if (measure === undefined) return message;
  const unit = units.get(of);
  return unit === undefined
    ? `must be ${measure} ${limit}`
    : `must have ${measure} ${limit} ${unit}${limit === '1' ? '' : 's'}`;
}

const measures: ReadonlyMap<string, string> = new Map([
  ['>=', 'at least'],
  ['<=', 'at most'],
  ['>', 'more than'],
  ['<', 'less than'],
]);

const units: ReadonlyMap<string, string> = new Map([
  ['array', 'item'],
  ['string', 'character'],
]);

const kinds: ReadonlyMap<string, string> = new Map([
  ['object', 'an object'],
  ['array', 'a list'],
  ['string', 'text'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
]);
