/**
 * Editing and replaying: what would fall, what did, and the branches that came of it.
 *
 * Invariant: a replay that made a branch has stored it before its result is shown, and every answer about that trace is asked anew.
 */
import { type QueryClient, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { BranchRecord, TraceId } from '../platform/storage/index.ts';
import type { Preview, ReplayFailure, ReplayProgress, ReplayReport, ReplayRequest } from '../platform/workers/index.ts';
import { valueOrThrow } from './failure.ts';
import { keys } from './keys.ts';
import { type Services, useServices } from './services.ts';
import { libraryChanged } from './traces.ts';

/** The branches made by replays; the original is not among them. */
export function useBranches(trace: TraceId): UseQueryResult<readonly BranchRecord[]> {
  const { library } = useServices();
  return useQuery({
    queryKey: keys.branches(trace),
    queryFn: ({ signal }) => library.call('branches', [trace], { signal }),
  });
}

/** What an edit would make fall, without running code. Without a request nothing is asked. */
export function usePreview(request: ReplayRequest | undefined): UseQueryResult<Preview> {
  const { replayer } = useServices();
  return useQuery({
    queryKey: keys.preview(request),
    queryFn: async ({ signal }) => {
      if (request === undefined) throw new Error('a preview needs a request');
      return valueOrThrow(await replayer.call('preview', [request], { signal }));
    },
    enabled: request !== undefined,
  });
}

export type ReplayState =
  | { readonly status: 'idle' }
  | { readonly status: 'running'; readonly request: ReplayRequest; readonly progress: ReplayProgress }
  | { readonly status: 'done'; readonly request: ReplayRequest; readonly report: ReplayReport }
  | { readonly status: 'failed'; readonly request: ReplayRequest; readonly failure: ReplayFailure };

export interface ReplayControl {
  readonly state: ReplayState;
  /** Resolves with the report, or undefined when it failed or was cancelled. Ends a replay that runs. */
  readonly run: (request: ReplayRequest) => Promise<ReplayReport | undefined>;
  readonly cancel: () => void;
  readonly dismiss: () => void;
}

export function useReplay(): ReplayControl {
  const services = useServices();
  const client = useQueryClient();
  const [state, setState] = useState<ReplayState>({ status: 'idle' });
  const running = useRef<AbortController>(undefined);
  // Ends the program in the sandbox when the view goes away.
  useEffect(() => () => running.current?.abort(), []);

  const run = useCallback(
    async (request: ReplayRequest) => {
      running.current?.abort();
      const own = new AbortController();
      running.current = own;
      setState({ status: 'running', request, progress: { commands: 0 } });
      const next = await replayToState(services, client, request, own.signal, (progress) =>
        setState({ status: 'running', request, progress }),
      );
      if (own.signal.aborted) return undefined;
      setState(next);
      return next.status === 'done' ? next.report : undefined;
    },
    [services, client],
  );
  const cancel = useCallback(() => {
    running.current?.abort();
    setState({ status: 'idle' });
  }, []);
  const dismiss = useCallback(() => setState((now) => (now.status === 'running' ? now : { status: 'idle' })), []);
  return { state, run, cancel, dismiss };
}

async function replayToState(
  services: Services,
  client: QueryClient,
  request: ReplayRequest,
  signal: AbortSignal,
  onProgress: (progress: ReplayProgress) => void,
): Promise<ReplayState> {
  try {
    const result = await services.replayer.call('replay', [request], { signal, onProgress });
    if (!result.ok) return { status: 'failed', request, failure: result.error };
    await client.invalidateQueries({ queryKey: keys.asked(request.trace) });
    await libraryChanged(client, services);
    return { status: 'done', request, report: result.value };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { status: 'failed', request, failure: { code: 'died', message } };
  }
}
