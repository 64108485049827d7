/** The way in: drop, pick, paste, or an address. The whole page takes a drop; this is where it is said. */
import type { OpenedFile } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icons.tsx';
import { notify } from '../../ui/notices.ts';
import { CausePicture } from './CausePicture.tsx';
import { textToFile } from './dropped-files.ts';
import { usePageDrop, usePagePaste } from './page-files.ts';
import { Picker } from './Picker.tsx';
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

async function readClipboard(): Promise<string> {
  const clipboard: Clipboard | undefined = navigator.clipboard;
  return clipboard.readText();
}
