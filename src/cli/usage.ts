/**
 * A wrong command line: which options each command takes, and what is said about one that it does not take.
 *
 * Invariant: nothing that a person wrote is ignored, and the sentence about it stands last, below the usage of the command, where a
 * terminal still shows it.
 */
import { createTable } from '../core/base/table.ts';
import { helpText } from './help.ts';
import { type Outcome, unusable } from './output.ts';

/** Options every command takes. */
const always = ['json', 'help', 'accept-future', 'allow-huge'];
const opening = ['format', 'trace'];

const taken: Readonly<Record<string, readonly string[]>> = createTable({
  check: opening,
  replay: [...opening, 'edit', 'program', 'run', 'set'],
  'replay --set': ['program', 'set'],
  compare: [...opening, 'run', 'branch'],
  redact: [...opening, 'output', 'policy', 'keep'],
  export: [...opening, 'output', 'to', 'branch', 'run'],
  recovery: ['claim', 'envelope', 'ledger', 'tolerance', 'hold'],
  'golden pin': [...opening, 'output', 'run', 'branch', 'name', 'reason', 'property', 'exempt'],
  'golden run': ['program', 'output', 'strict'],
  simulate: [...opening, 'run', 'path', 'boundary', 'strategy', 'model-varies'],
  survey: ['markdown', ...opening],
  schema: [],
});

/** The options that were given and that the command would not look at, as a sentence; undefined where there are none. */
export function ignoredOptions(command: string, given: readonly string[]): string | undefined {
  // A word that is no command may be the name of something every object has.
  const known = Object.hasOwn(taken, command) ? taken[command] : undefined;
  if (known === undefined) return undefined;
  const ignored = given.filter((name) => !always.includes(name) && !known.includes(name));
  if (ignored.length === 0) return undefined;
  const names = ignored.map((name) => `--${name}`).join(', ');
  return `${command} does not take ${names}. Leave ${ignored.length === 1 ? 'it' : 'them'} out.`;
}

/** The usage lines of one command, or of all where none is known. */
function usageOf(command: string | undefined): string {
  const lines = helpText.split('\n').filter((line) => line.startsWith('  hindcast '));
  const own = command === undefined ? [] : lines.filter((line) => line.startsWith(`  hindcast ${command} `));
  return ['Usage:', ...(own.length > 0 ? own : lines), '', '`hindcast --help` explains commands and options.'].join(
    '\n',
  );
}

export function misuse(sentence: string, command: string | undefined, json: boolean): Outcome {
  return unusable({ code: 'usage', message: json ? sentence : `${usageOf(command)}\n\n${sentence}` }, json);
}
