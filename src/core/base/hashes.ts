/** Digests of other methods than ours, by their length: to find what somebody else's digest is of. Lowercase hexadecimal. */
import { md5, ripemd160, sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { sha3_256, sha3_512 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';

export { bytesToHex };

type Method = (bytes: Uint8Array) => Uint8Array;

const byLength: ReadonlyMap<number, readonly Method[]> = new Map([
  [32, [md5]],
  [40, [sha1, ripemd160]],
  [56, [sha224]],
  [64, [sha256, sha3_256]],
  [96, [sha384]],
  [128, [sha512, sha3_512]],
]);

/** The digests of the bytes that have one of the lengths, in hexadecimal digits. */
export function bytesToDigests(bytes: Uint8Array, lengths: Iterable<number>): readonly string[] {
  return [...lengths].flatMap((length) => (byLength.get(length) ?? []).map((method) => bytesToHex(method(bytes))));
}
