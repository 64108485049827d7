/**
 * Tells a browser that is driven by a program when nothing is under way, so that tests wait for facts and not for time.
 * Does nothing for a person.
 */
import { useIsFetching, useIsMutating } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useImportPhase } from '../data/index.ts';
import { isCalling, subscribeToCalls } from './calls.ts';
import { isViewLoading, subscribeToLoading } from './loading-views.ts';

declare global {
  interface Window {
    /** Present in test mode only. */
    hindcastIdle?: boolean;
  }
}

/** Syncs a flag on the window with the work under way. */
export function useIdleFlag(): void {
  const phase = useImportPhase();
  const isLoading = useSyncExternalStore(subscribeToLoading, isViewLoading);
  const isRunning = useSyncExternalStore(subscribeToCalls, isCalling);
  const asked = useIsFetching() + useIsMutating();
  const isBusy = isLoading || isRunning || asked > 0 || phase === 'running' || phase === 'stopping';
  useEffect(() => {
    if (navigator.webdriver) window.hindcastIdle = !isBusy;
  }, [isBusy]);
}
