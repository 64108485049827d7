/** Findings and read models over branches that the replay engine wrote: nothing there may look like an incident of the record. */
import { describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../model/index.ts';
import { emptyFilter } from '../projections/matching.ts';
import type { BranchReading } from '../projections/reading.ts';
import { eventsToView, viewToProblems } from '../projections/testing/drawn-view.ts';
import { record } from '../replay/testing/record.ts';
import { replay } from '../replay/testing/replay-case.ts';
import { createReading } from './index.ts';

const program = `async function main(ctx, input) {
  const d = await ctx.model('decide', { q: 1 });
  const act = ctx.decide('act', d.action, { alternatives: ['open', 'close'], uses: [d] });
  const t = await ctx.write('ticket', { title: act }, { by: 'act', writes: ['tickets'] });
  await ctx.state('case', { id: t.id }, { uses: [t] });
  return t.id;
}`;

const handlers = {
  'model:decide': () => ({ ok: { action: 'open' } }),
  'write:ticket': () => ({ ok: { id: 8421 }, effects: [{ id: '8421' }] }),
};

async function readBranch(request: Parameters<typeof replay>[1]): Promise<BranchReading> {
  const events: readonly HindcastEvent[] = await record(program, { handlers });
  const { lines } = await replay(events, request);
  const branch = lines[0]?.branch ?? 'no branch';
  const view = eventsToView([...events, ...lines], branch);
  // The recorder of the cases numbers all components together: holes in one log say nothing here.
  return createReading(
    view,
    viewToProblems(view).filter(({ code }) => code !== 'sequence-hole'),
  );
}

function severe(reading: BranchReading): string[] {
  return reading
    .findings()
    .filter(({ severity }) => severity !== 'notice')
    .map(({ title }) => title);
}

describe('a branch', () => {
  it('R41 R58 R59 an unedited replay adds no finding', async () => {
    const reading = await readBranch({});
    expect(severe(reading)).toEqual([]);
    expect(reading.effects().map(({ verdict, effectIds }) => [verdict, effectIds])).toEqual([
      ['executed once', ['8421']],
    ]);
  });

  it('R44 R47 an edited decision: the new request was sent to nobody, and the effect outside is named', async () => {
    const reading = await readBranch({ edits: [{ target: { path: '/decide:act#0' }, value: 'close' }] });
    expect(severe(reading)).toEqual(['This branch lacks 8421, which exists outside']);
    const requests = reading
      .effects()
      .flatMap(({ attempts }) => attempts.filter(({ dispatched }) => dispatched !== undefined));
    expect(requests.map(({ status }) => status)).toEqual(['not executed']);
    expect(reading.transcript(emptyFilter, 0, 100).lines.some(({ kind }) => kind === 'gap')).toBe(true);
  });
});
