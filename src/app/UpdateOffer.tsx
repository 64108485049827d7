/**
 * Keeps the site usable offline and offers a new version when one was fetched.
 *
 * Invariant: a new version is never taken silently. A page with work in progress keeps running on the code it started
 * with until the person accepts, and a file that is being opened is not lost to it: the offer waits.
 */
import { useEffect, useState } from 'react';
import { registerSW } from 'virtual:pwa-register';
import { useImportPhase } from '../data/index.ts';
import { Button } from '../ui/Button.tsx';
import styles from './UpdateOffer.module.css';

type Reload = (reloadPage?: boolean) => Promise<void>;

export function UpdateOffer() {
  const [reload, setReload] = useState<Reload>();
  const [problem, setProblem] = useState<string>();
  const phase = useImportPhase();
  const isOpening = phase === 'running' || phase === 'stopping';

  // Synchronises with the browser's registration of the service worker, which lives longer than this component.
  useEffect(() => {
    const update = registerSW({ onNeedRefresh: () => setReload(() => update) });
  }, []);

  if (reload === undefined) return undefined;
  const accept = () => {
    reload(true).catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  };
  return (
    <aside role="status" aria-label="Update" className={styles['offer']}>
      <p>
        {problem !== undefined
          ? `The new version could not be started: ${problem}`
          : isOpening
            ? 'A new version of Hindcast is ready. It waits until what is being opened here is in the library.'
            : 'A new version of Hindcast is ready.'}
      </p>
      <Button kind="primary" isDisabled={isOpening} onPress={accept}>
        Reload with it
      </Button>
      <Button onPress={() => setReload(undefined)}>Later</Button>
    </aside>
  );
}
