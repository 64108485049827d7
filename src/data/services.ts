/**
 * The one context through which instances reach the hooks.
 *
 * This folder creates nothing with a lifetime: `createServices` (src/app) makes the instances, `DataProvider` hands them down. Tests
 * pass their own.
 */
import { createContext, use } from 'react';
import { assert } from '../core/base/assert.ts';
import type { openShare, passphraseToKey, sealShare, sealWithPassphrase } from '../platform/crypto/index.ts';
import type { ForeignFetch } from '../platform/net/index.ts';
import type {
  ImportMethods,
  LibraryMethods,
  ReaderClient,
  ReplayMethods,
  WorkerClient,
} from '../platform/workers/index.ts';

/** Tells when the library changed, in this tab or another one of the same site. */
export interface LibraryChanges {
  announce(): void;
  /** Returns the function that stops listening. */
  subscribe(listener: () => void): () => void;
}

/** Encryption of shares; see platform/crypto. */
export interface ShareCipher {
  readonly sealShare: typeof sealShare;
  readonly sealWithPassphrase: typeof sealWithPassphrase;
  readonly openShare: typeof openShare;
  readonly passphraseToKey: typeof passphraseToKey;
}

export interface Services {
  readonly library: Pick<WorkerClient<LibraryMethods>, 'call'>;
  readonly reader: ReaderClient;
  readonly importer: Pick<WorkerClient<ImportMethods>, 'call'>;
  readonly replayer: Pick<WorkerClient<ReplayMethods>, 'call'>;
  readonly foreign: ForeignFetch;
  readonly cipher: ShareCipher;
  readonly changes: LibraryChanges;
  /** Reads a file that came with the site, by its path below the page. */
  readonly fetchOwn: (path: string, signal: AbortSignal) => Promise<Response>;
  /** Asks the browser not to evict the library; undefined where it has no answer. */
  readonly askToPersist: () => Promise<boolean | undefined>;
}

export const ServicesContext = createContext<Services | undefined>(undefined);

export function useServices(): Services {
  const services = use(ServicesContext);
  assert(services !== undefined, 'a DataProvider stands above every component that reads data');
  return services;
}
