/** Measured cells of shipped trials below a simulated sweep, as the page draws them. */
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { analyseRecovery } from '../../core/recovery/index.ts';
import { openTrace, samplesFolder } from '../../core/recovery/testing/opened-trials.ts';
import type { SimulatedSweep, SimulatedTrial } from '../../core/simulate/index.ts';
import { createQueryClient, DataProvider, type Services, type TraceId } from '../../data/index.ts';
import { type Location, NavigationContext, recoveryLocation } from '../../state/location.ts';
import { KillMeasured } from './KillMeasured.tsx';

afterEach(cleanup);

/** No layout here: nothing ever has a size. */
class NoSizes {
  readonly observe = vi.fn();
  readonly disconnect = vi.fn();
}

vi.stubGlobal('ResizeObserver', NoSizes);

const path = '/write:tickets.create#0';
const names = ['journal-control', 'journal-kill-3', 'journal-key-control', 'journal-key-kill-3'].map(
  (name) => `campaign/one-ticket-${name}.hindcast.jsonl`,
);

function unused(): never {
  throw new Error('not used by this test');
}

function simulated(strategy: SimulatedTrial['strategy'], committed: number): SimulatedTrial {
  return {
    ...{ strategy, kill: { path, boundary: '3' }, reached: true, commitments: { [path]: committed }, committed },
    ...{ duplicates: committed - 1, losses: [], deduplicated: 0, refused: 0, modelCalls: 1, extraModelCalls: 0 },
    ...{ ending: 'completed', completed: true, equalsRecorded: true, sentence: '', story: [], assumptions: [] },
  };
}

const sweep: SimulatedSweep = {
  ...{ run: 'r', program: 'p', boundaries: ['3'], strategies: ['journal', 'journal-key'], effects: [path] },
  ...{ notSwept: [], controls: [], suspect: false, causes: [], modelVaries: false },
  trials: [simulated('journal', 2), simulated('journal-key', 2)],
};

function hrefOf(location: Location): string {
  return location.kind === 'recovery' ? `recovery ${location.extra['trial'] ?? ''}` : location.kind;
}

async function show(trace: string): Promise<void> {
  const report = analyseRecovery(await Promise.all(names.map((name) => openTrace(samplesFolder, name))));
  const answers: Readonly<Record<string, unknown>> = {
    traces: names.map((id) => ({ id, name: id })),
    recovery: { ok: true, value: { report, judged: names, leftOut: 0, notRead: [], places: {} } },
  };
  const services: Services = {
    // Cast: the test's answer stands for whatever the method returns.
    library: { call: async (method) => Promise.resolve((answers[method] ?? unused()) as never) },
    importer: { call: unused },
    replayer: { call: unused },
    reader: { ask: unused },
    foreign: { fetch: unused, post: unused },
    cipher: { sealShare: unused, sealWithPassphrase: unused, openShare: unused, passphraseToKey: unused },
    changes: { announce: unused, subscribe: () => () => undefined },
    fetchOwn: unused,
    askToPersist: unused,
  };
  render(
    <DataProvider services={services} client={createQueryClient()}>
      <NavigationContext value={{ location: recoveryLocation(), go: unused, hrefOf }}>
        {/* Cast: the brand factory is in platform/storage, which views do not import. */}
        <KillMeasured sweep={sweep} trace={trace as TraceId} isChanged={false} />
      </NavigationContext>
    </DataProvider>,
  );
}

describe('what was measured, below what is simulated', () => {
  it('shows the measured cells of the campaign of the trace, those first where the two disagree, and the trials', async () => {
    await show(names[1] ?? '');
    expect((await screen.findByRole('heading')).textContent).toBe(
      '2 measured cells: the simulation agrees with 1, disagrees with 1',
    );
    const rows = screen.getAllByRole('row').slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      // What disagrees comes first.
      expect.stringMatching(/^journal, with idempotency key.*once.*twice.*disagree$/),
      expect.stringMatching(/^journal, without idempotency key.*twice.*twice.*agree$/),
    ]);
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href') ?? '');
    expect(links).toHaveLength(2);
    expect(links.every((href) => /^recovery \w{32}$/.test(href))).toBe(true);
  });

  it('says where a trace is no trial', async () => {
    await show('another');
    expect((await screen.findByText(/This trace is no trial/)).textContent).toContain('nothing measured');
  });
});
