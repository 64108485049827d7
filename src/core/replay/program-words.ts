/**
 * Why a text is no control program, in words that name the line: the interpreter knows scripts only, and says little about modules.
 *
 * Called by `pass.ts` for texts that the interpreter refused, and for those that settled without any act: a generator returns at once, and
 * no line of it runs. A text that does anything is never looked at.
 */
import { isJsonObject, plainToRecorded } from '../base/json.ts';
import type { Settled } from './sandbox-port.ts';

/** A line that begins a module's import or export; `import(…)` is an expression. */
const moduleLine = /^[ \t]*(import|export)\b(?!\s*\()/m;

export function programFaultToWords(message: string, source: string): string {
  const found = message.includes('SyntaxError') ? moduleLine.exec(source) : null;
  if (found === null) return message;
  const line = source.slice(0, found.index).split('\n').length;
  const [, word = ''] = found;
  const remedy =
    word === 'export'
      ? 'leave "export" out; its function main is found by its name'
      : 'put what it takes from others into the same text';
  return `line ${String(line)} has an ${word}, and a control program is one script without modules: ${remedy} (${message})`;
}

/** What is no code: comments and texts, so that a function that is only spoken of is none. */
const noCode = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
/** A `main` that is declared, or that a name is given to; a function that is named so within an expression is another's. */
const definedMain =
  /(?<=(?:^|[;{}\n])\s*(?:async\s+)?)function\s*(\*?)\s*main\s*\(|\bmain\s*=(?![=>])\s*(?:(?:async\s+)?function\s*(\*))?/g;

/** Of a run that asked, decided and noted nothing: whether its `main` was only ever called, and a generator does nothing when called. */
export function generatorToFault(settled: Settled, source: string): Settled {
  if (settled.kind !== 'ok') return settled;
  const value = plainToRecorded(settled.value);
  if (!isJsonObject(value) || Object.keys(value).length > 0) return settled;
  const code = source.replace(noCode, ' ');
  const mains = [...code.matchAll(definedMain)].filter(({ index }) => isOutermost(code.slice(0, index)));
  if (mains.length === 0 || mains.some(([, declared = '', given = '']) => declared + given === '')) return settled;
  return { kind: 'not-a-program', message: 'main is a generator; it must be an async function' };
}

function isOutermost(before: string): boolean {
  return before.split('{').length === before.split('}').length;
}
