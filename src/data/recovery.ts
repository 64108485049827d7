/**
 * Recovery trials in traces of the library, judged together.
 *
 * A trace is named by its content, so an answer stays true; the key holds the traces and the text of the claim.
 */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { RecoveryAnswer, RecoveryRequest } from '../platform/workers/index.ts';
import { valueOrThrow } from './failure.ts';
import { keys } from './keys.ts';
import { useServices } from './services.ts';

/** Fails with code `claim` or `envelope`, and a sentence, where that text cannot be evaluated. */
export function useRecovery(request: RecoveryRequest | undefined): UseQueryResult<RecoveryAnswer> {
  const { library } = useServices();
  const asked = request ?? { traces: [] };
  return useQuery({
    queryKey: keys.recovery(asked),
    queryFn: async ({ signal }) => valueOrThrow(await library.call('recovery', [asked], { signal })),
    enabled: request !== undefined,
    placeholderData: keepPreviousData,
  });
}
