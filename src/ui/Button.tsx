/** Buttons, key caps and links that look like buttons. A button says what it does; its key is shown beside it. */
import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components';
import { lineToShown } from '../core/base/shown-text.ts';
import { keyToLabel, keyToShortcut } from './commands.ts';
import { Icon, type IconName } from './Icons.tsx';
import { labelToShown } from './shown-children.ts';
import styles from './Button.module.css';

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  readonly children: ReactNode;
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly icon?: IconName;
  /** Its key, as commands write it; shown and announced. */
  readonly shortcut?: string | undefined;
  /** On narrow pages only the icon is left; give it an `aria-label`. */
  readonly collapses?: boolean;
}

export function Kbd({ children }: { readonly children: string }) {
  return (
    <kbd className={styles['key']} aria-hidden="true">
      {keyToLabel(children)}
    </kbd>
  );
}

export function Button({ children, kind = 'plain', icon, shortcut, collapses = false, ...rest }: ButtonProps) {
  return (
    <AriaButton
      {...rest}
      className={`${styles['button'] ?? ''} ${styles[kind] ?? ''}`}
      {...(shortcut === undefined ? {} : { 'aria-keyshortcuts': keyToShortcut(shortcut) })}
    >
      {icon === undefined ? undefined : <Icon name={icon} />}
      <span className={collapses ? styles['collapsing'] : styles['label']}>{labelToShown(children)}</span>
      {shortcut === undefined ? undefined : <Kbd>{shortcut}</Kbd>}
    </AriaButton>
  );
}

export interface IconButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style' | 'aria-label'> {
  readonly icon: IconName;
  /** Its name, shown as a tooltip. */
  readonly label: string;
  readonly shortcut?: string | undefined;
  readonly pressed?: boolean;
  /** Where its name is shown, so that it covers no button beside it. */
  readonly tip?: 'top' | 'left';
}

export function IconButton({ icon, label, shortcut, pressed, tip = 'top', ...rest }: IconButtonProps) {
  const name = lineToShown(label);
  return (
    <TooltipTrigger delay={400} closeDelay={0}>
      <AriaButton
        {...rest}
        aria-label={name}
        className={`${styles['button'] ?? ''} ${styles['square'] ?? ''}`}
        {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
        {...(shortcut === undefined ? {} : { 'aria-keyshortcuts': keyToShortcut(shortcut) })}
      >
        <Icon name={icon} />
      </AriaButton>
      <Tooltip className={styles['tooltip'] ?? ''} offset={6} placement={tip}>
        {name}
        {shortcut === undefined ? undefined : <Kbd>{shortcut}</Kbd>}
      </Tooltip>
    </TooltipTrigger>
  );
}
