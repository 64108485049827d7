/**
 * The library's way in for another page, which stays where it is: drop anywhere, choose files or a folder, and the same panel of the import
 * with its choice and its failures.
 */
import type { ReactNode } from 'react';
import { useImport } from '../../data/index.ts';
import type { Navigation } from '../../state/location.ts';
import { Button } from '../../ui/Button.tsx';
import { notify } from '../../ui/notices.ts';
import { ImportPanel } from './ImportPanel.tsx';
import { usePageDrop } from './page-files.ts';
import { Picker } from './Picker.tsx';
import { useOpen } from './use-open.ts';

export interface WayIn {
  /** The buttons that choose. */
  readonly acts: ReactNode;
  /** What is being opened, chosen among, or could not be opened; undefined where nothing is. */
  readonly panel: ReactNode | undefined;
  /** Something is dragged over the page. */
  readonly isOver: boolean;
}

export function useWayIn(navigation: Navigation, onOpened: (traces: readonly string[]) => void): WayIn {
  const opening = useOpen(navigation, { onOpened });
  const { state } = useImport();
  const isFailed = state.status === 'failed' && state.failure.code !== 'choice';
  const isBusy = state.status !== 'idle' && state.status !== 'done' && !isFailed;
  const open: typeof opening.openFiles = (files) => {
    if (isBusy)
      notify('Nothing was opened: one thing at a time. Drop it again when the one on its way is there.', {
        tone: 'problem',
      });
    else opening.openFiles(files);
  };
  const isOver = usePageDrop(open);
  // Samples have a place of their own on the page.
  const isShown = 'request' in state && state.request.origin === 'opened';
  return {
    acts: (
      <>
        <Picker id="pick-files" onFiles={open} />
        <Picker id="pick-folder" isFolder onFiles={open} />
        <Button icon="file" isDisabled={isBusy} onPress={() => document.getElementById('pick-files')?.click()}>
          Choose files
        </Button>
        <Button icon="folder" isDisabled={isBusy} onPress={() => document.getElementById('pick-folder')?.click()}>
          Choose a folder
        </Button>
      </>
    ),
    panel: isShown ? <ImportPanel opening={opening} /> : undefined,
    isOver,
  };
}
