/**
 * The browser's address as the application's location, and the only place that writes it.
 *
 * Invariant: the location is read from the address on every change and kept nowhere else.
 */
import { useMemo, useSyncExternalStore } from 'react';
import type { Location, Navigation } from '../state/location.ts';
import { hashToLocation, locationToHash } from './route.ts';

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  window.addEventListener('popstate', listener);
  return () => {
    window.removeEventListener('hashchange', listener);
    window.removeEventListener('popstate', listener);
  };
}

function readAddress(): string {
  return `${window.location.search}${window.location.hash}`;
}

function go(to: Location, how: 'push' | 'replace' = 'push'): void {
  const address = `${window.location.pathname}${locationToHash(to)}`;
  if (how === 'replace') window.history.replaceState(undefined, '', address);
  else window.history.pushState(undefined, '', address);
  // The two calls above tell nobody.
  window.dispatchEvent(new PopStateEvent('popstate'));
}

export function useAddress(): Navigation {
  const address = useSyncExternalStore(subscribe, readAddress);
  return useMemo(() => {
    const cut = address.indexOf('#');
    const location = cut < 0 ? hashToLocation('', address) : hashToLocation(address.slice(cut), address.slice(0, cut));
    return { location, go, hrefOf: locationToHash };
  }, [address]);
}
