/**
 * The debugger of a replay: opened once, then asked by position. The worker keeps the replay; what was asked is kept here.
 */
import { type UseQueryResult, keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { DebugOverview, DebugSearch, DebugView, ReplayRequest } from '../platform/workers/replay-methods.ts';
import { valueOrThrow } from './failure.ts';
import { useServices } from './services.ts';

export type { DebugCommand, DebugStep } from '../core/replay/debug/steps.ts';
export type { DebugOverview, DebugSearch, DebugView } from '../platform/workers/replay-methods.ts';

/** Runs the replay again with a tape beside it. The worker stops it after the same patience as any replay. */
export function useDebugger(request: ReplayRequest): UseQueryResult<DebugOverview> {
  const { replayer } = useServices();
  return useQuery({
    queryKey: ['debug', request],
    queryFn: async ({ signal }) => valueOrThrow(await replayer.call('debugOpen', [request], { signal })),
    staleTime: Infinity,
    retry: false,
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
