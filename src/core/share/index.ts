/**
 * Shares: what a reviewer gets.
 *
 * Glossary
 * - share: one redacted copy, encrypted, as link or file (avoid: export, upload)
 * - payload: what is encrypted: the stream of the copy and the view that opens first
 * - fragment: the part of a link after `#`, which browsers send to no server
 * - sealed: nonce and ciphertext
 */
export { type SharePayload, decodePayload, encodePayload, shareVersion } from './payload.ts';
export {
  type KeyLink,
  type ShareFile,
  type ShareFragment,
  type ShareLink,
  base64UrlToBytes,
  bytesToBase64Url,
  isShareFile,
  keyToFragment,
  parseShareFile,
  parseShareFragment,
  shareToFile,
  shareToFragment,
} from './envelope.ts';
export { type Copy, type CopyRequest, emptyCopyToSentence, makeCopy } from './copy.ts';
export { type Omission, omissionToWords } from './omitted.ts';
export { type CopyReplay, computeCopyReplay } from './replays.ts';
export { type ShareScope, type ShareSelection, selectPositions } from './selection.ts';
