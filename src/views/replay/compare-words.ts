/** What a comparison establishes, in sentences. */
import type { ComparedSides, FirstDifference } from '../../core/compare/index.ts';
import { jsonToLine } from '../../ui/json-text.ts';

export interface SentencePart {
  readonly text: string;
  readonly isCode: boolean;
}

/** The field is named by command and place, with both values where they are recorded. */
export function firstToParts({ path, what, pointer, here, there }: FirstDifference): readonly SentencePart[] {
  const say = (text: string): SentencePart => ({ text, isCode: false });
  const code = (text: string): SentencePart => ({ text, isCode: true });
  if (what === 'only here' || what === 'only there') return [code(path), say(` is ${what}.`)];
  const field = pointer === undefined || pointer === '' ? [] : [say(' at '), code(pointer)];
  const verb = what === 'arguments' ? ' is asked with other arguments' : ' receives another value';
  const side = (name: string, value: typeof here): readonly SentencePart[] => [
    say(`${name} `),
    value === undefined ? say('nothing') : code(jsonToLine(value, 120)),
  ];
  const isRecorded = here !== undefined || there !== undefined;
  return [
    code(path),
    say(verb),
    ...field,
    ...(isRecorded ? [say(': '), ...side('there', there), say(', '), ...side('here', here), say('.')] : [say('.')]),
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
      ? `and ran the same program (${programs.here})`
      : equalProgram === false
        ? `and ran different programs (there ${programs.there}, here ${programs.here})`
        : '; whether they ran the same program is not recorded';
  return `${input}${equalProgram === undefined ? '' : ' '}${program}.`;
}
