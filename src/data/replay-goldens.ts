/**
 * Golden cases: those in the library, what could be pinned of a branch, and the acts on them.
 */
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { GoldenCase, GoldenPinAsk, GoldenPlace, GoldenProposal, OpenedFile } from '../platform/workers/index.ts';
import { valueOrThrow } from './failure.ts';
import { keys } from './keys.ts';
import { useServices } from './services.ts';
import { libraryChanged } from './traces.ts';

/** Newest first. */
export function useGoldens(): UseQueryResult<readonly GoldenCase[]> {
  const { replayer } = useServices();
  return useQuery({ queryKey: keys.goldens, queryFn: () => replayer.call('goldens', []) });
}

/** What holds in an unedited replay of a run or branch; without a place nothing is asked. */
export function useGoldenProposal(place: GoldenPlace | undefined): UseQueryResult<GoldenProposal> {
  const { replayer } = useServices();
  return useQuery({
    queryKey: ['asked', place?.trace, 'golden proposal', place],
    queryFn: async () => {
      if (place === undefined) throw new Error('a proposal needs a place');
      return valueOrThrow(await replayer.call('goldenPropose', [place]));
    },
    enabled: place !== undefined,
    retry: false,
  });
}

/** Each rejects with a sentence. */
interface GoldenActs {
  readonly pin: (ask: GoldenPinAsk) => Promise<GoldenCase>;
  readonly remove: (golden: GoldenCase) => Promise<void>;
  /** One archive of folders fit for a repository. */
  readonly exportFile: (cases: readonly GoldenCase[]) => Promise<Blob>;
  /** Takes cases from files: their records become traces of the library. */
  readonly bring: (files: readonly OpenedFile[]) => Promise<readonly GoldenCase[]>;
}

export function useGoldenActs(): GoldenActs {
  const services = useServices();
  const client = useQueryClient();
  return useMemo(() => {
    const { replayer, importer } = services;
    const changed = (): Promise<void> => libraryChanged(client, services);
    return {
      async pin(ask) {
        const made = valueOrThrow(await replayer.call('goldenPin', [ask]));
        await changed();
        return made;
      },
      async remove(golden) {
        await replayer.call('goldenRemove', [golden]);
        await changed();
      },
      async exportFile(cases) {
        const file = valueOrThrow(await replayer.call('goldenExport', [cases]));
        await client.invalidateQueries({ queryKey: keys.log });
        return file;
      },
      async bring(files) {
        const read = valueOrThrow(await replayer.call('goldenRead', [files]));
        const made: GoldenCase[] = [];
        try {
          for (const { golden, stream } of read) {
            const request = {
              files: [{ path: `${golden.name}.hindcast.jsonl`, blob: stream }],
              name: `${golden.name} (golden case)`,
              origin: 'opened',
            } as const;
            const { trace } = valueOrThrow(await importer.call('import', [request]));
            made.push(await replayer.call('goldenAdd', [golden, trace]));
          }
        } finally {
          // The cases before one that fails are in the library.
          await changed();
        }
        return made;
      },
    };
  }, [services, client]);
}
