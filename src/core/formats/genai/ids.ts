/**
 * Ids of traces and spans in the shape of W3C, from every way in which they are written: hexadecimal in either case, with `0x`, as a
 * UUID, base64 of the bytes, short ones of 64 bits, and texts that are none of these.
 */
import { sha256Hex } from '../../base/hash.ts';
import { base64ToBytes } from '../../base/base64.ts';
import type { AssumptionCode } from './record.ts';

interface ReadId {
  readonly id: string;
  readonly assumed: AssumptionCode | undefined;
}

/** 32 hex digits; undefined where there is no id: absent, empty or all zero. */
export function toTraceId(text: string | undefined): ReadId | undefined {
  const hex = toHex(text, 16);
  if (hex === undefined || text === undefined) return undefined;
  if (/^0*$/.test(hex)) return hex === '' ? odd(text, 32) : undefined;
  if (hex.length === 32) return { id: hex, assumed: undefined };
  if (hex.length < 32) return { id: hex.padStart(32, '0'), assumed: 'short-trace-id' };
  return odd(text, 32);
}

/** 16 hex digits; undefined where there is no id. */
export function toSpanId(text: string | undefined): ReadId | undefined {
  const hex = toHex(text, 8);
  if (hex === undefined || text === undefined) return undefined;
  if (/^0*$/.test(hex)) return hex === '' ? odd(text, 16) : undefined;
  if (hex.length <= 16) return { id: hex.padStart(16, '0'), assumed: undefined };
  return odd(text, 16);
}

/** Ids that are made of other texts: the same text gives the same id (rules `odd-id` and those that name it). */
export function textToTraceId(text: string): string {
  return sha256Hex(text).slice(0, 32);
}

export function textToSpanId(text: string): string {
  return sha256Hex(text).slice(0, 16);
}

function odd(text: string, digits: number): ReadId {
  return { id: sha256Hex(text).slice(0, digits), assumed: 'odd-id' };
}

/** Lower-case hex digits; an empty text where the id is none; undefined where there is no id. */
function toHex(text: string | undefined, bytes: number): string | undefined {
  if (text === undefined || text === '') return undefined;
  const plain = text.toLowerCase().replace(/^0x/, '');
  if (/^[0-9a-f]+$/.test(plain)) return plain;
  const uuid = plain.replaceAll('-', '');
  if (uuid.length === 32 && /^[0-9a-f]+$/.test(uuid)) return uuid;
  const decoded = /[=+/A-Z]/.test(text) || text.length === Math.ceil((bytes * 4) / 3) ? base64ToBytes(text) : undefined;
  if (decoded?.length !== bytes) return '';
  return Array.from(decoded, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
