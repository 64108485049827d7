/** The panes and keys of the explorer over a reader that fails, or that has not answered yet. */
import { cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { type EventId, eventId, mainBranch } from '../../core/model/index.ts';
import type { RowPage } from '../../core/projections/trace-reader.ts';
import { DataProvider, type Services, type TraceId, createQueryClient } from '../../data/index.ts';
import { traceLocation } from '../../state/location.ts';
import { listCommands } from '../../ui/commands.ts';
import { Effects } from './Effects.tsx';
import { type Explorer, noFilter } from './explorer.ts';
import { Findings } from './Findings.tsx';
import { Graph } from './Graph.tsx';
import { Inspector } from './Inspector.tsx';
import { ProblemsDrawer } from './ProblemsDrawer.tsx';
import { States } from './States.tsx';
import { StatusBar } from './StatusBar.tsx';
import { Timeline } from './Timeline.tsx';
import { Transcript } from './Transcript.tsx';
import { useExplorerKeys } from './use-explorer-keys.ts';

afterEach(cleanup);

/** Cast: the brand factory is in platform/storage, which views do not import. */
const trace = 't-1' as TraceId;

function unused(): never {
  throw new Error('not used by this test');
}

function servicesOver(ask: (method: string) => unknown): Services {
  const client = { call: unused };
  return {
    library: client,
    importer: client,
    replayer: client,
    // Cast: the test's answer stands for whatever the method returns.
    reader: { ask: async (_trace, method) => Promise.resolve((await ask(method)) as never) },
    foreign: { fetch: unused, post: unused },
    cipher: { sealShare: unused, sealWithPassphrase: unused, openShare: unused, passphraseToKey: unused },
    changes: { announce: unused, subscribe: () => () => undefined },
    fetchOwn: unused,
    askToPersist: unused,
  };
}

function explorerAt(event: EventId | undefined, select: Explorer['select'] = unused): Explorer {
  return {
    trace,
    branch: mainBranch,
    filter: noFilter,
    event,
    isChoosing: false,
    select,
    clearFilter: unused,
    showPanel: unused,
    showFinding: unused,
    finding: undefined,
    edit: undefined,
    takeEditFocus: () => false,
    edited: undefined,
    overlay: undefined,
    titleOf: (id) => id,
  };
}

function over(ask: (method: string) => unknown) {
  const services = servicesOver(ask);
  const client = createQueryClient();
  return function Wrapper({ children }: { readonly children: ReactNode }) {
    return (
      <DataProvider services={services} client={client}>
        {children}
      </DataProvider>
    );
  };
}

describe('the list of problems', () => {
  it('R145 shows what a record holds as text: no mark in it turns the sentence round', async () => {
    const problem = {
      code: 'dangling-cause',
      message: 'The cause \u202eevil\u001b[31m is in no record.',
      severity: 'problem',
      file: 'a\u202e.jsonl',
      raw: btoa('\u001b]0;x'),
      events: [],
    };
    const ask = () => ({ total: 1, from: 0, problems: [problem] });
    const drawn = render(<ProblemsDrawer explorer={explorerAt(eventId('e'))} onClose={unused} />, {
      wrapper: over(ask),
    });
    await screen.findByText('The cause \\u202eevil\\u001b[31m is in no record.');
    const bytes = drawn.container.querySelector('details');
    if (bytes === null) throw new Error('the bytes are not there');
    bytes.open = true;
    fireEvent(bytes, new Event('toggle'));
    await screen.findByText('\\u001b]0;x');
    const controls = /[\u001b\u202e]/;
    expect(drawn.container.textContent).not.toMatch(controls);
  });
});

describe('a pane whose read fails', () => {
  const explorer = explorerAt(eventId('e'));
  const panes: Readonly<Record<string, ReactNode>> = {
    Effects: <Effects explorer={explorer} />,
    Findings: <Findings explorer={explorer} />,
    Graph: <Graph explorer={explorer} />,
    States: <States explorer={explorer} />,
    StatusBar: <StatusBar explorer={explorer} onProblems={unused} onClearFilter={unused} />,
    Timeline: <Timeline explorer={explorer} />,
    Transcript: <Transcript explorer={explorer} />,
  };
  it.each(Object.entries(panes))('%s says so, and why', async (_name, pane) => {
    render(pane, { wrapper: over(() => Promise.reject(new Error('The disk is gone.'))) });
    const told = await screen.findByRole('alert');
    expect(told.textContent).toMatch(/could not be read.*The disk is gone\./);
  });

  it('does not say that nothing was found where it is not known what was checked', async () => {
    const ask = (method: string): unknown => (method === 'findings' ? [] : Promise.reject(new Error('It stopped.')));
    render(panes['Findings'], { wrapper: over(ask) });
    expect((await screen.findByRole('alert')).textContent).toContain('It stopped.');
    expect(screen.queryByText('Nothing found')).toBeNull();
  });
});

describe('an event that the address names and the branch does not hold', () => {
  it('is named with its controls escaped, so that it cannot turn the sentence around', async () => {
    const explorer = explorerAt(eventId('\u202eevil\u001b[31m'));
    render(<Inspector explorer={explorer} tab="why" onTab={unused} />, { wrapper: over(() => undefined) });
    const told = await screen.findByText(/which no record of this branch has/);
    expect(told.textContent).toContain('\\u202eevil\\u001b[31m');
    expect(/[\u202a-\u202e\u001b]/.test(told.textContent)).toBe(false);
  });
});

describe('the key for the next event', () => {
  const page: RowPage = {
    total: 2,
    from: 0,
    hidden: 0,
    rows: ['first', 'second'].map((id) => ({
      id: eventId(id),
      type: 'worker.started',
      family: 'unknown',
      title: id,
      source: 'worker',
      branch: mainBranch,
      failed: false,
      effect: false,
      findings: 0,
      problems: 0,
    })),
  };

  async function pressNext(event: EventId | undefined, rowOf: unknown): Promise<readonly EventId[]> {
    const went: EventId[] = [];
    const explorer = explorerAt(event, (to) => went.push(to));
    const asked: string[] = [];
    const ask = (method: string): unknown => {
      asked.push(method);
      return method === 'rows' ? page : method === 'rowOf' ? rowOf : Promise.reject(new Error('not asked for here'));
    };
    const targets = { hasTranscriptPane: true, onFocus: unused, onReplay: unused, canReplay: true };
    renderHook(() => useExplorerKeys(explorer, traceLocation(trace), unused, targets), { wrapper: over(ask) });
    await waitFor(() => expect(asked).toContain('rows'));
    // One turn for the answers, one for the drawing that follows them.
    await waitFor(() => expect(listCommands().some(({ id }) => id === 'explorer.next')).toBe(true));
    await new Promise((resolve) => setTimeout(resolve));
    await new Promise((resolve) => setTimeout(resolve));
    listCommands()
      .find(({ id }) => id === 'explorer.next')
      ?.run();
    return went;
  }

  it('goes nowhere while the row of the selection is being asked for, and to the first event where nothing is selected', async () => {
    expect(await pressNext(eventId('first'), new Promise(() => undefined))).toEqual([]);
    cleanup();
    expect(await pressNext(undefined, unused)).toEqual(['first']);
    cleanup();
    expect(await pressNext(eventId('first'), 0)).toEqual(['second']);
  });
});
