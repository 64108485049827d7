/**
 * What a share carries before encryption, and its bytes.
 *
 * Layout of the plaintext: 4 bytes big-endian length, the deflated JSON, zero bytes up to a multiple of 256 so that the size of a
 * small share says little. The version stands inside; a payload from a newer version is refused with a sentence, old ones open for ever.
 */
import { deflateSync, Inflate } from 'fflate';
import { z } from 'zod';
import { textToUtf8 } from '../base/hash.ts';
import { issuesToText } from '../base/issues.ts';
import { type Result, err, ok } from '../base/result.ts';

export const shareVersion = 1;
const padding = 256;
/** A share that unpacks to more is refused: no honest share is larger, and a hostile one must not fill the memory. */
export const largestShare = 512 * 1024 * 1024;

const payloadSchema = z.looseObject({
  v: z.literal(shareVersion),
  kind: z.literal('hindcast-share'),
  title: z.string(),
  /** The redacted stream, newline-delimited; its first event declares the copy. */
  stream: z.string(),
  /** What the reviewer sees first, in the ids of the copy. */
  view: z
    .looseObject({ branch: z.string().optional(), event: z.string().optional(), view: z.string().optional() })
    .optional(),
  note: z.string().optional(),
  /** RFC 3339; after it the page refuses to show the copy: a courtesy, not a lock. */
  expires: z.string().optional(),
});

export type SharePayload = z.infer<typeof payloadSchema>;

export function encodePayload(payload: SharePayload): Uint8Array<ArrayBuffer> {
  const packed = deflateSync(textToUtf8(JSON.stringify(payload)), { level: 9 });
  const bytes = new Uint8Array(Math.ceil((packed.length + 4) / padding) * padding);
  new DataView(bytes.buffer).setUint32(0, packed.length);
  bytes.set(packed, 4);
  return bytes;
}

export function decodePayload(bytes: Uint8Array): Result<SharePayload, string> {
  if (bytes.length < 4) return err('The share is empty: it was cut on its way. Ask for the link or file again.');
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
  if (length > bytes.length - 4)
    return err('The share is cut: a part of it is missing. Ask for the link or file again.');
  const text = inflateText(bytes.subarray(4, 4 + length));
  if (!text.ok) return text;
  return parsePayload(text.value);
}

function parsePayload(text: string): Result<SharePayload, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return err('The share holds no readable content. Ask for the link or file again.');
  }
  const version = z.looseObject({ v: z.number(), kind: z.literal('hindcast-share') }).safeParse(value);
  if (version.success && version.data.v > shareVersion) {
    return err(
      `The share was made by a newer Hindcast (share version ${String(version.data.v)}; this page reads up to ${String(shareVersion)}). Open it with a newer page.`,
    );
  }
  const parsed = payloadSchema.safeParse(value);
  return parsed.success
    ? ok(parsed.data)
    : err(`Not a Hindcast share: ${issuesToText(parsed.error.issues)}. Ask the sender for it again.`);
}

function inflateText(packed: Uint8Array): Result<string, string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  let size = 0;
  const inflate = new Inflate((chunk) => {
    size += chunk.length;
    if (size > largestShare) throw new TooLarge();
    parts.push(decoder.decode(chunk, { stream: true }));
  });
  try {
    for (let at = 0; at < packed.length; at += 65_536) {
      inflate.push(packed.subarray(at, at + 65_536), at + 65_536 >= packed.length);
    }
    parts.push(decoder.decode());
  } catch (error) {
    if (error instanceof TooLarge) return err('The share unpacks to more than 512 MiB and was not opened.');
    return err('The share is damaged: its content cannot be unpacked. Ask for the link or file again.');
  }
  return ok(parts.join(''));
}

class TooLarge extends Error {}
