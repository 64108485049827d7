/**
 * The address of the page as a value, and back.
 *
 * Everything is in the fragment, so that the site works from any static host and any sub-path and no server ever sees
 * which trace, event or key a link names. Addresses outlive the page: they carry a version (absent means 1), old ones
 * open for ever, one from a later version is refused with a sentence.
 *
 *   #/                                   library
 *   #/?src=<url>                         library, asking about a file to open
 *   #/t/<trace>/<view>?b=&e=&q=&p=&x.*=  one trace: branch, event, filter, panel, and what the view adds
 *   #/recovery?t=<trace>&t=…&x.*=         recovery trials of these traces; without any, of the library
 *   #share=…, #key=…                     a share carried by the link (core/share), or its key alone
 *   #share-file, #preview                a share file without a link, the share panel's preview
 */
import { lineToShown } from '../core/base/shown-text.ts';
import { branchId, eventId, mainBranch } from '../core/model/ids.ts';
import {
  type Location,
  type Panel,
  type RecoveryLocation,
  type TraceLocation,
  type TraceView,
  panels,
  traceLocation,
  traceViews,
} from '../state/location.ts';

export const routeVersion = 1;

const extraPrefix = 'x.';

function isTraceView(text: string): text is TraceView {
  return traceViews.some((view) => view === text);
}

function isPanel(text: string | null): text is Panel {
  return panels.some((panel) => panel === text);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // A lone `%`: not written by this codec.
  }
}

/** `search` is the query part before the fragment: `?src=` is also understood there. */
export function hashToLocation(hash: string, search = ''): Location {
  if (/^#(?:share=|key=)/i.test(hash) || hash === '#preview' || hash === '#share-file')
    return { kind: 'received', fragment: hash };
  const address = hash.replace(/^#/, '');
  const cut = address.indexOf('?');
  const path = cut < 0 ? address : address.slice(0, cut);
  const query = new URLSearchParams(cut < 0 ? '' : address.slice(cut + 1));
  if (path !== '' && !path.startsWith('/')) return { kind: 'unknown', reason: strangeFragment(path) };
  const version = Number(query.get('v') ?? routeVersion);
  if (!Number.isInteger(version) || version < 1)
    return { kind: 'unknown', reason: 'The version in this address is not a number.' };
  if (version > routeVersion) {
    return {
      kind: 'unknown',
      reason: `This link was made by a later version of Hindcast (address version ${version}, this page reads up to ${routeVersion}). Open it with the page it came from.`,
    };
  }
  const [, first = '', ...rest] = path.split('/');
  if (first === '') return libraryLocation(query.get('src') ?? new URLSearchParams(search).get('src') ?? undefined);
  if (first === 't') return pathToTrace(rest, query);
  if (first === 'recovery') return { kind: 'recovery', traces: query.getAll('t'), extra: queryToExtra(query) };
  return { kind: 'unknown', reason: `No view has the address “${path.slice(0, 80)}”.` };
}

/** No address of this page: most often a link to a share that lost something on its way. */
function strangeFragment(path: string): string {
  const named = `Nothing here has the address “#${lineToShown(path.slice(0, 40))}”.`;
  return /^(?:share|key|preview)/i.test(path)
    ? `${named} A link to a share has #share= or #key= in it: it was changed on its way. Copy the whole link once more, or ask the sender for it again.`
    : named;
}

function libraryLocation(source: string | undefined): Location {
  return source === undefined ? { kind: 'library' } : { kind: 'library', source };
}

function pathToTrace([encoded = '', view = 'explore']: readonly string[], query: URLSearchParams): Location {
  const trace = decode(encoded);
  if (trace === undefined || trace === '') return { kind: 'unknown', reason: 'This address names no trace.' };
  if (!isTraceView(view)) return { kind: 'unknown', reason: `A trace has no view called “${view.slice(0, 40)}”.` };
  const event = query.get('e') ?? '';
  const branch = query.get('b') ?? '';
  const panel = query.get('p');
  return {
    ...traceLocation(trace),
    view,
    branch: branch === '' ? mainBranch : branchId(branch),
    event: event === '' ? undefined : eventId(event),
    filter: query.get('q') ?? '',
    panel: isPanel(panel) ? panel : 'graph',
    extra: queryToExtra(query),
  };
}

function queryToExtra(query: URLSearchParams): Record<string, string> {
  const extra: Record<string, string> = {};
  for (const [key, value] of query) if (key.startsWith(extraPrefix)) extra[key.slice(extraPrefix.length)] = value;
  return extra;
}

export function locationToHash(location: Location): string {
  switch (location.kind) {
    case 'library':
      return location.source === undefined ? '#/' : `#/?${new URLSearchParams({ src: location.source }).toString()}`;
    case 'received':
      return location.fragment;
    case 'recovery':
      return recoveryToHash(location);
    case 'trace':
      return traceToHash(location);
    case 'unknown':
      return '#/';
  }
}

function traceToHash({ trace, view, branch, event, filter, panel, extra }: TraceLocation): string {
  const query = new URLSearchParams();
  if (branch !== mainBranch) query.set('b', branch);
  if (event !== undefined) query.set('e', event);
  if (filter !== '') query.set('q', filter);
  if (panel !== 'graph') query.set('p', panel);
  for (const [key, value] of Object.entries(extra)) query.set(extraPrefix + key, value);
  const text = query.toString();
  return `#/t/${encodeURIComponent(trace)}/${view}${text === '' ? '' : `?${text}`}`;
}

function recoveryToHash({ traces, extra }: RecoveryLocation): string {
  const query = new URLSearchParams(traces.map((trace) => ['t', trace]));
  for (const [key, value] of Object.entries(extra)) query.set(extraPrefix + key, value);
  const text = query.toString();
  return `#/recovery${text === '' ? '' : `?${text}`}`;
}
