/** Asks for the file of a share and, where the file says that it opens with one, for its passphrase. */
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { fileToShareKind } from '../data/index.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Message } from '../ui/Message.tsx';
import { notify } from '../ui/notices.ts';

export interface ShareFileProps {
  /** The address holds the key of the file. */
  readonly hasKey: boolean;
  readonly onOpen: (file: Uint8Array<ArrayBuffer>, passphrase?: string) => void;
}

export function ShareFile({ hasKey, onOpen }: ShareFileProps) {
  const [locked, setLocked] = useState<Uint8Array<ArrayBuffer>>();
  const [passphrase, setPassphrase] = useState('');

  async function take(file: File | null | undefined): Promise<void> {
    if (file === null || file === undefined) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (fileToShareKind(bytes) === 'passphrase') setLocked(bytes);
    else onOpen(bytes);
  }

  if (locked !== undefined) {
    return (
      <Message
        title="This share opens with a passphrase"
        icon="file"
        actions={
          <Button kind="primary" isDisabled={passphrase === ''} onPress={() => onOpen(locked, passphrase)}>
            Open the share
          </Button>
        }
      >
        <Field label="Passphrase" value={passphrase} onChange={setPassphrase} autoFocus />
      </Message>
    );
  }
  return (
    <Message
      title={hasKey ? 'Add the share file that came with this link' : 'Choose the share file you were given'}
      icon="file"
      actions={
        <FileTrigger
          onSelect={(files) => {
            take(files?.item(0)).catch((error: unknown) =>
              notify(error instanceof Error ? error.message : String(error), { tone: 'problem' }),
            );
          }}
        >
          <Button kind="primary" icon="file">
            Choose the file
          </Button>
        </FileTrigger>
      }
    >
      {hasKey
        ? 'The link holds only the key. The copy itself is in a file whose name ends with .hindcast; it is opened here, on this machine, and not stored.'
        : 'Its name ends with .hindcast. It is opened here, on this machine, with its passphrase, and not stored.'}
    </Message>
  );
}
