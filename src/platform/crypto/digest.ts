/**
 * SHA-256 of large byte chunks, by the host where it may (much faster, off this thread), else by the pure function of the core.
 */
import { sha256Hex } from '../../core/base/hash.ts';

/** 64 lowercase hex digits. Outside a secure context the host has no `subtle`. */
export async function computeSha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const host: Partial<Pick<Crypto, 'subtle'>> = globalThis.crypto;
  if (host.subtle === undefined) return sha256Hex(bytes);
  const digest = new Uint8Array(await host.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A name that nothing else has: 128 random bits as hex. Works outside secure contexts, where `randomUUID` is missing. */
export function createRandomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
