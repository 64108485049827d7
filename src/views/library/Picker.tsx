/** The hidden field behind a button that chooses files or a folder. */
import { type ChangeEvent, useEffect, useRef } from 'react';
import { listToFiles } from './dropped-files.ts';
import { type OnFiles, takeFiles } from './page-files.ts';
import styles from './DropZone.module.css';

export function Picker({
  id,
  isFolder = false,
  onFiles,
}: {
  readonly id: string;
  readonly isFolder?: boolean;
  readonly onFiles: OnFiles;
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
