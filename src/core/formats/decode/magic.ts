/**
 * What a file is packed as, told by its first bytes and never by its name.
 *
 * Owns the list of signatures: those that the decoder opens, and those it knows only to say a helpful sentence about.
 */
import { binarySentence } from './binary-kinds.ts';

export type Packing = 'plain' | 'gzip' | 'zstd';

/** Bytes needed to tell. */
export const magicLength = 64;

export function bytesToPacking(head: Uint8Array): Packing {
  if (startsWith(head, [0x1f, 0x8b, 0x08])) return 'gzip';
  if (startsWith(head, [0x28, 0xb5, 0x2f, 0xfd]) || isSkippableZstdFrame(head)) return 'zstd';
  return 'plain';
}

function isSkippableZstdFrame(head: Uint8Array): boolean {
  const first = head[0] ?? 0;
  return first >= 0x50 && first <= 0x5f && startsWith(head.subarray(1), [0x2a, 0x4d, 0x18]);
}

interface KnownContainer {
  readonly bytes: readonly number[];
  readonly sentence: string;
}

const unpackFirst = 'Unpack it and open the files inside.';

/** Containers that are not opened here, each with what to do. */
const containers: readonly KnownContainer[] = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], sentence: `It is a zip archive. ${unpackFirst}` },
  { bytes: [0x50, 0x4b, 0x05, 0x06], sentence: 'It is a zip archive with nothing in it.' },
  {
    bytes: [0x48, 0x43, 0x53, 0x48, 0x41, 0x52, 0x45],
    sentence:
      'It is an encrypted Hindcast share. Open it with the link that came with it, or at #share-file of this page with its passphrase.',
  },
  { bytes: [0x42, 0x5a, 0x68], sentence: `It is packed with bzip2. ${unpackFirst}` },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], sentence: `It is packed with xz. ${unpackFirst}` },
  { bytes: [0x04, 0x22, 0x4d, 0x18], sentence: `It is packed with lz4. ${unpackFirst}` },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], sentence: `It is a 7-Zip archive. ${unpackFirst}` },
  { bytes: [0x52, 0x61, 0x72, 0x21], sentence: `It is a RAR archive. ${unpackFirst}` },
  {
    bytes: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66],
    sentence: 'It is an SQLite database. Export the trace from the program that wrote it.',
  },
  {
    bytes: [0x50, 0x41, 0x52, 0x31],
    sentence: 'It is a Parquet table. Convert it to JSON lines first.',
  },
  { bytes: [0x25, 0x50, 0x44, 0x46], sentence: 'It is a PDF document, not a trace.' },
  { bytes: [0x89, 0x50, 0x4e, 0x47], sentence: 'It is a PNG picture, not a trace.' },
  { bytes: [0xff, 0xd8, 0xff], sentence: 'It is a JPEG picture, not a trace.' },
  { bytes: [0x7f, 0x45, 0x4c, 0x46], sentence: 'It is a program, not a trace.' },
];

/** A sentence about a container that is not opened here; undefined for everything else. */
export function unopenedContainer(head: Uint8Array): string | undefined {
  return containers.find((container) => startsWith(head, container.bytes))?.sentence ?? binarySentence(head);
}

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** UTF-16 and UTF-32 by their byte order marks, or by zero bytes at every other place of the beginning, or at three of four. */
export function bytesToEncoding(head: Uint8Array): TextEncoding {
  const wide = bytesToUtf32(head);
  if (wide !== undefined) return wide;
  if (startsWith(head, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(head, [0xfe, 0xff])) return 'utf-16be';
  let even = 0;
  let odd = 0;
  const end = Math.min(head.length, magicLength) & ~1;
  if (end < 4) return 'utf-8';
  for (let i = 0; i < end; i += 2) {
    if (head[i] === 0) even++;
    if (head[i + 1] === 0) odd++;
  }
  // JSON is mostly ASCII even around other scripts; a zero in the other byte is rare but legal.
  const most = end * 0.3;
  const few = end * 0.05;
  if (odd >= most && even <= few) return 'utf-16le';
  if (even >= most && odd <= few) return 'utf-16be';
  return 'utf-8';
}

/** By its mark, or because every four bytes of the beginning are the number of a character, which no other text is. */
function bytesToUtf32(head: Uint8Array): TextEncoding | undefined {
  if (startsWith(head, [0xff, 0xfe, 0, 0])) return 'utf-32le';
  if (startsWith(head, [0, 0, 0xfe, 0xff])) return 'utf-32be';
  const end = Math.min(head.length, magicLength) & ~3;
  if (end < 8) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, end);
  let little = true;
  let big = true;
  for (let i = 0; i < end; i += 4) {
    little &&= isCharacter(view.getUint32(i, true));
    big &&= isCharacter(view.getUint32(i, false));
  }
  if (little === big) return undefined;
  return little ? 'utf-32le' : 'utf-32be';
}

function isCharacter(number: number): boolean {
  return number > 0 && number <= 0x10ffff;
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return bytes.length >= signature.length && signature.every((byte, i) => bytes[i] === byte);
}
