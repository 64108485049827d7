/**
 * The reviewer's page, in a frame, over the bytes that leave: the same document, the same code, its own workers.
 *
 * The frame says when it listens; then it gets the bytes, and says when it has opened them. Both ends check that the other is this very
 * site. Until the bytes that would leave now are shown, a veil says what is being waited for.
 */
import { useEffect, useRef, useState } from 'react';
import { dataToPreviewAnswer, previewFragment, previewReady, previewShown } from '../../state/preview.ts';
import { Button } from '../../ui/Button.tsx';
import { Progress } from '../../ui/Progress.tsx';
import styles from './View.module.css';

/** What became of these bytes in the reviewer's page; `problem` undefined where it shows them. */
export interface Previewed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly problem: string | undefined;
}

export interface ReviewerPreviewProps {
  /** Undefined while the copy is made. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  readonly previewed: Previewed | undefined;
  readonly onPreviewed: (previewed: Previewed) => void;
}

export function ReviewerPreview(props: ReviewerPreviewProps) {
  return (
    <section className={styles['preview']} aria-label="What the reviewer sees">
      <header>
        <h2>What the reviewer sees</h2>
        <span>made from the bytes that leave</span>
      </header>
      <PreviewFrame {...props} />
    </section>
  );
}

function PreviewFrame({ bytes, previewed, onPreviewed }: ReviewerPreviewProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const turns = useRef(0);
  const [isPhone, setPhone] = useState(false);
  // External system: the document in the frame, which asks for its bytes whenever it was loaded.
  useEffect(() => {
    if (bytes === undefined) return undefined;
    // An answer about bytes that were handed over before says nothing about these.
    const turn = ++turns.current;
    const show = (): void =>
      frame.current?.contentWindow?.postMessage({ kind: previewShown, bytes, turn }, window.location.origin);
    const listen = (event: MessageEvent<unknown>): void => {
      if (event.origin !== window.location.origin || event.source !== frame.current?.contentWindow) return;
      if (event.data === previewReady) show();
      const answer = dataToPreviewAnswer(event.data);
      if (answer?.turn === turn) onPreviewed({ bytes, problem: answer.problem });
    };
    window.addEventListener('message', listen);
    show();
    return () => window.removeEventListener('message', listen);
  }, [bytes, onPreviewed]);
  const isAnswered = bytes !== undefined && previewed?.bytes === bytes;
  const waits =
    bytes === undefined
      ? 'Making the copy on this machine…'
      : isAnswered
        ? undefined
        : 'Opening the copy as the reviewer will see it…';
  return (
    <div className={styles['stage']} aria-busy={waits !== undefined}>
      <Button kind="quiet" icon="eye" onPress={() => setPhone(!isPhone)}>
        {isPhone ? 'Show it at full width' : 'Show it as on a phone'}
      </Button>
      <div className={styles['screen']} data-phone={isPhone}>
        <iframe
          ref={frame}
          className={styles['frame']}
          title="Preview of the reviewer's page"
          src={`${window.location.pathname}${previewFragment}`}
        />
        {waits === undefined ? undefined : (
          <div className={styles['veil']} role="status">
            <p>{waits}</p>
            <Progress label={waits} share={undefined} />
          </div>
        )}
      </div>
    </div>
  );
}
