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

/** One import for the whole page, whichever component asks. Draws again at each step of its progress. */
export function useImport(): ImportControl {
  const session = useSession();
  const state = useSyncExternalStore(session.subscribe, session.getState);
  return { state, start: session.start, cancel: session.cancel, dismiss: session.dismiss };
}

/** `choosing`: it stopped because several traces were found, and a person chooses. */
export type ImportPhase = ImportState['status'] | 'choosing';

/** What the import is at, without its progress: whoever shows no progress is not drawn again by it. */
export function useImportPhase(): ImportPhase {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, () => stateToPhase(session.getState()));
}

/** The acts alone: they stay the same, and draw nothing again. */
export function useImportActs(): Omit<ImportControl, 'state'> {
  return useSession();
}

function stateToPhase(state: ImportState): ImportPhase {
  return state.status === 'failed' && state.failure.code === 'choice' ? 'choosing' : state.status;
}

function useSession(): ImportSession {
  const session = use(ImportContext);
  assert(session !== undefined, 'a DataProvider stands above every component that imports');
  return session;
}
