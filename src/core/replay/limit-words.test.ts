/** Limits and texts that are no programs: the sentence names amount, place and remedy. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../model/index.ts';
import { limitToWords } from './limit-words.ts';
import { defaultSandboxLimits } from './sandbox-port.ts';
import { record } from './testing/record.ts';
import { replay } from './testing/replay-case.ts';

const program = `async function main(ctx, input) {
  const d = await ctx.read('find', { q: 1 });
  return d;
}`;

let events: readonly HindcastEvent[];
beforeAll(async () => {
  events = await record(program, { handlers: { 'read:find': () => ({ ok: { id: 7 } }) } });
});

describe('limits', () => {
  it('say how much was used of how much, where the program was, and what to do', async () => {
    const endless = program.replace('return d;', "const more = ctx.read('more', {}); for (;;) {}");
    const { sentence } = await replay(events, { program: endless, limits: { ticksPerDelivery: 30 } });
    expect(sentence).toMatch(
      /^The control program used up its computing steps, 30 of 30 in one go \(3\d of 50000 for the whole run\), after it received \/read:find#0/,
    );
    expect(sentence).toMatch(/Look there for a loop that does not end/);
    const whole = await replay(events, { program: endless, limits: { ticksPerRun: 20 } });
    expect(whole.sentence).toContain('20 of 20 for the whole run, after it received /read:find#0');
    const early = await replay(events, {
      program: 'async function main() { for (;;) {} }',
      limits: { ticksPerDelivery: 5 },
    });
    expect(early.sentence).toContain('before it received anything');
  });

  it('say of a decision that it was made, and of a text nested too deeply that it may be the text', async () => {
    const decided = `async function main(ctx) { ctx.decide('cover', 1); for (;;) {} }`;
    expect((await replay(events, { program: decided, limits: { ticksPerDelivery: 5 } })).sentence).toContain(
      'after it decided /decide:cover#0',
    );
    const brackets = `async function main() { return ${'['.repeat(100_000)} }`;
    expect((await replay(events, { program: brackets })).sentence).toContain(
      'The text of the program may be nested too deeply, such as brackets within brackets',
    );
    const calls = `async function main(ctx) { await ctx.read('find', { q: 1 }); const f = () => f() + 1; f(); }`;
    expect((await replay(events, { program: calls })).sentence).not.toContain('text of the program');
  });

  it('name the amount of every limit', () => {
    const context = { commands: [], limits: defaultSandboxLimits, usage: { ticks: 7, commands: 3, bytes: 9 } };
    const told = (['commands', 'acts', 'bytes', 'memory', 'stack', 'scope-depth', 'aborted-by-host'] as const).map(
      (name) => limitToWords({ name, message: 'Too much.' }, context).message.split(', before')[0],
    );
    expect(told).toEqual([
      'Too much, 50000 of 50000',
      'Too much, at most 10000 in one go and 100000 in the whole run',
      'Too much, 9 of 268435456 characters',
      'Too much, 64 MiB',
      'Too much, 256 KiB of stack',
      'Too much, 64 deep',
      'Too much, after 7 of 50000 computing steps and 3 commands',
    ]);
  });
});

describe('a text that is no control program', () => {
  it('of modules names the line, and what to do with it', async () => {
    const exported = await replay(events, { program: `// mine\n\nexport ${program}` });
    expect(exported.result).toBe('error');
    expect(exported.sentence).toMatch(
      /^The text is not a control program: line 3 has an export, and a control program is one script without modules: leave "export" out; /,
    );
    const imported = await replay(events, { program: `import x from 'y';\n${program}` });
    expect(imported.sentence).toContain('line 1 has an import, ');
    expect((await replay(events, { program: 'const import_ = {;' })).sentence).not.toContain('modules');
  });

  it.each([
    'async function* main(ctx) { yield await ctx.model("a", {}); }',
    'function *main(ctx) { yield 1; }',
    'const main = async function* (ctx) { yield 1; };',
  ])('V4 is told as a generator: %s', async (program) => {
    const events = await record(`async function main(ctx) { return ctx.model('a', {}); }`);
    const report = await replay(events, { program });
    expect(report.result).toBe('error');
    expect(report.sentence).toBe(
      'The text is not a control program: main is a generator; it must be an async function.',
    );
  });

  it.each([
    'async function main() { return {}; }',
    'async function main() { const steps = "function* main("; return {}; } // function* main()',
    'async function main(ctx) { ctx.record("step.noted", {}); function* main() {} return {}; }',
    'async function main(ctx) { function* other() { yield 1; } return {}; }',
    'async function main(ctx) { const step = function* main() { yield 1; }; return {}; }',
    'const step = function* main() { yield 1; };\nasync function main(ctx) { return {}; }',
    'const step =\n  function* main() { yield 1; };\nasync function main(ctx) { return {}; }',
    'const main = async (ctx) => { const main = function* () { yield 1; }; return {}; };',
  ])('V4 what runs and comes to nothing is one: %s', async (program) => {
    const events = await record(`async function main(ctx) { return {}; }`);
    expect((await replay(events, { program })).result).not.toBe('error');
  });
});
