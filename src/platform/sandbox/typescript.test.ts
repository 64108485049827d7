/** TypeScript programs: stripped line by line, run as JavaScript, and refused with a sentence. */
import { describe, expect, it } from 'vitest';
import { drive } from './testing.ts';
import { stripTypes } from './typescript.ts';

const program = `interface Input {
  readonly q: number;
}
type Ctx = { read<T>(name: string, args: unknown): Promise<T> };
async function main(ctx: Ctx, input: Input): Promise<number> {
  const n = (input as Input).q satisfies number;
  await ctx.read<number>('x', { n });
  return n!;
}
`;

describe('TypeScript programs', () => {
  it('O3 run as JavaScript, and every call stays on its line', async () => {
    const stripped = await stripTypes(program);
    if (!stripped.ok) throw new Error(stripped.error);
    expect(stripped.value.original).toBe(program);
    expect(stripped.value.source.split('\n')).toHaveLength(program.split('\n').length);
    const d = await drive(stripped.value.source, { input: { q: 3 } });
    expect(d.issued).toMatchObject([{ path: '/read:x#0', args: { n: 3 }, site: { line: 7 } }]);
  });

  it('what does not parse is a sentence with its place', async () => {
    const result = await stripTypes('async function main(ctx: {');
    expect(result.ok ? '' : result.error).toMatch(/^The program is not TypeScript .*\(1:\d+\)/);
  });
});
