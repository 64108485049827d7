/**
 * Gives the hooks their services, the query cache and the page's one import, and keeps the cache true when the library changes in
 * another tab.
 */
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ImportContext } from './import.ts';
import { createImportSession } from './import-session.ts';
import { keys } from './keys.ts';
import { type Services, ServicesContext } from './services.ts';
import { libraryChanged } from './traces.ts';

export interface DataProviderProps {
  readonly services: Services;
  readonly client: QueryClient;
  readonly children: ReactNode;
}

export function DataProvider({ services, client, children }: DataProviderProps): ReactNode {
  const [session] = useState(() => createImportSession(services, () => libraryChanged(client, services)));
  // Syncs with the other tabs of this site: one of them imported, renamed, deleted or replayed something.
  useEffect(
    () =>
      services.changes.subscribe(() => {
        refresh(client).catch(rethrow);
      }),
    [services, client],
  );
  // Syncs with the worker that runs the rules: what was answered before it had told is asked again.
  useEffect(
    () =>
      services.reader.onAudited?.((trace) => {
        const predicate = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean =>
          queryKey[2] !== 'findings' && queryKey[2] !== 'headline';
        client.invalidateQueries({ queryKey: keys.asked(trace), predicate }).catch(rethrow);
      }),
    [services, client],
  );
  return (
    <ServicesContext value={services}>
      <QueryClientProvider client={client}>
        <ImportContext value={session}>{children}</ImportContext>
      </QueryClientProvider>
    </ServicesContext>
  );
}

async function refresh(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: keys.library });
  await client.invalidateQueries({ queryKey: keys.everyAsked });
}

/** A failed refresh is a defect: it goes to the page's error handler. */
function rethrow(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
