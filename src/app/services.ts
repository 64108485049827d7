/**
 * The composition root of the page's services: the only place that makes workers, channels and adapters.
 *
 * Called once by main.tsx, which hands the result to `DataProvider`.
 */
import type { LibraryChanges, Services } from '../data/index.ts';
import { openShare, passphraseToKey, sealShare, sealWithPassphrase } from '../platform/crypto/index.ts';
import { createForeignFetch } from '../platform/net/index.ts';
import { createWorkers } from '../platform/workers/index.ts';
import { countCalls } from './calls.ts';

export function createServices(): Services {
  const workers = createWorkers();
  return {
    ...workers,
    replayer: countCalls(workers.replayer),
    foreign: createForeignFetch(document),
    cipher: { openShare, passphraseToKey, sealShare, sealWithPassphrase },
    changes: createLibraryChanges(),
    fetchOwn: (path, signal) => fetch(new URL(path, document.baseURI), { signal }),
    askToPersist,
  };
}

/** Listeners hear of changes made in other tabs; this tab invalidates its own cache where it makes them. */
function createLibraryChanges(): LibraryChanges {
  const channel = new BroadcastChannel('hindcast-library');
  return {
    announce: () => channel.postMessage('changed'),
    subscribe(listener) {
      channel.addEventListener('message', listener);
      return () => channel.removeEventListener('message', listener);
    },
  };
}

/** Only pages may ask, and only in a secure context. */
async function askToPersist(): Promise<boolean | undefined> {
  const host: Partial<Pick<Navigator, 'storage'>> = navigator;
  return host.storage?.persist();
}
