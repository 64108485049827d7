/**
 * The library view's data: the traces, and what a person may do with one.
 */
import {
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Retention, TraceId, TraceRecord } from '../platform/storage/index.ts';
import { valueOrThrow } from './failure.ts';
import { keys } from './keys.ts';
import { type Services, useServices } from './services.ts';
import { tellTracesApart } from './trace-names.ts';

/** All traces, newest first, each under a name of its own. */
export function useTraces(): UseQueryResult<readonly TraceRecord[]> {
  const { library } = useServices();
  return useQuery({
    queryKey: keys.traces,
    queryFn: ({ signal }) => library.call('traces', [], { signal }),
    select: tellTracesApart,
  });
}

/** The same, asked again whenever a view of the library comes up: the browser or another page may have removed what was there. */
export function useTracesAnew(): UseQueryResult<readonly TraceRecord[]> {
  const { library } = useServices();
  return useQuery({
    queryKey: keys.traces,
    queryFn: ({ signal }) => library.call('traces', [], { signal }),
    select: tellTracesApart,
    refetchOnMount: 'always',
  });
}

/** One trace as the library lists it; data is undefined when the library has no such trace. */
export function useTrace(trace: TraceId): UseQueryResult<TraceRecord | undefined> {
  const { library } = useServices();
  return useQuery({
    queryKey: keys.trace(trace),
    queryFn: async ({ signal }) => ({ found: await library.call('trace', [trace], { signal }) }),
    select: ({ found }) => found,
  });
}

/** After any change of the library: this tab's cache, and the other tabs. */
export async function libraryChanged(client: QueryClient, services: Services): Promise<void> {
  services.changes.announce();
  await client.invalidateQueries({ queryKey: keys.library });
}

export function useRenameTrace(): UseMutationResult<undefined, Error, { trace: TraceId; name: string }> {
  const services = useServices();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ trace, name }) => valueOrThrow(await services.library.call('rename', [trace, name])),
    onSuccess: () => libraryChanged(client, services),
  });
}

/** `override`: the reason for deleting before the floor or in spite of a hold; without it such a delete fails with the code `before-floor` or `held`. */
export function useDeleteTrace(): UseMutationResult<
  undefined,
  Error,
  { trace: TraceId; override?: string | undefined }
> {
  const services = useServices();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ trace, override }) => valueOrThrow(await services.library.call('remove', [trace, override])),
    onSuccess: async (_none, { trace }) => {
      client.removeQueries({ queryKey: keys.asked(trace) });
      await libraryChanged(client, services);
    },
  });
}

/** Deletes branches in the order given, each with its entry in the access log; stops at the first that is refused. */
export function useDeleteBranches(): UseMutationResult<
  undefined,
  Error,
  { trace: TraceId; branches: readonly string[] }
> {
  const services = useServices();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ trace, branches }) => {
      for (const branch of branches) valueOrThrow(await services.library.call('removeBranch', [trace, branch]));
      return undefined;
    },
    onSettled: async (_none, _error, { trace }) => {
      await client.invalidateQueries({ queryKey: keys.asked(trace) });
      await libraryChanged(client, services);
    },
  });
}

export function useSetRetention(): UseMutationResult<undefined, Error, { trace: TraceId; retention: Retention }> {
  const services = useServices();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ trace, retention }) =>
      valueOrThrow(await services.library.call('setRetention', [trace, retention])),
    onSuccess: () => libraryChanged(client, services),
  });
}
