/** What the library takes of this machine, whether the browser promised to keep it, and the way to its access log. */
import { useState } from 'react';
import { useAskToPersist, useStorage } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { bytesToText } from '../../ui/format.ts';
import { AccessLogDialog } from './AccessLogDialog.tsx';
import styles from './StorageLine.module.css';

export function StorageLine() {
  const { data } = useStorage();
  const ask = useAskToPersist();
  const [isLogOpen, setLogOpen] = useState(false);
  if (data === undefined) return undefined;
  const { usage, quota, persisted } = data;
  const space =
    usage === undefined
      ? 'The browser does not say how much space the library takes.'
      : `The library takes ${bytesToText(usage)}${quota === undefined ? '' : ` of the ${bytesToText(quota)} this browser allows`}.`;
  const wasRefused = ask.data === false;
  return (
    <footer className={styles['line']}>
      <span>{space}</span>
      {persisted === true ? <span>The browser promised to keep it.</span> : undefined}
      {persisted === false ? (
        <>
          <span>
            {wasRefused
              ? 'The browser did not promise to keep it; it may clear it when space runs short.'
              : 'When space runs short the browser may clear it.'}
          </span>
          {wasRefused ? undefined : (
            <Button kind="quiet" onPress={() => ask.mutate(undefined)} isDisabled={ask.isPending}>
              Ask it to keep the library
            </Button>
          )}
        </>
      ) : undefined}
      <Button kind="quiet" icon="file" onPress={() => setLogOpen(true)}>
        Access log
      </Button>
      {isLogOpen ? <AccessLogDialog trace={undefined} onClose={() => setLogOpen(false)} /> : undefined}
    </footer>
  );
}
