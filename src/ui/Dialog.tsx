/** Dialogs: modal, named, closed by Escape or a click outside unless they ask for a decision. */
import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { lineToShown } from '../core/base/shown-text.ts';
import { IconButton } from './Button.tsx';
import styles from './Dialog.module.css';

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  readonly size?: 'small' | 'large';
}

/** What may be longer than the page is reached with Tab, so that the keys of the browser scroll it. */
const scrolledWithKeys = { tabIndex: 0 } as const;

export function Dialog({ title: named, isOpen, onClose, children, actions, size = 'small' }: DialogProps) {
  const title = lineToShown(named);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable
      className={styles['overlay'] ?? ''}
    >
      <Modal className={`${styles['modal'] ?? ''} ${styles[size] ?? ''}`}>
        <AriaDialog className={styles['dialog'] ?? ''}>
          <header className={styles['header']}>
            <Heading slot="title" className={styles['title'] ?? ''}>
              {title}
            </Heading>
            <IconButton icon="close" label="Close" shortcut="Escape" onPress={onClose} />
          </header>
          {size === 'large' ? (
            <div className={styles['body']} role="group" aria-label={title} {...scrolledWithKeys}>
              {children}
            </div>
          ) : (
            <div className={styles['body']}>{children}</div>
          )}
          {actions === undefined ? undefined : <footer className={styles['actions']}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
