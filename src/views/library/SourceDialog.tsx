/**
 * Opening by address. A file of this site is read at once; for another origin the person first sees which one, and what it learns.
 */
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { type SourceAddress, textToSourceAddress } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import styles from './Forms.module.css';

type Usable = Exclude<SourceAddress, { readonly kind: 'unusable' }>;

export interface UrlDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onOpen: (url: string) => void;
}

export function UrlDialog({ isOpen, onClose, onOpen }: UrlDialogProps) {
  const [url, setUrl] = useState('');
  const address = url.trim() === '' ? undefined : textToSourceAddress(url.trim(), document.baseURI);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (address === undefined || address.kind === 'unusable') return;
    onClose();
    onOpen(address.url);
  };
  return (
    <Dialog title="Open an address" isOpen={isOpen} onClose={onClose}>
      <form className={styles['form']} onSubmit={submit}>
        <Field
          label="Address of a trace"
          value={url}
          onChange={setUrl}
          autoFocus
          placeholder="https://…/run.hindcast.jsonl.gz"
          problem={address?.kind === 'unusable' ? address.message : undefined}
          help="The server must allow other pages to read it (CORS). Before anything is asked of it you see exactly what it learns."
        />
        <footer className={styles['actions']}>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isDisabled={address === undefined || address.kind === 'unusable'}>
            Open
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

export interface SourceDialogProps {
  readonly source: string | undefined;
  readonly onClose: () => void;
  readonly onOpen: (source: Usable) => void;
}

export function SourceDialog({ source, onClose, onOpen }: SourceDialogProps) {
  const address = source === undefined ? undefined : textToSourceAddress(source, document.baseURI);
  const own = address?.kind === 'own' ? address.url : undefined;
  const open = useRef({ onOpen, onClose, started: '' });
  useEffect(() => {
    open.current = { ...open.current, onOpen, onClose };
  }, [onOpen, onClose]);
  // Syncs with the address of the page: a file of this very site needs no question. An address that went may come again.
  useEffect(() => {
    if (own === undefined) open.current.started = '';
    if (own === undefined || open.current.started === own) return;
    open.current.started = own;
    open.current.onClose();
    open.current.onOpen({ kind: 'own', url: own });
  }, [own]);
  if (address === undefined || address.kind === 'own') return undefined;
  if (address.kind === 'unusable') {
    return (
      <Dialog
        title="This address cannot be opened"
        isOpen
        onClose={onClose}
        actions={<Button onPress={onClose}>Close</Button>}
      >
        <p>{address.message}</p>
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Ask another site for a file?"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            Cancel
          </Button>
          <Button
            kind="primary"
            onPress={() => {
              onClose();
              onOpen(address);
            }}
          >
            Ask {address.origin}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <p>The link names a file at</p>
        <p className={styles['address']}>{address.url}</p>
        <p>
          One request goes to <b>{address.origin}</b>, without cookies and without the address of this page. It learns
          this address of yours on the network, and that somebody asked for the file. Nothing else is sent, and nothing
          is asked again without this question.
        </p>
      </div>
    </Dialog>
  );
}
