/** The title of the document: where one is, then the product. */
import { useEffect } from 'react';
import { lineToShown } from '../core/base/shown-text.ts';

/** Syncs the title of the document, which index.html sets first. */
export function useTitle(place: string | undefined): void {
  useEffect(() => {
    document.title = place === undefined ? 'Hindcast' : `${lineToShown(place)} · Hindcast`;
  }, [place]);
}
