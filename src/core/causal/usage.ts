/**
 * The tokens of a model call, by kind, as its record counts them.
 *
 * Invariant: no token counts twice. Most sources count what came from a cache within the input; a record says `input_excludes_cache` where
 * its source counts it beside the input, and only there it is added. Read by the column of amounts and by the titles.
 */
import type { JsonObject } from '../base/json.ts';
import { memberOf, numberOf } from './payload.ts';

interface TokenCounts {
  readonly input: number | undefined;
  readonly output: number | undefined;
  /** Input written to a cache and read from one, where `input` does not hold them. */
  readonly toCache: number | undefined;
  readonly fromCache: number | undefined;
}

/** From the payload of a model call. */
export function payloadToTokens(data: JsonObject): TokenCounts {
  const usage = memberOf(data, 'usage');
  const isApart = memberOf(usage, 'input_excludes_cache') === true;
  const countOf = (name: string): number | undefined => numberOf(memberOf(usage, name));
  return {
    input: countOf('input_tokens'),
    output: countOf('output_tokens'),
    toCache: isApart ? countOf('cache_creation_input_tokens') : undefined,
    fromCache: isApart ? countOf('cache_read_input_tokens') : undefined,
  };
}

/** All that went in and came out; undefined where nothing was counted. */
export function sumTokens({ input, output, toCache, fromCache }: TokenCounts): number | undefined {
  const counts = [input, output, toCache, fromCache].filter((count) => count !== undefined);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}
