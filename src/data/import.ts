/**
 * Opening a trace: the state of the import that runs, and the acts on it.
 */
import { createContext, use, useSyncExternalStore } from 'react';
import { assert } from '../core/base/assert.ts';
import type { ImportSession, ImportState } from './import-session.ts';

export const ImportContext = createContext<ImportSession | undefined>(undefined);

export interface ImportControl extends Pick<ImportSession, 'start' | 'cancel' | 'dismiss'> {
  readonly state: ImportState;
}

/** One import for the whole page, whichever component asks. */
export function useImport(): ImportControl {
  const session = use(ImportContext);
  assert(session !== undefined, 'a DataProvider stands above every component that imports');
  const state = useSyncExternalStore(session.subscribe, session.getState);
  return { state, start: session.start, cancel: session.cancel, dismiss: session.dismiss };
}
