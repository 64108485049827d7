/** Differences of replays that ran, as the page draws them. */
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { record } from '../../core/replay/testing/record.ts';
import { replay } from '../../core/replay/testing/replay-case.ts';
import { type Location, NavigationContext, recoveryLocation } from '../../state/location.ts';
import { Divergences } from './Divergences.tsx';

afterEach(cleanup);

const recorded = `async function main(ctx) { await ctx.model('m', {}); await ctx.read('x', {}); await ctx.write('y', {}); return 1; }`;

function unused(): never {
  throw new Error('not used by this test');
}

async function show(program: string): Promise<void> {
  const report = await replay(await record(recorded), { program });
  expect(report.divergences.length).toBeGreaterThan(1);
  const hrefOf = ({ kind }: Location): string => kind;
  render(
    <NavigationContext value={{ location: recoveryLocation(), go: unused, hrefOf }}>
      <Divergences report={report} />
    </NavigationContext>,
  );
}

describe('differences from the record', () => {
  it('a text that is no program has one: what it did not ask for follows from that', async () => {
    await show('async function main(');
    expect(screen.getAllByRole('article')).toHaveLength(1);
    expect(screen.queryByText(/later difference/)).toBeNull();
  });

  it('R48 a program that ran and left the record keeps the later ones below the first', async () => {
    await show(`async function main(ctx) { await ctx.model('other', {}); return 1; }`);
    expect(screen.getByText(/later differences?$/)).toBeDefined();
  });
});
