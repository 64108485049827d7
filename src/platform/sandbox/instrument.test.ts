import { describe, expect, it } from 'vitest';
import { instrumentCatches } from './instrument.ts';
import { scrubName } from './prelude.ts';

const told = `${scrubName}(e);`;
const clause = 'try { f() } catch (e) {';

describe('C21 catch clauses are instrumented, and nothing else is', () => {
  const inText = 'const t = "} catch (e) {";';

  it.each([
    ['behind the condition of an if', `if (i) /"/.test('s'); ${inText}`],
    ['behind a loop', `while (g(i)) /"/.exec(s); for await (const x of y) /'/.test(x); ${inText}`],
    ['behind a block', `if (a) { b() } /"/.test(s); ${inText}`],
    ['behind words', `const f = () => { return /"/ }; for (const x of /'/.exec(s)) f(x); ${inText}`],
    ['inside a template', `const s = \`\${/"/.test({ a: 1 }.a)} } catch (e) {\`; ${inText}`],
  ])('a regular expression %s is one', (_, program) => {
    expect(instrumentCatches(program)).toBe(program);
    expect(instrumentCatches(`${program} ${clause}}`)).toBe(`${program} ${clause}${told}}`);
  });

  it.each([
    ['behind a call', 'f(a) / 2; const s = "/";'],
    ['behind an object', 'const n = { a: 1 } / 2, s = "/";'],
    ['behind a step', 'const n = i++ / 2, s = "/";'],
    ['behind a member with a name of the language', 'const n = a.return / b?.of / 2, s = "/";'],
    ['behind a number, a template and a private member', 'const n = 1. / `2` / this.#in / 2, s = "/";'],
  ])('a division %s is one', (_, program) => {
    expect(instrumentCatches(`${program} ${clause} g("/"); }`)).toBe(`${program} ${clause}${told} g("/"); }`);
  });

  it('a method, a property and a text of that name are left alone', () => {
    const program = 'class A { a() {} catch (e) { return e } }; p.then(() => {}).catch((e) => { f(e) });';
    expect(instrumentCatches(program)).toBe(program);
  });
});
