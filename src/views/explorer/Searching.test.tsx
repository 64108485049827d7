/** A search for text is seen while it runs, leads to its first events, can be given up, and is gone when it ends. */
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { eventId, mainBranch } from '../../core/model/index.ts';
import { DataProvider, type Services, type TraceId, createQueryClient } from '../../data/index.ts';
import { type Explorer, noFilter } from './explorer.ts';
import { Searching } from './Searching.tsx';

afterEach(cleanup);

/** Cast: the brand factory is in platform/storage, which views do not import. */
const trace = 't-1' as TraceId;

function unused(): never {
  throw new Error('not used by this test');
}

type Told = ReturnType<NonNullable<Services['reader']['searchOf']>>;

const row = { type: 'message.sent', family: 'unknown', source: 'w', branch: mainBranch, failed: false } as const;
const told: Told = {
  text: 'ledger',
  bytes: 12_000_000,
  bytesTotal: 489_000_000,
  found: 1,
  first: [{ ...row, id: eventId('e7'), title: 'The ledger is closed', effect: false, findings: 0, problems: 0 }],
};

describe('Searching', () => {
  it('shows how far it is and its first events, and nothing before and after', () => {
    let search: Told;
    let tell: () => void = unused;
    const picked: string[] = [];
    const client = { call: unused };
    const services: Services = {
      library: client,
      importer: client,
      replayer: client,
      reader: {
        ask: unused,
        searchOf: () => search,
        onSearch: (listener) => {
          tell = listener;
          return () => undefined;
        },
      },
      foreign: { fetch: unused, post: unused },
      cipher: { sealShare: unused, sealWithPassphrase: unused, openShare: unused, passphraseToKey: unused },
      changes: { announce: unused, subscribe: () => () => undefined },
      fetchOwn: unused,
      askToPersist: unused,
    };
    const explorer: Explorer = {
      ...{ trace, branch: mainBranch, filter: noFilter, event: undefined, isChoosing: false, finding: undefined },
      ...{ edit: undefined, edited: undefined, overlay: undefined },
      select: (id) => picked.push(id),
      clearFilter: unused,
      showPanel: unused,
      showFinding: unused,
      takeEditFocus: () => false,
      titleOf: (id) => id,
    };
    const set = (to: Told): void => {
      search = to;
      act(tell);
    };
    render(
      <DataProvider services={services} client={createQueryClient()}>
        <Searching explorer={explorer} onStop={() => picked.push('stop')} />
      </DataProvider>,
    );
    const part = (): HTMLElement | null => screen.queryByRole('region', { name: 'Search for text' });
    expect(part()).toBeNull();
    set(told);
    expect(part()?.textContent).toContain('for “ledger”: in 1 record so far');
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toMatch(/^2\.4/);
    screen.getByRole('button', { name: 'The ledger is closed' }).click();
    screen.getByRole('button', { name: 'Stop' }).click();
    expect(picked).toEqual(['e7', 'stop']);
    set(undefined);
    expect(part()).toBeNull();
  });
});
