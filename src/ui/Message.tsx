/** A view or pane that has something to say instead of content: empty, failed, or explaining itself. */
import type { ReactNode } from 'react';
import { lineToShown } from '../core/base/shown-text.ts';
import { Icon, type IconName } from './Icons.tsx';
import { sentencesToShown } from './shown-children.ts';
import styles from './Message.module.css';

export interface MessageProps {
  readonly title: string;
  readonly icon?: IconName;
  readonly tone?: 'plain' | 'problem';
  /** It is all that the page says: its title is that of the page. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

export function Message({ title, icon = 'info', tone = 'plain', isPage = false, children, actions }: MessageProps) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <section className={styles['message']} data-tone={tone} {...(tone === 'problem' ? { role: 'alert' } : {})}>
      <Icon name={icon} size={20} />
      <Heading>{lineToShown(title)}</Heading>
      {children === undefined ? undefined : <div className={styles['body']}>{sentencesToShown(children)}</div>}
      {actions === undefined ? undefined : <div className={styles['actions']}>{actions}</div>}
    </section>
  );
}
