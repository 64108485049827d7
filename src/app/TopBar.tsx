/** The bar over every view: where one is, the filter, what can be done with the trace, and the page's own buttons. */
import type { ReactNode } from 'react';
import { useNavigation } from '../state/location.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon, Logo } from '../ui/Icons.tsx';
import { useTheme } from './theme.ts';
import styles from './TopBar.module.css';

export type Sheet = 'palette' | 'keys' | 'legend';

export interface TopBarProps {
  /** After “Hindcast”, from the outside in. */
  readonly crumbs: readonly ReactNode[];
  readonly centre?: ReactNode;
  readonly actions?: ReactNode;
  readonly onSheet: (sheet: Sheet) => void;
}

export function TopBar({ crumbs, centre, actions, onSheet }: TopBarProps) {
  const { hrefOf } = useNavigation();
  const theme = useTheme();
  // The preview of a share is a frame on a page that has the same bar.
  const isFramed = window.parent !== window;
  return (
    <header className={styles['bar']} {...(isFramed ? { 'aria-label': 'Top of the copy' } : {})}>
      <nav aria-label={isFramed ? 'Where you are in the copy' : 'Where you are'} className={styles['crumbs']}>
        <ol>
          <li>
            <a href={hrefOf({ kind: 'library' })} className={styles['home']} aria-label="Hindcast, library">
              <Logo />
              <span>Hindcast</span>
            </a>
          </li>
          {crumbs.map((crumb, at) => (
            <li key={at}>
              <Icon name="chevron-right" size={12} />
              {crumb}
            </li>
          ))}
        </ol>
      </nav>
      <div className={styles['centre']}>{centre}</div>
      <div className={styles['actions']}>
        {actions}
        <IconButton icon="keyboard" label="Every command" shortcut="mod+k" onPress={() => onSheet('palette')} />
        <IconButton
          icon={theme.shown === 'dark' ? 'sun' : 'moon'}
          label={theme.shown === 'dark' ? 'Switch to light' : 'Switch to dark'}
          shortcut="t"
          onPress={theme.toggle}
        />
        <IconButton icon="help" label="All keys" shortcut="?" onPress={() => onSheet('keys')} />
      </div>
    </header>
  );
}
