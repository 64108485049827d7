/**
 * Asks for the file of a share and, where the file says that it opens with one, for its passphrase.
 *
 * What did not open is said with the name of the file, and another passphrase or file can be given at once.
 */
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { fileToShareKind } from '../data/index.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Message } from '../ui/Message.tsx';
import { notify } from '../ui/notices.ts';
import { Waiting } from '../ui/Progress.tsx';
import { nameToShown } from '../core/base/shown-text.ts';

export interface ShareFileProps {
  /** The address holds the key of the file. */
  readonly hasKey: boolean;
  readonly isOpening: boolean;
  /** Why what was tried last did not open. */
  readonly problem: string | undefined;
  readonly onOpen: (file: Uint8Array<ArrayBuffer>, passphrase?: string) => void;
  readonly toLibrary: ReactNode;
}

interface ChosenFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isLocked: boolean;
}

export function ShareFile({ hasKey, isOpening, problem, onOpen, toLibrary }: ShareFileProps) {
  const [chosen, setChosen] = useState<ChosenFile>();
  const [passphrase, setPassphrase] = useState('');

  async function take(file: File | null | undefined): Promise<void> {
    if (file === null || file === undefined) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const isLocked = fileToShareKind(bytes) === 'passphrase';
    setChosen({ name: nameToShown(file.name), bytes, isLocked });
    setPassphrase('');
    if (!isLocked) onOpen(bytes);
  }

  const choose = (label: string): ReactNode => (
    <FileTrigger
      onSelect={(files) => {
        take(files?.item(0)).catch((error: unknown) =>
          notify(error instanceof Error ? error.message : String(error), { tone: 'problem' }),
        );
      }}
    >
      <Button kind={chosen === undefined ? 'primary' : 'plain'} icon="file">
        {label}
      </Button>
    </FileTrigger>
  );
  if (isOpening) return <Waiting label={`Opening ${chosen?.name ?? 'the share'}`} />;
  const failed =
    problem === undefined || chosen === undefined ? undefined : (
      <Message title={`“${chosen.name}” could not be opened`} tone="problem" icon="warning">
        {problem}
      </Message>
    );
  if (chosen?.isLocked === true) {
    const open = (event: SubmitEvent): void => {
      event.preventDefault();
      if (passphrase !== '') onOpen(chosen.bytes, passphrase);
    };
    return (
      <>
        {failed}
        <form onSubmit={open}>
          <Message
            title={`“${chosen.name}” opens with a passphrase`}
            icon="file"
            isPage
            actions={
              <>
                <Button kind="primary" type="submit" isDisabled={passphrase === ''}>
                  Open the share
                </Button>
                {choose('Choose another file')}
                {failed === undefined ? undefined : toLibrary}
              </>
            }
          >
            <Field label="Passphrase" value={passphrase} onChange={setPassphrase} autoFocus />
          </Message>
        </form>
      </>
    );
  }
  return (
    <>
      {failed}
      <Message
        title={hasKey ? 'Add the share file that came with this link' : 'Choose the share file you were given'}
        icon="file"
        isPage
        actions={
          <>
            {choose(chosen === undefined ? 'Choose the file' : 'Choose another file')}
            {failed === undefined ? undefined : toLibrary}
          </>
        }
      >
        {hasKey
          ? 'The link holds only the key. The copy itself is in a file whose name ends with .hindcast; it is opened here, on this machine, and not stored.'
          : 'Its name ends with .hindcast. It is opened here, on this machine, and not stored: with its passphrase, or, where it came with a link that holds its key, by opening that link first.'}
      </Message>
    </>
  );
}
