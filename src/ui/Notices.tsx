/** Where notices are shown, and the polite live region. Mounted once by the application. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { passageToShown } from '../core/base/shown-text.ts';
import { Button, IconButton } from './Button.tsx';
import { Icon } from './Icons.tsx';
import { type Notice, dismissNotice, useNotices } from './notices.ts';
import styles from './Notices.module.css';

const shownFor = 7000;
/** One that offers something to press. */
const offeredFor = 20_000;

export function Notices() {
  const { shown, spoken } = useNotices();
  return (
    <>
      <div role="status" aria-live="polite" className={styles['spoken']}>
        {passageToShown(spoken)}
      </div>
      {shown.length === 0 ? undefined : (
        <section aria-label="Notices" className={styles['notices']}>
          {shown.map((notice) => (
            <Row key={notice.id} notice={notice} />
          ))}
        </section>
      )}
    </>
  );
}

/** Whether the focus, or a pointer, is on an element. Syncs with its events: it is no control itself. */
function useIsRead(target: RefObject<HTMLElement | null>): boolean {
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    const element = target.current;
    if (element === null) return undefined;
    const stop = new AbortController();
    for (const event of ['focusin', 'pointerenter'])
      element.addEventListener(event, () => setRead(true), { signal: stop.signal });
    for (const event of ['focusout', 'pointerleave'])
      element.addEventListener(event, () => setRead(false), { signal: stop.signal });
    return () => stop.abort();
  }, [target]);
  return isRead;
}

function Row({ notice }: { readonly notice: Notice }) {
  const { id, tone, action } = notice;
  const stays = tone === 'problem';
  const time = action === undefined ? shownFor : offeredFor;
  const row = useRef<HTMLDivElement>(null);
  const isRead = useIsRead(row);
  // Syncs with the clock: what asks for nothing goes by itself, but not from under a hand or the focus.
  useEffect(() => {
    if (stays || isRead) return undefined;
    const timer = setTimeout(() => {
      dismissNotice(id);
    }, time);
    return () => {
      clearTimeout(timer);
    };
  }, [id, stays, isRead, time]);
  return (
    <div ref={row} className={styles['notice']} data-tone={tone}>
      <Icon name={tone === 'problem' ? 'warning' : 'info'} />
      <p>{passageToShown(notice.text)}</p>
      {action === undefined ? undefined : (
        <Button
          onPress={() => {
            dismissNotice(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon="close" label="Dismiss" onPress={() => dismissNotice(id)} />
    </div>
  );
}
