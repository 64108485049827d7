/** What the host's cryptography is used for outside sharing: digests of chunks and random names. */
export { computeSha256, createRandomId } from './digest.ts';
export { freshSecret, openShare, passphraseToKey, sealShare, sealWithPassphrase } from './share-cipher.ts';
