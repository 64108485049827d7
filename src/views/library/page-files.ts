/** Files that come to a whole page: dropped anywhere on it, or pasted outside of its text fields. */
import { useEffect, useRef, useState } from 'react';
import type { OpenedFile } from '../../data/index.ts';
import { notify } from '../../ui/notices.ts';
import {
  type DroppedFiles,
  itemsToFiles,
  listToFiles,
  skippedToSentence,
  textToFile,
  transferToItems,
} from './dropped-files.ts';

export type OnFiles = (files: readonly OpenedFile[]) => void;

/** What is left out is said, never silently. */
export function takeFiles({ files, skipped }: DroppedFiles): readonly OpenedFile[] {
  if (skipped.length > 0) notify(skippedToSentence(skipped));
  return files;
}

/** Syncs with drags over the document; a drop anywhere counts. */
export function usePageDrop(onFiles: OnFiles): boolean {
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
export function usePagePaste(onFiles: OnFiles): void {
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
