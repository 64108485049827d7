/**
 * A live model call for a replay: one request to the endpoint a person configured, after they confirmed its exact origin and what is sent.
 *
 * Invariant: the act is in the access log before anything is sent; the key is in the request alone. Tools and effects are never called.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import {
  type LiveAnswer,
  type LiveEndpoint,
  type LiveMessage,
  createLiveRequest,
  readAnswer,
  refusalToText,
} from '../core/live/index.ts';
import type { TraceId } from '../platform/storage/index.ts';
import { DataError } from './failure.ts';
import { keys } from './keys.ts';
import { useServices } from './services.ts';

interface LiveAsk {
  readonly trace: TraceId;
  /** The command that waits. */
  readonly path: string;
  readonly endpoint: LiveEndpoint;
  readonly messages: readonly LiveMessage[];
  readonly key: string;
}

/** Rejects with a sentence. */
export function useAskModel(): (ask: LiveAsk, signal: AbortSignal) => Promise<LiveAnswer> {
  const { foreign, library } = useServices();
  const client = useQueryClient();
  return useCallback(
    async ({ trace, path, endpoint, messages, key }, signal) => {
      const { url, headers, body } = createLiveRequest(endpoint, messages, key);
      const text = JSON.stringify(body);
      const { origin } = new URL(url);
      const detail = `Asked ${endpoint.model} at ${origin} after confirmation, for ${path}: ${text.length} characters sent.`;
      await library.call('record', [{ what: 'fetch', detail, trace }]);
      await client.invalidateQueries({ queryKey: keys.log });
      const answer = await foreign.post(url, { headers, body: text }, { signal });
      if (!answer.ok) {
        const { code, message, body: said } = answer.error;
        const why = said === undefined ? undefined : refusalToText(said);
        throw new DataError(code, why === undefined ? message : `${message} It says: ${why}`);
      }
      const read = readAnswer(endpoint.api, await answer.value.text());
      if (!read.ok) throw new DataError('http', `${origin} answered, and the answer cannot be used: ${read.error}`);
      return read.value;
    },
    [foreign, library, client],
  );
}
