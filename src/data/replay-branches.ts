/**
 * Branches that replays made: their names, two beside each other, one as a file.
 */
import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ComparedSides } from '../core/compare/index.ts';
import type { TraceId } from '../platform/storage/index.ts';
import type { BranchPlace } from '../platform/workers/index.ts';
import type { BranchLines } from './branch-groups.ts';
import { valueOrThrow } from './failure.ts';
import { keys } from './keys.ts';
import { useServices } from './services.ts';
import { libraryChanged } from './traces.ts';

/** What a person called branches of a trace, by id; only those that were named. */
export function useBranchNames(trace: TraceId): UseQueryResult<Readonly<Record<string, string>>> {
  const { library } = useServices();
  return useQuery({
    queryKey: keys.branchNames(trace),
    queryFn: ({ signal }) => library.call('branchNames', [trace], { signal }),
  });
}

/**
 * Which branches are stops of one replay that was continued. The rules are loaded when they are first needed; asked of what was stored
 * here, for a branch that came with the file continues nothing that could be known.
 */
export function useBranchLines(trace: TraceId, isWanted = true): UseQueryResult<BranchLines> {
  const { library } = useServices();
  return useQuery({
    queryKey: keys.branchLines(trace),
    queryFn: async ({ signal }) => {
      const [{ recordsToLines }, records] = await Promise.all([
        import('./branch-groups.ts'),
        library.call('branches', [trace], { signal }),
      ]);
      return recordsToLines(records, trace);
    },
    enabled: isWanted,
  });
}

/** An empty name takes the given one away. */
export function useRenameBranch(): UseMutationResult<
  undefined,
  Error,
  { trace: TraceId; branch: string; name: string }
> {
  const services = useServices();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ trace, branch, name }) =>
      valueOrThrow(await services.library.call('renameBranch', [trace, branch, name])),
    onSuccess: () => libraryChanged(client, services),
  });
}

/** Two branches or runs, aligned by command. */
export function useComparedSides(
  here: BranchPlace | undefined,
  there: BranchPlace | undefined,
): UseQueryResult<ComparedSides> {
  const { replayer } = useServices();
  return useQuery({
    queryKey: ['asked', here?.trace, 'compare', here, there],
    queryFn: async () => {
      if (here === undefined || there === undefined) throw new Error('a comparison needs two sides');
      return valueOrThrow(await replayer.call('compare', [here, there]));
    },
    enabled: here !== undefined && there !== undefined,
    retry: false,
  });
}

/** The branch with its parents, as a stream that opens by itself. Rejects with a sentence. */
export function useBranchFile(): (place: BranchPlace) => Promise<Blob> {
  const { replayer } = useServices();
  const client = useQueryClient();
  return async (place) => {
    const file = valueOrThrow(await replayer.call('branchFile', [place]));
    await client.invalidateQueries({ queryKey: keys.log });
    return file;
  };
}
