/**
 * Makes every catch clause of a program clean the error it caught.
 *
 * The interpreter writes a stack with line numbers onto errors it throws itself, as an own member that nothing inside can
 * intercept; a program that passes that text on would issue other arguments after a mere shift of lines. So each
 * `catch (e) {` becomes `catch (e) {scrub(e);`. No line moves. Invariant: nothing inside a string, template, comment or regular
 * expression is touched (`code-scan.ts` tells which is which); a clause that cannot be read (a destructuring pattern) is left alone.
 */
import { scanCode } from './code-scan.ts';
import { scrubName } from './prelude.ts';

export function instrumentCatches(source: string): string {
  if (!source.includes('catch')) return source;
  let out = '';
  let copied = 0;
  scanCode(source, (word, end, isAfterTry) => {
    if (word !== 'catch' || !isAfterTry) return;
    const clause = clauseStart(source, end);
    if (clause === undefined) return;
    out += `${source.slice(copied, clause.at)}${scrubName}(${clause.name});`;
    copied = clause.at;
  });
  return out + source.slice(copied);
}

/** After the word `catch`: where the body begins and what the error is called there. */
function clauseStart(source: string, from: number): { readonly at: number; readonly name: string } | undefined {
  const match = /^\s*\(\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*\)\s*\{/u.exec(source.slice(from, from + 200));
  return match?.[1] === undefined ? undefined : { at: from + match[0].length, name: match[1] };
}
