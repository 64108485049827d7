/**
 * Why a text is no control program, in words that name the line: the interpreter knows scripts only, and says little about modules.
 *
 * Called by `pass.ts` for texts that the interpreter refused; a text that it takes is never looked at.
 */

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
