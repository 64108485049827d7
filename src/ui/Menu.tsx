/** Menus: a button and what it opens. Every item that has a key shows it. */
import type { ReactNode } from 'react';
import { Header, Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { lineToShown } from '../core/base/shown-text.ts';
import { Kbd } from './Button.tsx';
import { Icon, type IconName } from './Icons.tsx';
import styles from './Menu.module.css';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly icon?: IconName | undefined;
  readonly shortcut?: string | undefined;
  readonly current?: boolean;
  readonly danger?: boolean;
  readonly run: () => void;
}

export interface MenuGroup {
  readonly title?: string;
  readonly entries: readonly MenuEntry[];
}

export interface MenuProps {
  /** The control that opens it. */
  readonly trigger: ReactNode;
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  /** Where a key opens it too, the caller owns whether it is open. */
  readonly isOpen?: boolean | undefined;
  readonly onOpenChange?: ((isOpen: boolean) => void) | undefined;
}

export function Menu({ trigger, label, groups, isOpen, onOpenChange }: MenuProps) {
  const control = {
    ...(isOpen === undefined ? {} : { isOpen }),
    ...(onOpenChange === undefined ? {} : { onOpenChange }),
  };
  return (
    <MenuTrigger {...control}>
      {trigger}
      <Popover className={styles['popover'] ?? ''} offset={4}>
        <AriaMenu aria-label={label} className={styles['menu'] ?? ''}>
          {groups.map((group, index) => (
            <MenuSection
              key={group.title ?? index}
              className={styles['section'] ?? ''}
              aria-label={group.title ?? label}
            >
              {group.title === undefined ? undefined : (
                <Header className={styles['header'] ?? ''}>{group.title}</Header>
              )}
              {group.entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </MenuSection>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function Entry({ entry }: { readonly entry: MenuEntry }) {
  return (
    <MenuItem
      id={entry.id}
      textValue={lineToShown(entry.label)}
      onAction={entry.run}
      className={`${styles['item'] ?? ''} ${entry.danger === true ? (styles['danger'] ?? '') : ''}`}
    >
      <span className={styles['icon']}>
        {entry.current === true ? (
          <Icon name="check" />
        ) : entry.icon === undefined ? undefined : (
          <Icon name={entry.icon} />
        )}
      </span>
      <span className={styles['label']}>
        {lineToShown(entry.label)}
        {entry.current === true ? <span className={styles['hidden']}> (shown now)</span> : undefined}
      </span>
      {entry.detail === undefined ? undefined : <span className={styles['detail']}>{lineToShown(entry.detail)}</span>}
      {entry.shortcut === undefined ? undefined : <Kbd>{entry.shortcut}</Kbd>}
    </MenuItem>
  );
}
