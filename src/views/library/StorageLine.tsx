/** What the library takes of this machine, and whether the browser promised to keep it. */
import { useAskToPersist, useStorage } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { bytesToText } from '../../ui/format.ts';
import styles from './StorageLine.module.css';

export function StorageLine() {
  const { data } = useStorage();
  const ask = useAskToPersist();
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
    </footer>
  );
}
