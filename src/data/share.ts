/**
 * Making a share and opening one that was received.
 *
 * Invariant: what is sealed is the bytes that were previewed. Keys pass through to the link and are kept nowhere.
 * Only the envelope is imported: the rest of core/share runs in the workers and brings schemas that the first load has no use for.
 */
import { type UseMutationResult, type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query';
import {
  isShareFile,
  keyToFragment,
  parseShareFile,
  parseShareFragment,
  shareToFile,
  shareToFragment,
} from '../core/share/envelope.ts';
import type { ShareFragment } from '../core/share/envelope.ts';
import type { HeldCopy, MadeShare, ShareRequest } from '../platform/workers/index.ts';
import { keys } from './keys.ts';
import { type Services, useServices } from './services.ts';

/** The copy that would leave under this request, with its bytes; made anew whenever the request changes. */
export function useMadeShare(request: ShareRequest): UseQueryResult<MadeShare> {
  const { library } = useServices();
  return useQuery({
    queryKey: keys.share(request),
    queryFn: async ({ signal }) => {
      const made = await library.call('makeShare', [request], { signal });
      if (!made.ok) throw new Error(made.error);
      return made.value;
    },
    // A fresh secret makes every copy different: one that was previewed stays until the request changes.
    staleTime: Infinity,
    gcTime: 0,
  });
}

export type { ShareFragment };

export interface SentShare {
  readonly link: string;
  readonly file?: Blob | undefined;
}

/** `link`: everything in the fragment. `file`: an encrypted file, and a link that holds only its key. `passphrase`: a file without a link. */
export type ShareForm =
  { readonly kind: 'link' } | { readonly kind: 'file' } | { readonly kind: 'passphrase'; readonly passphrase: string };

export interface SendRequest {
  readonly made: MadeShare;
  readonly form: ShareForm;
  /** Address of this page without its fragment. */
  readonly page: string;
}

export function useSealShare(): UseMutationResult<SentShare, Error, SendRequest> {
  const { cipher } = useServices();
  return useMutation({
    mutationFn: async ({ made, form, page }) => {
      if (form.kind === 'passphrase') {
        const { sealed, passphrase } = await cipher.sealWithPassphrase(made.bytes, form.passphrase);
        return { link: page, file: new Blob([shareToFile({ sealed, passphrase })]) };
      }
      const { key, sealed } = await cipher.sealShare(made.bytes);
      if (form.kind === 'link') return { link: `${page}${shareToFragment(key, sealed)}` };
      return { link: `${page}${keyToFragment(key)}`, file: new Blob([shareToFile({ sealed })]) };
    },
  });
}

/** The share or key in the fragment of an address; undefined when there is none. The error is a sentence. */
export const receivedFragment = parseShareFragment;

/** What a reviewer brings: the fragment of a link, a file with a key link, or a file with a passphrase. */
export type ReceivedShare =
  | { readonly kind: 'fragment'; readonly fragment: ShareFragment; readonly file?: Uint8Array<ArrayBuffer> | undefined }
  | { readonly kind: 'passphrase'; readonly file: Uint8Array<ArrayBuffer>; readonly passphrase: string }
  /** A file alone, which opens with nothing: the error says what it needs. */
  | { readonly kind: 'file'; readonly file: Uint8Array<ArrayBuffer> }
  /** Decrypted bytes, for the preview of the share panel. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> };

/** Opens a received share in memory; the error is a sentence. */
export function useOpenShare(): UseMutationResult<HeldCopy, Error, ReceivedShare> {
  const services = useServices();
  return useMutation({
    mutationFn: async (received) => {
      const bytes = await receivedToBytes(services, received);
      const held = await services.library.call('holdCopy', [bytes]);
      if (!held.ok) throw new Error(held.error);
      return held.value;
    },
  });
}

/** Whether the bytes of a file are a share, and which kind. */
export function fileToShareKind(bytes: Uint8Array<ArrayBuffer>): 'none' | 'key' | 'passphrase' {
  if (!isShareFile(bytes)) return 'none';
  const file = parseShareFile(bytes);
  return file.ok && file.value.passphrase !== undefined ? 'passphrase' : 'key';
}

async function receivedToBytes({ cipher }: Services, received: ReceivedShare): Promise<Uint8Array<ArrayBuffer>> {
  if (received.kind === 'bytes') return received.bytes;
  if (received.kind === 'file') {
    const file = parseShareFile(received.file);
    throw new Error(
      file.ok
        ? 'This share file opens with the link that came with it. Open that link, then add the file.'
        : file.error,
    );
  }
  if (received.kind === 'passphrase') return openWithPassphrase(cipher, received);
  const { fragment } = received;
  if (fragment.kind === 'share') return openWith(cipher, fragment.sealed, fragment.key);
  if (received.file === undefined)
    throw new Error('The link holds only the key: add the share file that came with it.');
  const file = parseShareFile(received.file);
  if (!file.ok) throw new Error(file.error);
  if (file.value.passphrase !== undefined)
    throw new Error(
      'This share file opens with a passphrase and not with this link. Ask the sender which of the two you need.',
    );
  return openWith(cipher, file.value.sealed, fragment.key);
}

async function openWithPassphrase(
  cipher: Services['cipher'],
  received: Extract<ReceivedShare, { readonly kind: 'passphrase' }>,
): Promise<Uint8Array<ArrayBuffer>> {
  const file = parseShareFile(received.file);
  if (!file.ok) throw new Error(file.error);
  const { sealed, passphrase } = file.value;
  if (passphrase === undefined)
    throw new Error('This share file opens with the key of its link, not with a passphrase.');
  const opened = await cipher.openShare(sealed, await cipher.passphraseToKey(received.passphrase, passphrase));
  if (!opened.ok) throw new Error(wrongPassphrase);
  return opened.value;
}

const wrongPassphrase =
  'The share cannot be opened: the passphrase is not the one it was made with, or the file was changed or cut on its way. Type it again: capitals and spaces count. If it does not open then, ask the sender for the passphrase, or for the file again.';

async function openWith(
  cipher: Services['cipher'],
  sealed: Uint8Array<ArrayBuffer>,
  key: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const opened = await cipher.openShare(sealed, key);
  if (!opened.ok) throw new Error(opened.error);
  return opened.value;
}
