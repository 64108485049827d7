/** Files dropped where the page, or one part of it, decides what becomes of them. Everywhere else the library opens them. */
import { type RefObject, useEffect, useRef } from 'react';

/** Keeps the browser from leaving the page for a file; `onRefused` says why nothing came of the drop. */
export function useNoStrayDrops(isOn: boolean, onRefused?: () => void): void {
  const latest = useRef(onRefused);
  useEffect(() => {
    latest.current = onRefused;
  }, [onRefused]);
  useEffect(() => {
    if (!isOn) return undefined;
    const onDragOver = (event: DragEvent): void => {
      event.preventDefault();
    };
    const onDrop = (event: DragEvent): void => {
      event.preventDefault();
      latest.current?.();
    };
    document.addEventListener('dragover', onDragOver);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onDragOver);
      document.removeEventListener('drop', onDrop);
    };
  }, [isOn]);
}

/** The first file dropped on one element; the page does not see that drop. */
export function useFileDrop(target: RefObject<HTMLElement | null>, onFile: (file: File) => void): void {
  const latest = useRef(onFile);
  useEffect(() => {
    latest.current = onFile;
  }, [onFile]);
  useEffect(() => {
    const element = target.current;
    if (element === null) return undefined;
    const onDragOver = (event: DragEvent): void => {
      event.preventDefault();
    };
    const onDrop = (event: DragEvent): void => {
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current(file);
    };
    element.addEventListener('dragover', onDragOver);
    // Before an editor inside it, which would write the file into its text.
    element.addEventListener('drop', onDrop, { capture: true });
    return () => {
      element.removeEventListener('dragover', onDragOver);
      element.removeEventListener('drop', onDrop, { capture: true });
    };
  }, [target]);
}
