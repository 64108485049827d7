/**
 * Small archives of named texts: made, and read with a bound on what comes out. For files a person takes along, not for traces to open.
 */
import { strToU8, unzipSync, zipSync } from 'fflate';
import { type Result, err, ok } from '../../core/base/result.ts';

export interface NamedText {
  /** With `/` between folders. */
  readonly path: string;
  readonly text: string;
}

/** The earliest time an archive can tell: the same texts make the same bytes. */
const noTime = new Date(1980, 0, 1);

export function textsToZip(texts: readonly NamedText[]): Uint8Array<ArrayBuffer> {
  const files = Object.fromEntries(texts.map(({ path, text }) => [path, strToU8(text)]));
  return new Uint8Array(zipSync(files, { mtime: noTime }));
}

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

/** Unpacked size of all that is wanted. */
const mostUnpacked = 512 * 1024 * 1024;

export function zipToTexts(bytes: Uint8Array, wants: (path: string) => boolean): Result<readonly NamedText[], string> {
  const state = { unpacked: 0, isTooLarge: false };
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!wants(name)) return false;
        state.unpacked += originalSize;
        state.isTooLarge ||= state.unpacked > mostUnpacked;
        return !state.isTooLarge;
      },
    });
    if (state.isTooLarge)
      return err('The archive unpacks to more than 512 MB; unpack it and choose the files themselves.');
    const decoder = new TextDecoder();
    return ok(Object.entries(files).map(([path, data]) => ({ path, text: decoder.decode(data) })));
  } catch (error) {
    return err(`The archive cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
