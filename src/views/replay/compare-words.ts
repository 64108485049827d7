/**
 * What a comparison establishes, in sentences.
 *
 * The engine compares what is here with what is there; on the page the sides are A, chosen first and standing left (there), and B (here).
 */
import type { ComparedSides, ComparedStatus, FirstDifference } from '../../core/compare/index.ts';
import { countOf } from '../../ui/format.ts';
import { valueToPiece } from './shown-value.ts';

export interface SentencePart {
  readonly text: string;
  readonly isCode: boolean;
}

const sideNames = { there: 'A', here: 'B' } as const;

const statusWords: Readonly<Record<ComparedStatus, string>> = {
  same: 'same',
  moved: 'moved',
  changed: 'changed',
  'only here': 'only in B',
  'only there': 'only in A',
  'not reached': 'not reached',
};

export function comparedToWord(status: ComparedStatus): string {
  return statusWords[status];
}

/** The field is named by command and place, with both values where they are recorded. */
export function firstToParts({
  path,
  what,
  movedFrom,
  missing,
  pointer,
  here,
  there,
  runtimeKey,
}: FirstDifference): readonly SentencePart[] {
  const say = (text: string): SentencePart => ({ text, isCode: false });
  const code = (text: string): SentencePart => ({ text, isCode: true });
  if (what === 'only here' || what === 'only there') return [code(path), say(` is ${comparedToWord(what)}.`)];
  if (what === 'not reached')
    return [
      code(path),
      say(
        ` is not reached ${missing === undefined ? 'yet' : `in ${sideNames[missing]}`}: that side has not come to its end.`,
      ),
    ];
  if (what === 'moved')
    return [
      code(path),
      say(' moved: the same arguments and the same answer stand in A at '),
      code(movedFrom ?? ''),
      say('.'),
    ];
  if (what === 'idempotency key') {
    const has = (value: typeof here, side: 'here' | 'there'): string =>
      value !== undefined
        ? 'with a key from the program'
        : runtimeKey === side
          ? "with the runtime's own key"
          : 'without a key';
    return [code(path), say(` is asked for ${has(there, 'there')} in A, and ${has(here, 'here')} in B.`)];
  }
  const field = pointer === undefined || pointer === '' ? [] : [say(' at '), code(pointer)];
  const verb = what === 'arguments' ? ' is asked with other arguments' : ' receives another value';
  const side = (name: string, value: typeof here, other: typeof here): readonly SentencePart[] => [
    say(`${name} `),
    value === undefined ? say('nothing') : code(valueToPiece(value, 120, other)),
  ];
  const isRecorded = here !== undefined || there !== undefined;
  return [
    code(path),
    say(verb),
    ...field,
    ...(isRecorded
      ? [say(': '), ...side('A', there, here), say(', '), ...side('B', here, there), say('.')]
      : [say('.')]),
  ];
}

export function startsToSentence({ equalInput, equalProgram, programs }: ComparedSides): string {
  const input =
    equalInput === undefined
      ? 'Whether both began with the same input is not recorded'
      : equalInput
        ? 'Both began with the same input'
        : 'They began with different inputs';
  const program =
    equalProgram === true
      ? `and ran the same program, ${programs.here}`
      : equalProgram === false
        ? `and ran different programs: A ${programs.there}, B ${programs.here}`
        : '; whether they ran the same program is not recorded';
  return `${input}${equalProgram === undefined ? '' : ' '}${program}.`;
}

/** In the vocabulary of the replay (core/replay/change-words.ts), said of two sides of which neither is the record. */
export const comparedMeanings: Readonly<Record<ComparedStatus, string>> = {
  same: 'asked for at the same place with the same arguments, answered the same',
  moved: 'asked for at another place or under another key, with the same arguments, answered the same',
  changed: 'asked for with other arguments, protected otherwise, or answered differently',
  'only here': 'only B asks for it: A has nothing at its place',
  'only there': 'only A asks for it: B has nothing at its place',
  'not reached': 'the side that lacks it has not come that far; nothing is known of it',
};

export function unreachedToSentence({ rows }: Pick<ComparedSides, 'rows'>): string {
  const unreached = rows.filter(({ status }) => status === 'not reached');
  const here = unreached.filter((row) => row.here === undefined).length;
  const parts = [
    { side: sideNames.there, count: unreached.length - here },
    { side: sideNames.here, count: here },
  ].flatMap(({ side, count }) =>
    count === 0 ? [] : [`In ${side} ${countOf(count, 'command')} ${count === 1 ? 'is' : 'are'} not reached`],
  );
  return `${parts.join('; ')}: the run has not come to its end, so whether it would ask for them is not known.`;
}
