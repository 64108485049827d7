/**
 * The access log, the person's name in it, and what the browser says about storage.
 */
import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { AccessLog, Settings, StorageState } from '../platform/storage/index.ts';
import type { LoggedAct } from '../platform/workers/index.ts';
import { keys } from './keys.ts';
import { useServices } from './services.ts';

/** Writes an act into the access log; awaited before the act takes effect (share, export, disclosure). */
export function useRecordAct(): UseMutationResult<undefined, Error, LoggedAct> {
  const { library } = useServices();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act) => library.call('record', [act]),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.log }),
  });
}

/** The whole access log, oldest first, and whether its chain holds. */
export function useAccessLog(): UseQueryResult<AccessLog> {
  const { library } = useServices();
  return useQuery({ queryKey: keys.log, queryFn: ({ signal }) => library.call('log', [], { signal }) });
}

export function useSettings(): UseQueryResult<Settings> {
  const { library } = useServices();
  return useQuery({ queryKey: keys.settings, queryFn: ({ signal }) => library.call('settings', [], { signal }) });
}

export function useSaveSettings(): UseMutationResult<undefined, Error, Settings> {
  const { library } = useServices();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (settings) => library.call('saveSettings', [settings]),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.settings }),
  });
}

export function useStorage(): UseQueryResult<StorageState> {
  const { library } = useServices();
  return useQuery({ queryKey: keys.storage, queryFn: ({ signal }) => library.call('storage', [], { signal }) });
}

/** Asks the browser not to evict the library; the answer is what `useStorage` then shows. */
export function useAskToPersist(): UseMutationResult<boolean | undefined, Error, undefined> {
  const { askToPersist } = useServices();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => askToPersist(),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.storage }),
  });
}
