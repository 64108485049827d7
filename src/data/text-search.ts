/**
 * The search for text that the views of a trace wait for, while it runs.
 */
import { useCallback, useSyncExternalStore } from 'react';
import type { TraceId } from '../platform/storage/index.ts';
import type { SearchTold } from '../platform/workers/index.ts';
import { useServices } from './services.ts';

/** Undefined where nothing is searched, or so little that nobody waits. */
export function useTextSearch(trace: TraceId): SearchTold | undefined {
  const { reader } = useServices();
  const subscribe = useCallback((listener: () => void) => reader.onSearch?.(listener) ?? nothing, [reader]);
  return useSyncExternalStore(subscribe, () => reader.searchOf?.(trace));
}

function nothing(): void {
  // A reader that tells of no searches has nothing to stop.
}
