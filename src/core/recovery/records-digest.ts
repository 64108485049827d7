/**
 * What a result stands on, as a digest: the same records give the same one, however they were filed, packed or ordered (R130).
 *
 * Invariant: the verdicts of producers are not among the records, as nothing here rests on them, and neither is where a record stood. A
 * redacted copy holds other records and has a digest of its own: a result that was computed from the copy names the copy.
 */
import { sha256Hex } from '../base/hash.ts';
import { canon, type HindcastEvent } from '../model/index.ts';
import { toRecorded } from './same-record.ts';

/** `sha256:` and 64 hex digits, over the canonical forms (RFC 8785) of the records in the order of their code units, one a line. */
export function computeRecordsDigest(events: readonly HindcastEvent[]): string {
  return textsToDigest(events.map((event) => canon(toRecorded(event))));
}

/** Of several trials: over their digests, in the same way. */
export function joinRecordsDigests(digests: readonly string[]): string {
  return textsToDigest(digests);
}

function textsToDigest(texts: readonly string[]): string {
  return `sha256:${sha256Hex([...texts].sort().join('\n'))}`;
}
