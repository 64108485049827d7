import { describe, expect, it } from 'vitest';
import { mainBranch } from '../../core/model/index.ts';
import type { ReplayRequest, TraceId } from '../../data/index.ts';
import type { DraftSupply } from '../../state/replay-draft.ts';
import { findDoubtful, replayChecked } from './checked-replay.ts';

/** Cast: the brand factory is in platform/storage, which views do not import. */
const trace = 't-1' as TraceId;

function taken(path: string, asked: string): DraftSupply {
  return { path, as: 'value', text: '1', from: { origin: 'other-run', run: 'r', event: 'e' }, asked };
}

function requestOf(value: number, paths: readonly string[] = []): ReplayRequest {
  const edits = [{ target: { path: '/read:a#0' }, value }];
  return { trace, base: mainBranch, edits, supply: paths.map((path) => ({ path, value: 1 })) };
}

describe('an answer taken from another run', () => {
  it('is in doubt after another edit, and not while the same replay is continued', () => {
    const own: DraftSupply = { path: '/typed', as: 'value', text: '1' };
    const supplies = [own, taken('/x', 'd1')];
    expect(findDoubtful(supplies, requestOf(2), requestOf(1, ['/x']))).toEqual([supplies[1]]);
    expect(findDoubtful(supplies, requestOf(2), undefined)).toEqual([supplies[1]]);
    expect(findDoubtful(supplies, requestOf(2, ['/x']), { ...requestOf(2), reason: 'why' })).toEqual([]);
  });

  it('reaches only the command that asks with the arguments it answered; the others are dropped', async () => {
    const ran: (readonly string[])[] = [];
    const asks: Readonly<Record<string, string>> = { '/x': 'd1', '/z': 'other' };
    const run = async (request: ReplayRequest) => {
      ran.push(request.supply.map(({ path }) => path));
      // The second question comes up when the first is answered.
      const paths = ['/x', '/z', ...(request.supply.some(({ path }) => path === '/x') ? ['/y'] : [])];
      return Promise.resolve({ commands: paths.map((path) => ({ path, argsDigest: asks[path] ?? 'd2' })) });
    };
    const doubtful = [taken('/x', 'd1'), taken('/y', 'd2'), taken('/z', 'd3')];
    const made = await replayChecked(requestOf(2, ['/typed', '/x', '/y', '/z']), doubtful, run);
    expect(ran).toEqual([['/typed'], ['/typed', '/x'], ['/typed', '/x', '/y']]);
    expect(made?.dropped.map(({ path }) => path)).toEqual(['/z']);
    expect(made?.request.supply.map(({ path }) => path)).toEqual(['/typed', '/x', '/y']);
  });

  it('is kept where nothing was run', async () => {
    const run = async (): Promise<undefined> => Promise.resolve(undefined);
    expect(await replayChecked(requestOf(2), [taken('/x', 'd1')], run)).toBeUndefined();
  });
});
