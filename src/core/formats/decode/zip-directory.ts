/**
 * The directory of a zip archive: which files are in it, where, and how each is packed. Zip64 and archives behind other data included.
 *
 * The directory at the end is the truth; where it is missing because the file was cut off, the headers in front of the members are
 * followed as far as they go. Only reads what it is asked for: an archive of gigabytes costs its directory.
 */
import { type Result, err, ok } from '../../base/result.ts';
import { decodeText } from './text.ts';

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly encrypted: boolean;
  readonly packedSize: number;
  readonly size: number;
  readonly crc: number;
  /** Of its header, from the beginning of the file. */
  readonly offset: number;
}

export interface ZipDirectory {
  readonly entries: readonly ZipEntry[];
  /** True when the directory is missing and the members were found one after another. */
  readonly isCut: boolean;
  /** Bytes after its end that are no part of it. */
  readonly behind: number;
}

export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;

const endSize = 22;
const maxComment = 65_535;
const maxDirectory = 256 * 2 ** 20;
const maxEntries = 500_000;

export async function readZipDirectory(size: number, read: ReadBytes): Promise<Result<ZipDirectory, string>> {
  const tailStart = Math.max(0, size - endSize - maxComment);
  const tail = await read(tailStart, size);
  const at = findEnd(tail);
  if (at < 0) return ok({ entries: await walkMembers(size, read), isCut: true, behind: 0 });
  const end = await toDirectoryEnd(view(tail, at), tailStart + at, read);
  if (end === undefined) return err('its directory of 64-bit sizes cannot be read');
  if (end.size > maxDirectory || end.count > maxEntries) return err(`it says that it holds ${end.count} files`);
  const start = end.at - end.size;
  if (start < 0) return err('its directory does not fit into it');
  const bytes = await read(start, end.at);
  // Data in front of the archive moves every offset by the same distance.
  const entries = readEntries(bytes, start - end.offset);
  const comment = view(tail, at).getUint16(20, true);
  const behind = Math.max(0, tail.length - at - endSize - comment);
  return entries.ok ? ok({ entries: entries.value, isCut: false, behind }) : entries;
}

function view(bytes: Uint8Array, at = 0): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at);
}

function findEnd(tail: Uint8Array): number {
  for (let i = tail.length - endSize; i >= 0; i--) {
    if (tail[i] === 0x50 && tail[i + 1] === 0x4b && tail[i + 2] === 5 && tail[i + 3] === 6) return i;
  }
  return -1;
}

interface DirectoryEnd {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
  /** Where the directory ends in the file. */
  readonly at: number;
}

const all16 = 0xffff;
const all32 = 0xffffffff;

async function toDirectoryEnd(end: DataView, at: number, read: ReadBytes): Promise<DirectoryEnd | undefined> {
  const count = end.getUint16(10, true);
  const size = end.getUint32(12, true);
  const offset = end.getUint32(16, true);
  if (count !== all16 && size !== all32 && offset !== all32) return { count, size, offset, at };
  if (at < 20) return undefined;
  const locator = view(await read(at - 20, at));
  if (locator.getUint32(0, true) !== 0x07064b50) return { count, size, offset, at };
  const large = Number(locator.getBigUint64(8, true));
  if (large + 56 > at) return undefined;
  const record = view(await read(large, large + 56));
  if (record.getUint32(0, true) !== 0x06064b50) return undefined;
  return {
    count: Number(record.getBigUint64(32, true)),
    size: Number(record.getBigUint64(40, true)),
    offset: Number(record.getBigUint64(48, true)),
    at: large,
  };
}

function readEntries(bytes: Uint8Array, moved: number): Result<readonly ZipEntry[], string> {
  const entries: ZipEntry[] = [];
  const data = view(bytes);
  let at = 0;
  while (at + 46 <= bytes.length && data.getUint32(at, true) === 0x02014b50) {
    const nameLength = data.getUint16(at + 28, true);
    const extraLength = data.getUint16(at + 30, true);
    const next = at + 46 + nameLength + extraLength + data.getUint16(at + 32, true);
    if (next > bytes.length) return err('its directory is cut off');
    const sizes = [24, 20, 42].map((field) => data.getUint32(at + field, true));
    const extra = view(bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength));
    const [size = 0, packedSize = 0, offset = 0] = withLargeSizes(sizes, extra);
    entries.push({
      name: decodeText(bytes.subarray(at + 46, at + 46 + nameLength)).text,
      method: data.getUint16(at + 10, true),
      encrypted: (data.getUint16(at + 8, true) & 1) === 1,
      crc: data.getUint32(at + 16, true),
      size,
      packedSize,
      offset: offset + moved,
    });
    at = next;
  }
  return at === bytes.length ? ok(entries) : err('its directory is damaged');
}

/** Sizes that do not fit 32 bits stand in an extra field, in the order of those that do not fit. */
function withLargeSizes(sizes: readonly number[], extra: DataView): readonly number[] {
  if (!sizes.includes(all32)) return sizes;
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) !== 1) continue;
    let from = at + 4;
    return sizes.map((size) => {
      if (size !== all32 || from + 8 > extra.byteLength) return size;
      from += 8;
      return Number(extra.getBigUint64(from - 8, true));
    });
  }
  return sizes;
}

/** Members one after another, as long as each says how long it is. */
async function walkMembers(size: number, read: ReadBytes): Promise<readonly ZipEntry[]> {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + 30 <= size && entries.length < maxEntries) {
    const header = view(await read(at, Math.min(size, at + 30)));
    if (header.getUint32(0, true) !== 0x04034b50) break;
    const nameEnd = at + 30 + header.getUint16(26, true);
    const start = nameEnd + header.getUint16(28, true);
    const flags = header.getUint16(6, true);
    const packedSize = header.getUint32(18, true);
    // Sizes behind the member (flag 3) cannot be known here, and those of 64 bits are not worth it in a damaged file.
    if ((flags & 8) !== 0 || packedSize === all32 || start + packedSize > size) break;
    entries.push({
      name: decodeText(await read(at + 30, nameEnd)).text,
      method: header.getUint16(8, true),
      encrypted: (flags & 1) === 1,
      crc: header.getUint32(14, true),
      size: header.getUint32(22, true),
      packedSize,
      offset: at,
    });
    at = start + packedSize;
  }
  return entries;
}
