/** Where notices are shown, and the polite live region. Mounted once by the application. */
import { useEffect } from 'react';
import { Button, IconButton } from './Button.tsx';
import { Icon } from './Icons.tsx';
import { type Notice, dismissNotice, useNotices } from './notices.ts';
import styles from './Notices.module.css';

const shownFor = 7000;

export function Notices() {
  const { shown, spoken } = useNotices();
  return (
    <>
      <div role="status" aria-live="polite" className={styles['spoken']}>
        {spoken}
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

function Row({ notice }: { readonly notice: Notice }) {
  const { id, tone, action } = notice;
  const stays = tone === 'problem' || action !== undefined;
  // Syncs with the clock: what asks for nothing goes by itself.
  useEffect(() => {
    if (stays) return undefined;
    const timer = setTimeout(() => {
      dismissNotice(id);
    }, shownFor);
    return () => {
      clearTimeout(timer);
    };
  }, [id, stays]);
  return (
    <div className={styles['notice']} data-tone={tone}>
      <Icon name={tone === 'problem' ? 'warning' : 'info'} />
      <p>{notice.text}</p>
      {action === undefined ? undefined : <Button onPress={action.run}>{action.label}</Button>}
      <IconButton icon="close" label="Dismiss" onPress={() => dismissNotice(id)} />
    </div>
  );
}
