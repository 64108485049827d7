/** The last step: encrypt the previewed bytes and hand over a link or a file. Sizes are on the buttons; acts go into the access log. */
import { useRef, useState } from 'react';
import type { RedactionPolicy } from '../../core/redaction/index.ts';
import { type MadeShare, type ShareForm, type TraceId, useRecordAct, useSealShare } from '../../data/index.ts';
import { shareFileFragment } from '../../state/preview.ts';
import { Button } from '../../ui/Button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { Field } from '../../ui/Field.tsx';
import { bytesToText, countOf } from '../../ui/format.ts';
import { notify } from '../../ui/notices.ts';
import { saveFile } from '../../ui/save-file.ts';
import { handOver } from './hand-over.ts';
import styles from './Sending.module.css';

export interface SendingProps {
  /** Undefined until the copy was made and the reviewer's page has shown it: only previewed bytes can be sent. */
  readonly made: MadeShare | undefined;
  readonly trace: TraceId;
  readonly policy: RedactionPolicy;
}

/** Characters that chat programs and most browsers take without cutting. */
const chatLimit = 8_000;
const browserLimit = 32_000;

export function Sending({ made, trace, policy }: SendingProps) {
  const seal = useSealShare();
  const record = useRecordAct();
  const [passphrase, setPassphrase] = useState('');
  // A key from a passphrase takes a second: another press would make another file.
  const isBusy = useRef(false);
  const [link, setLink] = useState<{ readonly text: string; readonly of: MadeShare; readonly isKey: boolean }>();
  const page = `${window.location.origin}${window.location.pathname}`;
  const linkLength = made === undefined ? 0 : page.length + Math.ceil(((made.bytes.length + 28) * 4) / 3) + 52;

  async function send(form: ShareForm): Promise<void> {
    if (made === undefined) return;
    await handOver({
      seal: () => seal.mutateAsync({ made, form, page }),
      record: () =>
        record.mutateAsync({
          what: 'share',
          trace,
          detail: `${form.kind === 'link' ? 'link' : 'file'}: ${countOf(made.events, 'event')}, ${countOf(made.holes.length, 'hole')}, policy ${policy.name}`,
        }),
      give: ({ file, link: sent }) => {
        if (file !== undefined) saveFile(file, 'copy.hindcast');
        if (form.kind !== 'passphrase') setLink({ text: sent, of: made, isKey: form.kind === 'file' });
      },
    });
    notify(form.kind === 'link' ? 'The link is ready to copy.' : 'The encrypted file was saved.');
  }

  function start(form: ShareForm): void {
    if (isBusy.current) return;
    isBusy.current = true;
    send(form)
      .catch((error: unknown) => notify(error instanceof Error ? error.message : String(error), { tone: 'problem' }))
      .finally(() => {
        isBusy.current = false;
      })
      .catch(reportError);
  }

  const shown = link?.of === made ? link : undefined;
  return (
    <section className={styles['sending']} aria-label="Hand it over">
      <h2>Hand it over</h2>
      <div className={styles['buttons']}>
        <Button kind="primary" icon="link" isDisabled={made === undefined} onPress={() => start({ kind: 'link' })}>
          {made === undefined ? 'Make a link' : `Make a link (${bytesToText(linkLength)})`}
        </Button>
        <Button icon="file" isDisabled={made === undefined} onPress={() => start({ kind: 'file' })}>
          {made === undefined
            ? 'Save an encrypted file'
            : `Save an encrypted file (${bytesToText(made.bytes.length + 37)})`}
        </Button>
      </div>
      {made === undefined ? undefined : <p>{limitSentence(linkLength)}</p>}
      {isOwnMachine(window.location.hostname) ? (
        <p>
          This page is served from this machine ({window.location.host}): a link made here opens on this machine alone.
          For a reviewer elsewhere make it on a site that both of you reach, or send the file with a passphrase.
        </p>
      ) : undefined}
      {shown === undefined ? undefined : <LinkToCopy link={shown.text} isKey={shown.isKey} />}
      <div className={styles['passphrase']}>
        <Field
          label="Or a file that opens with a passphrase"
          value={passphrase}
          onChange={setPassphrase}
          help={`Tell it to the reviewer in another way than the file. At least 12 characters. The file opens at ${page}${shareFileFragment}`}
        />
        <Button
          isDisabled={made === undefined || passphrase.length < 12}
          onPress={() => start({ kind: 'passphrase', passphrase })}
        >
          Save with passphrase
        </Button>
      </div>
    </section>
  );
}

/** Nobody else can open an address of the loopback interface. */
function isOwnMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.endsWith('.localhost') || /^127\./.test(host);
}

function LinkToCopy({ link, isKey }: { readonly link: string; readonly isKey: boolean }) {
  return (
    <div className={styles['link']}>
      <input
        readOnly
        value={link}
        aria-label={isKey ? 'Key link for the file' : 'Link for the reviewer'}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button icon="link" onPress={() => copyText(link, 'The link was copied.')}>
        {isKey ? 'Copy the key link' : 'Copy the link'}
      </Button>
      <p>
        {isKey
          ? 'This link holds the key of copy.hindcast and nothing else: send it in another way than the file.'
          : 'The key is in the part after #, which browsers send to no server. Whoever has the whole link can read the copy.'}
      </p>
    </div>
  );
}

function limitSentence(length: number): string {
  if (length <= chatLimit) return 'The link is short enough for chat programs.';
  if (length <= browserLimit)
    return 'Many chat programs cut links of this length (over 8,000 characters): use the file there.';
  return 'A link of this length (over 32,000 characters) works only when it is pasted into a browser: prefer the file.';
}
