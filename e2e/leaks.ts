/**
 * Looks for planted texts in what left a machine or stayed on one: in plain, in the forms that texts travel in, and inside of packed bytes.
 *
 * Invariant: what is looked into is never trusted to say what it is. Bytes are read as text of either width and unpacked wherever a packed
 * stream may begin, and texts that may be base64 are read as bytes again. Called by the flows of sharing.
 */
import { constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/** Something read: a text, or bytes of any kind. */
export type Piece = string | Uint8Array;

/** How deep packed is looked for in packed. */
const mostLayers = 3;

/** A shorter text is met by chance in what looks random: such a one is looked for as written only. */
const fewestEncoded = 6;

const lenient = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 256 * 2 ** 20 } as const;

/** The planted texts that occur, in the order given. */
export function findLeaks(pieces: readonly Piece[], canaries: readonly string[]): readonly string[] {
  const patterns = canaries.map((canary) => [canary, new RegExp(canaryToForms(canary).join('|'), 'i')] as const);
  const found = new Set<string>();
  for (const piece of pieces) {
    for (const text of typeof piece === 'string' ? textToTexts(piece, 0) : bytesToTexts(Buffer.from(piece), 0))
      for (const [canary, pattern] of patterns) if (!found.has(canary) && pattern.test(text)) found.add(canary);
  }
  return canaries.filter((canary) => found.has(canary));
}

/** What may be looked for in ciphertext: what chance does not write there. */
export function withoutShort(canaries: readonly string[]): readonly string[] {
  return canaries.filter(({ length }) => length >= fewestEncoded);
}

/** Sources of patterns: as written, not within a number or an id; and as JSON, an address, hex and base64 write it. */
function canaryToForms(canary: string): readonly string[] {
  const plain = `(?<![0-9a-f]|\\d\\.)${escapePattern(canary)}(?![0-9a-f])`;
  if (canary.length < fewestEncoded) return [plain];
  const bytes = Buffer.from(canary);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  return [
    plain,
    hex.map((byte) => `\\\\u00${byte}`).join(''),
    hex.map((byte) => `%${byte}`).join(''),
    escapePattern(encodeURIComponent(canary)),
    hex.join('[ :,]?'),
    ...[0, 1, 2].map((before) => bytesToBase64Core(bytes, before)),
  ];
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** The characters that stand in base64 whatever surrounds the bytes, where so many bytes of a group come before them. */
function bytesToBase64Core(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replaceAll('=', '');
  const core = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  return core.replaceAll('+', '[+-]').replaceAll('/', '[/_]');
}

function* textToTexts(text: string, layer: number): Generator<string> {
  yield text;
  if (layer === mostLayers) return;
  for (const [run] of text.matchAll(/[\w+/-]{24,}={0,2}/g)) {
    const bytes = Buffer.from(run, 'base64');
    if (findPacked(bytes).next().done !== true) yield* bytesToTexts(bytes, layer + 1);
  }
}

function* bytesToTexts(bytes: Buffer, layer: number): Generator<string> {
  yield* textToTexts(bytes.toString('utf8'), layer);
  for (const start of [0, 1]) yield bytes.subarray(start).toString('utf16le');
  if (layer === mostLayers) return;
  for (const unpacked of findPacked(bytes)) yield* bytesToTexts(unpacked, layer + 1);
  yield* unpackBlocks(bytes, layer);
}

/** Everything that unpacks from a place where gzip or zlib may begin. */
function* findPacked(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at + 2 < bytes.length; at++) {
    const isGzip = bytes[at] === 0x1f && bytes[at + 1] === 0x8b && bytes[at + 2] === 8;
    const isZlib = bytes[at] === 0x78 && bytes.readUInt16BE(at) % 31 === 0;
    if (!isGzip && !isZlib) continue;
    const unpacked = attempt(() => (isGzip ? gunzipSync : inflateSync)(bytes.subarray(at), lenient));
    if (unpacked !== undefined && unpacked.length > 0) yield unpacked;
  }
}

/** Bare deflate streams one behind the other, as the library keeps its chunks. */
function* unpackBlocks(bytes: Buffer, layer: number): Generator<string> {
  for (let at = 0; at < bytes.length;) {
    const rest = bytes.subarray(at);
    // With `info` Node also tells how much was read, which its types do not say.
    const out: unknown = attempt(() => inflateRawSync(rest, { ...lenient, info: true }));
    if (typeof out !== 'object' || out === null || !('buffer' in out) || !('engine' in out)) return;
    const { buffer, engine } = out;
    if (!Buffer.isBuffer(buffer) || typeof engine !== 'object' || engine === null || !('bytesWritten' in engine))
      return;
    yield* bytesToTexts(buffer, layer + 1);
    if (typeof engine.bytesWritten !== 'number' || engine.bytesWritten === 0) return;
    at += engine.bytesWritten;
  }
}

/** Undefined where the bytes are not what was tried. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
