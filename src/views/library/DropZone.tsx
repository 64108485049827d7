/** The way in: drop, pick, paste, or an address. The whole page takes a drop; this is where it is said. */
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import type { OpenedFile } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icons.tsx';
import { notify } from '../../ui/notices.ts';
import { CausePicture } from './CausePicture.tsx';
import {
  type DroppedFiles,
  itemsToFiles,
  listToFiles,
  skippedToSentence,
  textToFile,
  transferToItems,
} from './dropped-files.ts';
import styles from './DropZone.module.css';

export interface DropZoneProps {
  readonly isLarge: boolean;
  readonly onFiles: (files: readonly OpenedFile[]) => void;
  readonly onUrl: () => void;
}

export function DropZone({ isLarge, onFiles, onUrl }: DropZoneProps) {
  const isOver = usePageDrop(onFiles);
  usePagePaste(onFiles);
  const paste = (): void => {
    readClipboard().then(
      (text) =>
        text.trim() === '' ? notify('The clipboard holds no text.', { tone: 'problem' }) : onFiles([textToFile(text)]),
      () =>
        notify('The browser did not let the page read the clipboard. Press Ctrl V, or Cmd V, on this page instead.'),
    );
  };
  return (
    <section className={styles['zone']} data-large={isLarge} data-over={isOver} aria-label="Open a trace">
      <div className={styles['words']}>
        <h2>
          <Icon name="drop" size={20} />
          {isOver ? 'Let go to open it' : 'Drop a trace anywhere on this page'}
        </h2>
        {isLarge ? (
          <p>
            A file, several files of one run, or a whole folder; plain, gzip, zstd or zip. Damaged lines are set aside
            and listed, the rest stays usable, and nothing is half kept if you cancel.
          </p>
        ) : undefined}
        <div className={styles['ways']}>
          <Picker id="pick-files" onFiles={onFiles} />
          <Picker id="pick-folder" isFolder onFiles={onFiles} />
          <Button
            kind={isLarge ? 'primary' : 'plain'}
            icon="file"
            shortcut="o"
            onPress={() => document.getElementById('pick-files')?.click()}
          >
            Choose files
          </Button>
          <Button icon="folder" shortcut="d" onPress={() => document.getElementById('pick-folder')?.click()}>
            Choose a folder
          </Button>
          <Button icon="clipboard" onPress={paste}>
            Paste
          </Button>
          <Button icon="link" shortcut="u" onPress={onUrl}>
            Open an address
          </Button>
        </div>
      </div>
      {isLarge ? <CausePicture /> : undefined}
    </section>
  );
}

function Picker({
  id,
  isFolder = false,
  onFiles,
}: {
  readonly id: string;
  readonly isFolder?: boolean;
  readonly onFiles: DropZoneProps['onFiles'];
}) {
  const input = useRef<HTMLInputElement>(null);
  // Syncs with an attribute that React does not know.
  useEffect(() => {
    input.current?.toggleAttribute('webkitdirectory', isFolder);
  }, [isFolder]);
  const onChange = (event: ChangeEvent<HTMLInputElement>): void => {
    const { files } = event.target;
    if (files !== null && files.length > 0) onFiles(takeFiles(listToFiles(files)));
    event.target.value = '';
  };
  return (
    <input
      ref={input}
      id={id}
      type="file"
      multiple
      tabIndex={-1}
      aria-label={isFolder ? 'Folder to open' : 'Files to open'}
      className={styles['input']}
      onChange={onChange}
    />
  );
}

/** What is left out is said, never silently. */
function takeFiles({ files, skipped }: DroppedFiles): readonly OpenedFile[] {
  if (skipped.length > 0) notify(skippedToSentence(skipped));
  return files;
}

async function readClipboard(): Promise<string> {
  const clipboard: Clipboard | undefined = navigator.clipboard;
  return clipboard.readText();
}

/** Syncs with drags over the document; a drop anywhere counts. */
function usePageDrop(onFiles: DropZoneProps['onFiles']): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  }, [onFiles]);
  useEffect(() => {
    const onDragOver = (event: DragEvent): void => {
      event.preventDefault();
      setOver(true);
    };
    const onDragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      if (event.dataTransfer === null) return;
      const text = event.dataTransfer.getData('text/plain');
      const items = transferToItems(event.dataTransfer);
      if (items.entries.length + items.files.length === 0 && text !== '') latest.current([textToFile(text)]);
      else {
        itemsToFiles(items).then(
          (dropped) => latest.current(takeFiles(dropped)),
          (error: unknown) =>
            notify(`What was dropped could not be read: ${error instanceof Error ? error.message : String(error)}.`, {
              tone: 'problem',
            }),
        );
      }
    };
    document.addEventListener('dragover', onDragOver);
    document.addEventListener('dragleave', onDragLeave);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onDragOver);
      document.removeEventListener('dragleave', onDragLeave);
      document.removeEventListener('drop', onDrop);
    };
  }, []);
  return isOver;
}

/** Syncs with pasting on the page, outside of text fields. */
function usePagePaste(onFiles: DropZoneProps['onFiles']): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const isField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
      if (isField || event.clipboardData === null) return;
      const { files } = event.clipboardData;
      const text = event.clipboardData.getData('text/plain');
      if (files.length > 0) onFiles(takeFiles(listToFiles(files)));
      else if (text.trim() !== '') onFiles([textToFile(text)]);
    };
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('paste', onPaste);
    };
  }, [onFiles]);
}
