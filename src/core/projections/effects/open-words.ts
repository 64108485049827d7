/**
 * What is left open beside the executions of a command, in clauses: for the headline, the findings and the compared claims alike (R28).
 *
 * Invariant: a clause says that something is uncertain, or what a caller was told of, and never that it happened.
 */
import type { Attempt } from './attempt.ts';
import type { EffectCommand } from './ledger.ts';
import { countToText, listToText } from './words.ts';

type Told = Pick<EffectCommand, 'attempts' | 'open' | 'undecided' | 'unread' | 'told'>;

/** "whether the request of worker 2 was executed too is uncertain". */
export function openToClauses({ attempts, open, undecided, unread, told }: Told): readonly string[] {
  const ids = listToText(told.map(({ id }) => id));
  return [
    ...(open.length === 0 ? [] : [requestsToClause(open, attempts, 'uncertain')]),
    ...(undecided.length === 0
      ? []
      : [`${requestsToClause(undecided, attempts, 'not decidable in this copy')}, which withholds what was answered`]),
    ...(unread.length === 0
      ? []
      : [
          'whether a caller was told of another effect is not decidable in this copy, which withholds what was answered',
        ]),
    ...(told.length === 0 ? [] : [`a caller was told of ${ids}, of which no commitment is recorded`]),
  ];
}

function requestsToClause(open: readonly Attempt[], attempts: readonly Attempt[], how: string): string {
  const [first, second] = open;
  if (attempts.some(({ isUnassigned, records }) => isUnassigned === true && records.committed.length > 0))
    return `for which of its requests, and whether another was executed too, is ${how}`;
  if (first !== undefined && second === undefined)
    return `whether ${requestToName(first, attempts)} was executed too is ${how}`;
  return `whether ${countToText(open.length, 'more request')} of it were executed too is ${how}`;
}

/** By its process, where no other request has that; by its number, where no other has that. */
function requestToName(attempt: Attempt, attempts: readonly Attempt[]): string {
  const isOnly = (same: (other: Attempt) => boolean): boolean => attempts.filter(same).length === 1;
  const { life, number } = attempt;
  if (life !== undefined && isOnly((other) => other.life?.label === life.label)) return `the request of ${life.label}`;
  if (number !== undefined && isOnly((other) => other.number === number)) return `attempt ${String(number)}`;
  return 'another request';
}

/** Whether a copy leaves open how often the command was executed, by withholding an answer. */
export function isLeftOpen({ undecided, unread }: Pick<Told, 'undecided' | 'unread'>): boolean {
  return undecided.length + unread.length > 0;
}
