/**
 * Identities and their shapes. Each brand is made in one place, by a function that checks the shape or knows it by construction.
 */
import type { Brand } from '../base/brand.ts';

export type EventId = Brand<string, 'EventId'>;
/** W3C trace-id: 32 lowercase hex digits, not all zero. */
export type RunId = Brand<string, 'RunId'>;
/** W3C parent-id: 16 lowercase hex digits, not all zero. */
export type SpanId = Brand<string, 'SpanId'>;
export type BranchId = Brand<string, 'BranchId'>;
/** Identity of a command of control code: scope path `/` kind `:` name and key or count. */
export type CommandPath = Brand<string, 'CommandPath'>;
/** `sha256:` and 64 lowercase hex digits. */
export type Digest = Brand<string, 'Digest'>;

/** The branch that was recorded; shown as "original". */
export const mainBranch = branchId('main');

export function isRunId(text: string): text is RunId {
  return /^[0-9a-f]{32}$/.test(text) && !/^0+$/.test(text);
}

export function isSpanId(text: string): text is SpanId {
  return /^[0-9a-f]{16}$/.test(text) && !/^0+$/.test(text);
}

export function isDigest(text: string): text is Digest {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

// The casts below are the brand factories: any non-empty text is an event id, a branch id or a path.
export function eventId(text: string): EventId {
  return text as EventId;
}

export function branchId(text: string): BranchId {
  return text as BranchId;
}

export function commandPath(text: string): CommandPath {
  return text as CommandPath;
}

/** `hex` is the output of a SHA-256 function. */
export function digestOfHex(hex: string): Digest {
  return `sha256:${hex}` as Digest;
}
