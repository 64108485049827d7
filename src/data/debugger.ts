/**
 * The debugger of a replay: opened once, then asked by position. The worker keeps the replay; what was asked is kept here.
 */
import { type UseQueryResult, keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type {
  DebugOverview,
  DebugSearch,
  DebugView,
  ReplayProgress,
  ReplayRequest,
} from '../platform/workers/replay-methods.ts';
import { valueOrThrow } from './failure.ts';
import { useServices } from './services.ts';

export type { DebugCommand, DebugStep } from '../core/replay/debug/steps.ts';
export type { DebugOverview, DebugSearch, DebugView } from '../platform/workers/replay-methods.ts';

export interface DebugControl {
  readonly overview: DebugOverview | undefined;
  /** Why it cannot be walked, in a sentence. */
  readonly problem: string | undefined;
  /** Commands issued so far, while it is prepared. */
  readonly commands: number;
  /** A person stopped the preparation. */
  readonly isCancelled: boolean;
  readonly cancel: () => void;
  readonly again: () => void;
}

/** Runs the replay again with a tape beside it. The worker stops it after the same patience as any replay. */
export function useDebugger(request: ReplayRequest): DebugControl {
  const { replayer } = useServices();
  const client = useQueryClient();
  const [commands, setCommands] = useState(0);
  const queryKey = ['debug', request];
  const { data, error, status, fetchStatus, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      setCommands(0);
      const onProgress = (progress: ReplayProgress): void => setCommands(progress.commands);
      return valueOrThrow(await replayer.call('debugOpen', [request], { signal, onProgress }));
    },
    staleTime: Infinity,
    retry: false,
  });
  return {
    overview: data,
    problem: error?.message,
    commands,
    isCancelled: status === 'pending' && fetchStatus === 'idle',
    cancel: () => {
      client.cancelQueries({ queryKey, exact: true }).catch(rethrow);
    },
    again: () => {
      refetch().catch(rethrow);
    },
  };
}

/** A defect reaches the page as one. */
function rethrow(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** What is so at a position. While the next one is fetched, the last stays. */
export function useDebugView(request: ReplayRequest, position: number, isOpen: boolean): UseQueryResult<DebugView> {
  const { replayer } = useServices();
  return useQuery({
    queryKey: ['debug', request, position],
    queryFn: async ({ signal }) => valueOrThrow(await replayer.call('debugAt', [request, position], { signal })),
    enabled: isOpen,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
}

/** Where the next one of some kind is; undefined when there is none. Rejects with a sentence. */
export function useDebugSearch(request: ReplayRequest): (search: DebugSearch) => Promise<number | undefined> {
  const { replayer } = useServices();
  return useCallback(
    async (search) => valueOrThrow(await replayer.call('debugFind', [request, search])),
    [replayer, request],
  );
}
