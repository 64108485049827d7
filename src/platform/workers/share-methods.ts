/**
 * What the library worker offers for shares: making a copy of an opened trace, and holding a received copy in memory.
 *
 * A held copy is never stored: it lives in the worker until the page goes, so a reviewer's browser keeps nothing.
 */
import type { Result } from '../../core/base/result.ts';
import type { BranchId, EventId } from '../../core/model/index.ts';
import type { ClassCount, Hole, RedactionPolicy } from '../../core/redaction/index.ts';
import type { SharePayload, ShareScope } from '../../core/share/index.ts';
import type { TraceId } from '../storage/index.ts';

export interface ShareRequest {
  readonly trace: TraceId;
  readonly branch: BranchId;
  readonly scope: ShareScope;
  readonly policy: RedactionPolicy;
  readonly title: string;
  readonly note?: string | undefined;
  readonly expires?: string | undefined;
  readonly event?: EventId | undefined;
}

export interface MadeShare {
  /** The very bytes that are encrypted when the person sends them (core/share/payload.ts). */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly events: number;
  readonly omitted: number;
  readonly lacking: number;
  readonly chosen?: number | undefined;
  readonly holes: readonly Hole[];
  readonly leaves: readonly ClassCount[];
  /** The text of the stream that leaves, for searching in it. */
  readonly text: string;
  /** What leaves around it: title, note, and what the reviewer sees first. */
  readonly around: readonly string[];
}

/** The last day, in UTC; or what stands in its place and is no time. */
export type LastDay = { readonly day: string } | { readonly unread: string };

export interface HeldCopy {
  readonly trace: TraceId;
  readonly title: string;
  readonly note?: string | undefined;
  readonly expires?: LastDay | undefined;
  /** The stream says that it is a redacted copy; without that nothing is known to be withheld. */
  readonly isDeclared: boolean;
  readonly view?: SharePayload['view'];
  readonly events: number;
  readonly holes: number;
  readonly omitted: number;
  /** Those of them that the branch which is shown first lacks. */
  readonly lacking: number;
}

interface Call<Args extends readonly unknown[], Value> {
  readonly args: Args;
  readonly value: Value;
  readonly progress: undefined;
}

export interface ShareMethods {
  readonly makeShare: Call<readonly [request: ShareRequest], Result<MadeShare, string>>;
  /** `bytes` are a decrypted payload. */
  readonly holdCopy: Call<readonly [bytes: Uint8Array<ArrayBuffer>], Result<HeldCopy, string>>;
}
