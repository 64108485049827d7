/**
 * The reviewer's page, in a frame, over the bytes that leave: the same document, the same code, its own workers.
 *
 * The frame says when it listens; then it gets the bytes. Both ends check that the other is this very site.
 */
import { useEffect, useRef } from 'react';
import { previewFragment, previewReady, previewShown } from '../../state/preview.ts';
import { Waiting } from '../../ui/Progress.tsx';
import styles from './View.module.css';

export function ReviewerPreview({ bytes }: { readonly bytes: Uint8Array<ArrayBuffer> | undefined }) {
  return (
    <section className={styles['preview']} aria-label="What the reviewer sees">
      <header>
        <h2>What the reviewer sees</h2>
        <span>made from the bytes that leave</span>
      </header>
      {bytes === undefined ? <Waiting label="Making the copy" /> : <PreviewFrame bytes={bytes} />}
    </section>
  );
}

function PreviewFrame({ bytes }: { readonly bytes: Uint8Array<ArrayBuffer> }) {
  const frame = useRef<HTMLIFrameElement>(null);
  // External system: the document in the frame, which asks for its bytes whenever it was loaded.
  useEffect(() => {
    const show = (): void =>
      frame.current?.contentWindow?.postMessage({ kind: previewShown, bytes }, window.location.origin);
    const listen = (event: MessageEvent<unknown>): void => {
      if (event.origin !== window.location.origin || event.source !== frame.current?.contentWindow) return;
      if (event.data === previewReady) show();
    };
    window.addEventListener('message', listen);
    show();
    return () => window.removeEventListener('message', listen);
  }, [bytes]);
  return (
    <iframe
      ref={frame}
      className={styles['frame']}
      title="Preview of the reviewer's page"
      src={`${window.location.pathname}${previewFragment}`}
    />
  );
}
