/**
 * How an encrypted share travels: in the fragment of a link, or as a file with a link that holds only the key.
 *
 * Fragments: `#share=1.KEY.SEALED` (everything in the link) and `#key=1.KEY` (the file comes apart); all base64url. Browsers never
 * send a fragment to a server. File: the 8 bytes `HCSHARE1`, a mode byte, for a passphrase 16 bytes of salt and 4 of iterations,
 * then the sealed bytes. Sealed: 12 bytes of nonce, then AES-256-GCM ciphertext with its tag.
 */
import { type Result, err, ok } from '../base/result.ts';

export interface ShareLink {
  readonly kind: 'share';
  readonly key: Uint8Array<ArrayBuffer>;
  readonly sealed: Uint8Array<ArrayBuffer>;
}

export interface KeyLink {
  readonly kind: 'key';
  readonly key: Uint8Array<ArrayBuffer>;
}

export type ShareFragment = ShareLink | KeyLink;

export interface ShareFile {
  readonly sealed: Uint8Array<ArrayBuffer>;
  /** Present when the key comes from a passphrase (PBKDF2-HMAC-SHA-256). */
  readonly passphrase?: { readonly salt: Uint8Array<ArrayBuffer>; readonly iterations: number } | undefined;
}

const linkVersion = 1;
const keyBytes = 32;
const magic = [72, 67, 83, 72, 65, 82, 69, 49];

export function shareToFragment(key: Uint8Array, sealed: Uint8Array): string {
  return `#share=${String(linkVersion)}.${bytesToBase64Url(key)}.${bytesToBase64Url(sealed)}`;
}

export function keyToFragment(key: Uint8Array): string {
  return `#key=${String(linkVersion)}.${bytesToBase64Url(key)}`;
}

/** Undefined: the fragment is no share. */
export function parseShareFragment(fragment: string): Result<ShareFragment | undefined, string> {
  const match = /^#(share|key)=(.*)$/is.exec(fragment);
  if (match === null) return ok(undefined);
  const [, kind = '', carried = ''] = match;
  const rest = toOneAlphabet(withoutWrapping(carried));
  const [version, keyText = '', sealedText = ''] = rest.split('.');
  if (!/^[1-9]\d{0,5}$/.test(version ?? ''))
    return err(
      `The link is damaged: where its version belongs stands no version that Hindcast ever gave. ${copyWhole}`,
    );
  if (Number(version) > linkVersion) {
    return err(
      `The link was made by a newer Hindcast (link version ${version ?? ''}; this page reads up to ${String(linkVersion)}). Open it with a newer page.`,
    );
  }
  const key = base64UrlToBytes(keyText);
  if (key?.length !== keyBytes) return err(`The link is damaged: its key is incomplete. ${copyWhole}`);
  if (kind.toLowerCase() === 'key') return ok({ kind: 'key', key });
  const sealed = base64UrlToBytes(sealedText);
  if (sealed === undefined || sealed.length < 28)
    return err(
      'The link is cut: a part of the share is missing. Some chat programs shorten long links; ask for the file instead.',
    );
  return ok({ kind: 'share', key, sealed });
}

/** What mail and chat programs put into a long link, or what stood around it, is no part of it: breaks, blanks, brackets, full stops. */
function withoutWrapping(text: string): string {
  const breaks = /[\s\u00ad\u200b]|%(?:0[9-d]|20|c2%a0|c2%ad|e2%80%8b)/gi;
  const whole = text.replaceAll(breaks, '');
  // From the end, one by one: see `withoutEnd`. A link is the sender's, and of any length.
  let end = whole.length;
  for (;;) {
    if (end > 0 && closing.includes(whole.charAt(end - 1))) end -= 1;
    else if (/^%(?:3e|22|29|5d|7d)$/i.test(whole.slice(Math.max(0, end - 3), end))) end -= 3;
    else return whole.slice(0, end);
  }
}

/** Some programs encode a fragment anew: with escapes, or in the alphabet of plain base64, padded. */
function toOneAlphabet(text: string): string {
  return text
    .replaceAll(/%(?:2[bdef]|3d|5f)/gi, (escape) => decodeURIComponent(escape))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll(/=(?=\.|$|=)/g, '');
}

const closing = '>)]}"\'.,;:!?';

export function shareToFile(file: ShareFile): Uint8Array<ArrayBuffer> {
  const head = file.passphrase === undefined ? 9 : 29;
  const bytes = new Uint8Array(head + file.sealed.length);
  bytes.set(magic, 0);
  if (file.passphrase !== undefined) {
    bytes[8] = 1;
    bytes.set(file.passphrase.salt, 9);
    new DataView(bytes.buffer).setUint32(25, file.passphrase.iterations);
  }
  bytes.set(file.sealed, head);
  return bytes;
}

export function isShareFile(bytes: Uint8Array): boolean {
  return magic.every((byte, n) => bytes[n] === byte);
}

export function parseShareFile(bytes: Uint8Array<ArrayBuffer>): Result<ShareFile, string> {
  if (bytes.length >= 8 && magic.slice(0, 7).every((byte, n) => bytes[n] === byte) && bytes[7] !== magic[7]) {
    return err('The share file was made by a newer Hindcast. Open it with a newer page.');
  }
  if (!isShareFile(bytes)) return err(notShareFile);
  const mode = bytes[8];
  if (mode === 0) return bytes.length < 37 ? err(cutFile) : ok({ sealed: bytes.slice(9) });
  if (mode !== 1)
    return err('The share file says it is opened in a way this page does not know. Open it with a newer page.');
  if (bytes.length < 57) return err(cutFile);
  const iterations = new DataView(bytes.buffer, bytes.byteOffset).getUint32(25);
  if (iterations < 100_000 || iterations > 10_000_000)
    return err('The share file asks for an unreasonable amount of work to make its key and was not opened.');
  return ok({ sealed: bytes.slice(29), passphrase: { salt: bytes.slice(9, 25), iterations } });
}

const copyWhole = 'Copy the whole link once more, or ask the sender for it again.';
const notShareFile =
  'It is not a share file of Hindcast. Choose the file that the sender gave you, whose name ends with .hindcast; where you have that one and it does not open, ask the sender for it again. A trace is opened from the library.';
const cutFile = 'The share file is cut: a part of it is missing. Ask the sender for it again.';
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export function bytesToBase64Url(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b, c] = [bytes[i], bytes[i + 1], bytes[i + 2]];
    let group = alphabet.charAt(a >> 2) + alphabet.charAt(((a & 3) << 4) | ((b ?? 0) >> 4));
    if (b !== undefined) group += alphabet.charAt(((b & 15) << 2) | ((c ?? 0) >> 6));
    if (c !== undefined) group += alphabet.charAt(c & 63);
    parts.push(group);
  }
  return parts.join('');
}

/** Undefined when the text is not base64url. */
export function base64UrlToBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let at = 0;
  for (let i = 0; i < text.length; i += 4) {
    let group = 0;
    for (let j = i; j < i + 4; j++) group = (group << 6) | (j < text.length ? alphabet.indexOf(text.charAt(j)) : 0);
    if (at < bytes.length) bytes[at++] = group >> 16;
    if (at < bytes.length) bytes[at++] = (group >> 8) & 255;
    if (at < bytes.length) bytes[at++] = group & 255;
  }
  return bytes;
}
