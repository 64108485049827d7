/**
 * Reviewer mode: a received share, opened in memory and shown read-only by the same explorer.
 *
 * The address keeps the share's own fragment, so that reloading shows the copy again and nothing of it is stored; what the reviewer
 * selects lives in this component instead of the address.
 */
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { passageToShown } from '../core/base/shown-text.ts';
import { type EventId, branchId, eventId } from '../core/model/index.ts';
import { omissionToWords } from '../core/share/omitted.ts';
import {
  type HeldCopy,
  type ReceivedShare,
  type ShareFragment,
  receivedFragment,
  useOpenShare,
  useSummary,
} from '../data/index.ts';
import { type Navigation, NavigationContext, type TraceLocation, traceLocation } from '../state/location.ts';
import {
  type PreviewAnswer,
  previewAnswerToData,
  previewFragment,
  previewReady,
  previewShown,
  shareFileFragment,
} from '../state/preview.ts';
import { Button } from '../ui/Button.tsx';
import { CopyContext } from '../ui/Chip.tsx';
import { countOf } from '../ui/format.ts';
import { Icon } from '../ui/Icons.tsx';
import { Message } from '../ui/Message.tsx';
import { Waiting } from '../ui/Progress.tsx';
import { useTitle } from '../ui/use-title.ts';
import { ShareFile } from './ShareFile.tsx';
import { type Sheet, TopBar } from './TopBar.tsx';
import { TraceFrame } from './TraceFrame.tsx';
import styles from './Received.module.css';

export interface ReceivedProps {
  /** The fragment of the address. */
  readonly fragment: string;
  readonly navigation: Navigation;
  readonly onSheet: (sheet: Sheet) => void;
}

/** By its address: another link in the same tab is another share, and nothing of the one before stays. */
export function Received(props: ReceivedProps) {
  return <ReceivedFrom key={props.fragment} {...props} />;
}

function ReceivedFrom({ fragment, navigation, onSheet }: ReceivedProps) {
  const share = useOpenShare();
  const isPreview = fragment === previewFragment;
  const reading = useMemo(() => receivedFragment(fragment), [fragment]);
  const open = share.mutate;
  const isStarted = useRef(false);
  const [answer, setAnswer] = useState<PreviewAnswer>();
  // External system: the frame's parent, which hands over the bytes it previews.
  useEffect(
    () =>
      isPreview
        ? listenForPreview((bytes, turn) =>
            open(
              { kind: 'bytes', bytes },
              { onSettled: (_copy, error) => setAnswer({ turn, problem: error?.message }) },
            ),
          )
        : undefined,
    [isPreview, open],
  );
  // External system: the frame's parent, which says that the copy is being opened until it is told what became of it.
  useEffect(() => {
    if (answer !== undefined) window.parent.postMessage(previewAnswerToData(answer), window.location.origin);
  }, [answer]);
  // External system: the worker that decrypts and holds the copy; asked once.
  useEffect(() => {
    if (isStarted.current || !reading.ok || reading.value?.kind !== 'share') return;
    isStarted.current = true;
    open({ kind: 'fragment', fragment: reading.value });
  }, [reading, open]);

  if (share.data !== undefined) {
    return <ReceivedCopy key={share.data.trace} copy={share.data} navigation={navigation} onSheet={onSheet} />;
  }
  const toLibrary = (kind: 'primary' | 'plain'): ReactNode => (
    <Button kind={kind} onPress={() => navigation.go({ kind: 'library' })}>
      Go to the library
    </Button>
  );
  const key = reading.ok && reading.value?.kind === 'key' ? reading.value : undefined;
  if (key !== undefined || fragment === shareFileFragment) {
    return (
      <Place onSheet={onSheet}>
        <ShareFile
          hasKey={key !== undefined}
          isOpening={share.isPending}
          problem={share.error?.message}
          onOpen={(file, passphrase) => open(fileToReceived(key, file, passphrase))}
          toLibrary={toLibrary('plain')}
        />
      </Place>
    );
  }
  const problem = reading.ok ? share.error?.message : reading.error;
  if (problem !== undefined) {
    return (
      <Place onSheet={onSheet}>
        <Message
          title="The share could not be opened"
          tone="problem"
          icon="warning"
          isPage
          actions={toLibrary('primary')}
        >
          {problem}
        </Message>
      </Place>
    );
  }
  return (
    <Place onSheet={onSheet}>
      <Waiting label={isPreview ? 'Waiting for the copy' : 'Opening the share'} />
    </Place>
  );
}

function Place({ onSheet, children }: { readonly onSheet: (sheet: Sheet) => void; readonly children: ReactNode }) {
  useTitle('A share');
  return (
    <>
      <TopBar crumbs={[]} onSheet={onSheet} />
      <main className={styles['centre']}>{children}</main>
    </>
  );
}

interface ReceivedCopyProps {
  readonly copy: HeldCopy;
  readonly navigation: Navigation;
  readonly onSheet: (sheet: Sheet) => void;
}

function ReceivedCopy({ copy, navigation, onSheet }: ReceivedCopyProps) {
  const [location, setLocation] = useState<TraceLocation>(() => copyToLocation(copy));
  const inside = useMemo(
    (): Navigation => ({
      location,
      go: (to, how) => (to.kind === 'trace' && to.trace === location.trace ? setLocation(to) : navigation.go(to, how)),
      hrefOf: (to) => (to.kind === 'trace' ? window.location.hash : navigation.hrefOf(to)),
    }),
    [location, navigation],
  );
  return (
    <NavigationContext value={inside}>
      <section className={styles['banner']} aria-label="About this copy">
        <Icon name="eye" />
        <strong>{copy.isDeclared ? 'Redacted copy, read-only.' : 'Not a redacted copy. Read-only.'}</strong>
        <span>
          {copy.isDeclared ? (
            <WithheldFacts
              copy={copy}
              onDeclaration={(event) =>
                setLocation({ ...location, event, extra: { ...location.extra, tab: 'payload' } })
              }
            />
          ) : (
            'It does not say that it is one: nothing in it is known to be withheld, and it may be the original with all its texts. It is held in memory only and was not stored.'
          )}
          {lastDayToWords(copy.expires)}
        </span>
        {copy.note === undefined ? undefined : <p>Note: {passageToShown(copy.note)}</p>}
      </section>
      <CopyContext value={copy.isDeclared}>
        <TraceFrame location={location} navigation={inside} onSheet={onSheet} isCopy />
      </CopyContext>
    </NavigationContext>
  );
}

interface WithheldFactsProps {
  readonly copy: HeldCopy;
  readonly onDeclaration: (event: EventId) => void;
}

function WithheldFacts({ copy, onDeclaration }: WithheldFactsProps) {
  // On a low page what holds of every copy is one press away, so that the run has the room.
  const [isLong, setLong] = useState(false);
  const declared = useSummary(copy.trace).data?.copy?.declared;
  const omission = omissionToWords(copy);
  const withheld = `${countOf(copy.holes, 'value')} withheld`;
  return (
    <>
      {declared === undefined || copy.holes === 0 ? (
        withheld
      ) : (
        <button
          type="button"
          className={styles['list']}
          title="Shows the declaration of the copy, which lists each with its class and reason"
          onClick={() => onDeclaration(declared)}
        >
          {withheld}
        </button>
      )}{' '}
      and shown as holes.{omission === undefined ? '' : ` Not in it: ${omission}.`}{' '}
      <span className={styles['rest']} data-shown={isLong}>
        Names with a code such as tool-k7qd are stand-ins, the same inside this copy. It is held in memory only and was
        not stored.
      </span>
      <button type="button" className={styles['more']} aria-expanded={isLong} onClick={() => setLong(!isLong)}>
        {isLong ? 'Less' : 'About copies'}
      </button>
    </>
  );
}

function lastDayToWords(end: HeldCopy['expires']): string {
  if (end === undefined) return '';
  return 'day' in end ? ` It expires on ${end.day}.` : ` What stands for its last day is no time: “${end.unread}”.`;
}

function copyToLocation({ trace, view }: HeldCopy): TraceLocation {
  const location = traceLocation(trace);
  return {
    ...location,
    branch: view?.branch === undefined ? location.branch : branchId(view.branch),
    event: view?.event === undefined ? undefined : eventId(view.event),
  };
}

function fileToReceived(
  key: ShareFragment | undefined,
  file: Uint8Array<ArrayBuffer>,
  passphrase: string | undefined,
): ReceivedShare {
  if (passphrase !== undefined) return { kind: 'passphrase', file, passphrase };
  return key === undefined ? { kind: 'file', file } : { kind: 'fragment', fragment: key, file };
}

/** Asks the parent for the bytes and takes each set it sends; only from this very site. */
function listenForPreview(onBytes: (bytes: Uint8Array<ArrayBuffer>, turn: number) => void): () => void {
  const { origin } = window.location;
  const listen = (event: MessageEvent<unknown>): void => {
    if (event.origin !== origin || event.source !== window.parent) return;
    const { data } = event;
    if (
      typeof data !== 'object' ||
      data === null ||
      !('kind' in data) ||
      data.kind !== previewShown ||
      !('bytes' in data) ||
      !('turn' in data) ||
      typeof data.turn !== 'number'
    )
      return;
    if (data.bytes instanceof Uint8Array) onBytes(new Uint8Array(data.bytes), data.turn);
  };
  window.addEventListener('message', listen);
  window.parent.postMessage(previewReady, origin);
  return () => window.removeEventListener('message', listen);
}
