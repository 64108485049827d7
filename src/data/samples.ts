/**
 * The sample incidents that come with the site, listed by `samples/index.json` beside the page, and traces named by `?src=`.
 */
import { nameToShown } from '../core/base/shown-text.ts';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type JsonValue, isJsonArray, isJsonObject } from '../core/base/json.ts';
import type { FetchProgress } from '../platform/net/index.ts';
import type { ImportRequest, OpenedFile } from '../platform/workers/index.ts';
import { DataError, valueOrThrow } from './failure.ts';
import { keys } from './keys.ts';
import { useServices } from './services.ts';

export interface Sample {
  /** Path below `samples/`. */
  readonly file: string;
  readonly title: string;
  /** One line: what one learns from it. */
  readonly lesson: string;
}

/** The list; empty where the site was built without samples. */
/** `list`: the file that names them, beside them. */
export function useSamples(list = 'index.json'): UseQueryResult<readonly Sample[]> {
  const { fetchOwn } = useServices();
  return useQuery({
    queryKey: [...keys.samples, list],
    queryFn: async ({ signal }) => {
      const response = await fetchOwn(`samples/${list}`, signal);
      if (response.status === 404) return [];
      if (!response.ok)
        throw new DataError('unavailable', `The list of samples could not be read (${response.status}).`);
      // Cast: the body of a JSON response is JSON; its shape is checked below.
      return jsonToSamples((await response.json()) as JsonValue);
    },
  });
}

/** Entries of another shape are left out: the list is written by the same build as this page. */
export function jsonToSamples(list: JsonValue): readonly Sample[] {
  const entries = isJsonObject(list) ? list['samples'] : list;
  if (!isJsonArray(entries)) return [];
  return entries.flatMap((entry) => {
    if (!isJsonObject(entry)) return [];
    const { file, title } = entry;
    const lesson = entry['lesson'] ?? entry['learn'];
    if (typeof file !== 'string' || typeof title !== 'string' || typeof lesson !== 'string') return [];
    return [{ file, title, lesson }];
  });
}

/** What to import for a sample. */
export function useSampleRequest(): (sample: Sample, signal: AbortSignal) => Promise<ImportRequest> {
  const { fetchOwn } = useServices();
  return async ({ file, title }, signal) => {
    const response = await fetchOwn(`samples/${file}`, signal);
    if (!response.ok) {
      throw new DataError(
        'unavailable',
        `The sample "${title}" could not be read from this site (${response.status}).`,
      );
    }
    return { files: [{ path: file, blob: await response.blob() }], name: title, origin: 'sample' };
  };
}

/** What an address in `?src=` means for the page: read it at once, or ask the person first. */
export type SourceAddress =
  | { readonly kind: 'own'; readonly url: string }
  | { readonly kind: 'foreign'; readonly url: string; readonly origin: string }
  | { readonly kind: 'unusable'; readonly message: string };

export function textToSourceAddress(text: string, page: string): SourceAddress {
  if (text.trim() === '')
    return {
      kind: 'unusable',
      message: 'After "src=" the link names no file. Ask for the whole link, or open the file itself.',
    };
  const url = URL.canParse(text, page) ? new URL(text, page) : undefined;
  if (url === undefined) return { kind: 'unusable', message: `"${nameToShown(text)}" is not an address.` };
  if (url.username !== '' || url.password !== '')
    return {
      kind: 'unusable',
      message: `What stands before the "@" is a user name, which a page may not send: this address leads to ${url.host}, whatever it looks like. If that is the site that is meant, open its address without the part up to the "@".`,
    };
  // An address made by a page itself (blob:) has the origin of its maker and is no file of a site.
  const isOfWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (isOfWeb && url.origin === new URL(page).origin) return { kind: 'own', url: url.href };
  const local = url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname);
  if (url.protocol === 'https:' || local) return { kind: 'foreign', url: url.href, origin: url.origin };
  return {
    kind: 'unusable',
    message: `Only https addresses, and http at localhost or 127.0.0.1, can be opened; this one is ${url.protocol === 'http:' ? `http at ${url.host}` : url.protocol.replace(':', '')}.`,
  };
}

/** The last part of the path, as it was meant where it is well encoded, else as it is written. */
export function addressToFileName(address: string): string {
  const last = new URL(address).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || 'trace';
  } catch {
    return last;
  }
}

/** Without user, password, query and fragment: those open the file to whoever reads them, and the log is exported and shared. */
export function addressToLogged(address: string): string {
  const { origin, pathname, search, username } = new URL(address);
  const parts = [username === '' ? '' : 'a user', search === '' ? '' : 'a query'].filter((part) => part !== '');
  return `${origin}${pathname}${parts.length === 0 ? '' : ` (with ${parts.join(' and ')})`}`;
}

/**
 * Reads the file at an address. For a foreign one call it only after the person confirmed the exact origin: it makes one request, through
 * the document that may, and writes it into the access log.
 */
export function useFetchSource(): (
  source: Exclude<SourceAddress, { readonly kind: 'unusable' }>,
  signal: AbortSignal,
  onProgress?: (progress: FetchProgress) => void,
) => Promise<OpenedFile> {
  const { fetchOwn, foreign, library } = useServices();
  return async (source, signal, onProgress) => {
    const path = addressToFileName(source.url);
    if (source.kind === 'foreign') {
      await library.call('record', [
        { what: 'fetch', detail: `Read ${addressToLogged(source.url)} after confirmation.` },
      ]);
      return { path, blob: valueOrThrow(await foreign.fetch(source.url, { signal, onProgress })) };
    }
    return { path, blob: await readOwn(source.url, (url) => fetchOwn(url, signal), signal) };
  };
}

/** The file at an address of this site. Throws a sentence that says why there is none and what to do. */
export async function readOwn(
  url: string,
  ask: (url: string) => Promise<Response>,
  signal: AbortSignal,
): Promise<Blob> {
  const wayOut = 'Check the address, or choose the file itself.';
  let hasAnswered = false;
  try {
    const response = await ask(url);
    hasAnswered = true;
    if (response.ok) return await response.blob();
    const why = missing.has(response.status)
      ? `this site has no such file (it answered ${response.status})`
      : `this site answered ${response.status} ${response.statusText}`.trim();
    throw new DataError('unavailable', `${url} could not be read: ${why}. ${wayOut}`);
  } catch (error) {
    if (error instanceof DataError || signal.aborted) throw error;
    const why = hasAnswered ? 'the answer of this site broke off' : 'this site does not answer';
    throw new DataError('unavailable', `${url} could not be read: ${why}. Try again, or choose the file itself.`);
  }
}

const missing: ReadonlySet<number> = new Set([404, 410]);
