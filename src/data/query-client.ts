/**
 * The query cache. Nothing is fetched over a network, so nothing is retried, and focus or reconnect mean nothing.
 */
import { QueryClient } from '@tanstack/react-query';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: Infinity,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
        // Pages of rows are large and plain; comparing them deeply costs more than drawing them.
        structuralSharing: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
