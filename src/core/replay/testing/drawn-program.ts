/** Control programs drawn at random, for properties of the engine; recorded in the sandbox first. */
import fc from 'fast-check';
import type { record } from './record.ts';

export type Step =
  | { readonly op: 'model' | 'read' | 'write'; readonly name: string; readonly uses: boolean }
  | { readonly op: 'sleep'; readonly ms: number }
  | { readonly op: 'state' | 'decide' | 'choose' | 'random' }
  | { readonly op: 'all' | 'each' | 'child'; readonly parts: readonly (readonly Step[])[] };

const leaf: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ op: fc.constantFrom('model', 'read', 'write'), name: fc.constantFrom('x', 'y'), uses: fc.boolean() }),
  fc.record({ op: fc.constant('sleep'), ms: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ op: fc.constantFrom('state', 'decide', 'random') }),
);
export const block: fc.Arbitrary<readonly Step[]> = fc.array(leaf, { maxLength: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: leaf },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constantFrom('all', 'each'),
      parts: fc.array(block, { minLength: 1, maxLength: 3 }),
    }),
  },
);
export const plan = fc.array(step, { minLength: 1, maxLength: 6 });

/** The same with sub-agents, and with decisions that what came before decides. */
export const richPlan = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: step },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('choose' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        op: fc.constantFrom('child', 'each', 'all'),
        parts: fc.array(
          fc.array(fc.oneof(leaf, fc.record({ op: fc.constant('choose' as const) })), { minLength: 1, maxLength: 3 }),
          { minLength: 1, maxLength: 2 },
        ),
      }),
    },
  ),
  { minLength: 1, maxLength: 6 },
);

/** Text of a program that keeps what it saw in `log`, so that later arguments depend on earlier observations. */
export function toProgram(steps: readonly Step[]): string {
  return `async function main(ctx) {\n${toBody(steps, 'ctx')}\n  return log;\n}`;
}

export function toBody(steps: readonly Step[], ctx: string): string {
  return ['const log = [];', ...steps.map((s) => toStatement(s, ctx))].join('\n  ');
}

function toStatement(s: Step, ctx: string): string {
  switch (s.op) {
    case 'sleep':
      return `await ${ctx}.sleep(${String(s.ms)});`;
    case 'state':
      return `await ${ctx}.state('s', log.length);`;
    case 'decide':
      return `log.push(${ctx}.decide('d', log.length, { alternatives: [0, 1] }));`;
    case 'choose':
      return `log.push(${ctx}.decide('c', ['a', 'b', 'c'][Math.abs(JSON.stringify(log).length) % 3], { alternatives: ['a', 'b', 'c'] }));`;
    case 'child':
      return `log.push(await ${ctx}.child('k', { n: log.length }, async (c) => { ${toBody(s.parts[0] ?? [], 'c')} return log; }));`;
    case 'random':
      return `log.push(${ctx}.random() < 0.5, ${ctx}.now());`;
    case 'all':
      return `log.push(await ${ctx}.all({ ${s.parts.map((part, n) => `p${String(n)}: async (c) => { ${toBody(part, 'c')} return log; }`).join(', ')} }));`;
    case 'each':
      return `log.push(await ${ctx}.each([${s.parts.map((_, n) => String(n)).join(', ')}], (k) => k, async (c, k) => { ${toBody(s.parts[0] ?? [], 'c')} return log; }));`;
    default:
      return `log.push(await ${ctx}.${s.op}('${s.name}', { n: log.length${s.uses ? ', last: log.at(-1) ?? null' : ''} }));`;
  }
}

/** Answers and delays depend only on the command, as those of a real tool would. */
export function handlers(): Parameters<typeof record>[1] {
  const answer = (args: unknown, command: { readonly path: string }): { ok: number; after: number } => {
    let hash = 7;
    for (const c of command.path + JSON.stringify(args)) hash = (hash * 31 + c.charCodeAt(0)) % 9973;
    return { ok: hash, after: 1 + (hash % 17) };
  };
  return { handlers: { model: answer, read: answer, write: answer } };
}
