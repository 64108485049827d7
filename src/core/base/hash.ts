/**
 * SHA-256 for digests. Synchronous and free of the host, so that core functions stay pure in page, worker and Node alike.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { shortTextToSha256Hex } from './sha256.ts';

const encoder = new TextEncoder();

export function textToUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** 64 lowercase hex digits of SHA-256 over the bytes, or over the UTF-8 of the text. */
export function sha256Hex(content: string | Uint8Array): string {
  if (typeof content !== 'string') return bytesToHex(sha256(content));
  return shortTextToSha256Hex(content) ?? bytesToHex(sha256(encoder.encode(content)));
}

const beyondAscii = /[^\0-\u007f]/;

/** Length in bytes of the UTF-8 of `text`; lone surrogates count as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  if (!beyondAscii.test(text)) return text.length;
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c < 0x80) bytes += 1;
    else if (c < 0x800) bytes += 2;
    else if (c >= 0xd800 && c < 0xdc00 && isLow(text.charCodeAt(i + 1))) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}

function isLow(c: number): boolean {
  return c >= 0xdc00 && c < 0xe000;
}
