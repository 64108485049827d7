/** The offer of a new version while a file is being opened, which a reload would lose. */
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { DataProvider, type Services, createQueryClient, useImportActs } from '../data/index.ts';
import { UpdateOffer } from './UpdateOffer.tsx';

vi.mock('virtual:pwa-register', () => ({
  registerSW: ({ onNeedRefresh }: { readonly onNeedRefresh: () => void }) => {
    // The browser tells it later than the registration, as here.
    queueMicrotask(onNeedRefresh);
    return () => Promise.resolve();
  },
}));

afterEach(cleanup);

function unused(): never {
  throw new Error('not used by this test');
}

function Starter() {
  const { start } = useImportActs();
  return (
    <button
      type="button"
      onClick={() => {
        start({ files: [], origin: 'opened' }).catch(unused);
      }}
    >
      start
    </button>
  );
}

it('waits until what is being opened is in the library, and says so', async () => {
  let fail: (error: Error) => void = unused;
  const opened = new Promise<never>((_resolve, reject) => (fail = reject));
  const services: Services = {
    library: { call: unused },
    importer: { call: () => opened },
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
      <Starter />
      <UpdateOffer />
    </DataProvider>,
  );
  const reload = await screen.findByRole<HTMLButtonElement>('button', { name: 'Reload with it' });
  expect(reload.disabled).toBe(false);
  await act(async () => {
    screen.getByRole('button', { name: 'start' }).click();
    await Promise.resolve();
  });
  expect(reload.disabled).toBe(true);
  expect(screen.getByRole('status').textContent).toContain('It waits until what is being opened here');
  await act(async () => {
    fail(new Error('The disk is full.'));
    await opened.catch(() => undefined);
  });
  expect(reload.disabled).toBe(false);
});
