/**
 * Encryption of shares: AES-256-GCM through WebCrypto, a fresh key and nonce for every share. Runs in the page, in workers and in Node.
 *
 * Keys are handled as bytes only to put them into a link; nothing here stores or logs them.
 */
import { type Result, err, ok } from '../../core/base/result.ts';

export interface SealedShare {
  readonly key: Uint8Array<ArrayBuffer>;
  /** Nonce and ciphertext, see core/share/envelope.ts. */
  readonly sealed: Uint8Array<ArrayBuffer>;
}

export interface PassphraseParameters {
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly iterations: number;
}

const nonceBytes = 12;
/** OWASP's figure for PBKDF2-HMAC-SHA-256 (Password Storage Cheat Sheet, 2023). */
export const passphraseIterations = 600_000;

const noCipher =
  'This address is not a secure context, so the browser gives the page no encryption. Open the page over https, or at http://localhost.';

/** Throws an error with a sentence where the host has none. */
function cipher(): SubtleCrypto {
  const host: Partial<Pick<Crypto, 'subtle'>> = globalThis.crypto;
  if (host.subtle === undefined) throw new Error(noCipher);
  return host.subtle;
}

export async function sealShare(plaintext: Uint8Array<ArrayBuffer>): Promise<SealedShare> {
  const key = randomBytes(32);
  return { key, sealed: await encrypt(plaintext, key) };
}

export async function sealWithPassphrase(
  plaintext: Uint8Array<ArrayBuffer>,
  passphrase: string,
): Promise<{ readonly sealed: Uint8Array<ArrayBuffer>; readonly passphrase: PassphraseParameters }> {
  const parameters = { salt: randomBytes(16), iterations: passphraseIterations };
  return { sealed: await encrypt(plaintext, await passphraseToKey(passphrase, parameters)), passphrase: parameters };
}

export async function passphraseToKey(
  passphrase: string,
  { salt, iterations }: PassphraseParameters,
): Promise<Uint8Array<ArrayBuffer>> {
  const material = await cipher().importKey(
    'raw',
    new TextEncoder().encode(passphrase.normalize('NFC')),
    'PBKDF2',
    false,
    ['deriveBits'],
  );
  return new Uint8Array(
    await cipher().deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, material, 256),
  );
}

export async function openShare(
  sealed: Uint8Array<ArrayBuffer>,
  key: Uint8Array<ArrayBuffer>,
): Promise<Result<Uint8Array<ArrayBuffer>, string>> {
  if (!('subtle' in globalThis.crypto)) return err(noCipher);
  const imported = await cipher().importKey('raw', key, 'AES-GCM', false, ['decrypt']);
  try {
    const plaintext = await cipher().decrypt(
      { name: 'AES-GCM', iv: sealed.slice(0, nonceBytes) },
      imported,
      sealed.slice(nonceBytes),
    );
    return ok(new Uint8Array(plaintext));
  } catch {
    // The one failure WebCrypto reports for a wrong key, a changed byte and a cut alike.
    return err(
      'The share cannot be opened: the key is not the one it was made with, or the share was changed or cut on its way. Copy the whole link once more, or ask the sender for it again.',
    );
  }
}

/** Random text of 128 bits for the pseudonyms of one copy. */
export function freshSecret(): string {
  return [...randomBytes(16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function encrypt(
  plaintext: Uint8Array<ArrayBuffer>,
  key: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const iv = randomBytes(nonceBytes);
  const imported = await cipher().importKey('raw', key, 'AES-GCM', false, ['encrypt']);
  const ciphertext = new Uint8Array(await cipher().encrypt({ name: 'AES-GCM', iv }, imported, plaintext));
  const sealed = new Uint8Array(nonceBytes + ciphertext.length);
  sealed.set(iv, 0);
  sealed.set(ciphertext, nonceBytes);
  return sealed;
}

function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}
