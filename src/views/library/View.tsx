/**
 * The library: the way in, and what is on this machine.
 *
 * Without traces it is the first page of the product: what it does, where to drop a file, four incidents to learn from,
 * what it reads and what it promises. With traces the list comes first.
 */
import { useMemo, useState } from 'react';
import { type Sample, useImportPhase, useSamples, useTracesAnew } from '../../data/index.ts';
import { useNavigation } from '../../state/location.ts';
import { type Command, useCommands } from '../../ui/commands.ts';
import { Message } from '../../ui/Message.tsx';
import { Waiting } from '../../ui/Progress.tsx';
import { useTitle } from '../../ui/use-title.ts';
import { useNoStrayDrops } from '../../ui/drops.ts';
import { notify } from '../../ui/notices.ts';
import { DropZone } from './DropZone.tsx';
import { ImportPanel } from './ImportPanel.tsx';
import { About } from './About.tsx';
import { Samples } from './Samples.tsx';
import { SourceDialog, UrlDialog } from './SourceDialog.tsx';
import { StorageLine } from './StorageLine.tsx';
import { TraceTable } from './TraceTable.tsx';
import { type Opening, useOpen } from './use-open.ts';
import styles from './View.module.css';

export interface LibraryViewProps {
  /** An address the page was asked to open, before the person was. */
  readonly source: string | undefined;
}

function refuseDrop(): void {
  notify('Nothing was opened: one trace at a time. Drop it again when the one on its way is there.', {
    tone: 'problem',
  });
}

export function View({ source }: LibraryViewProps) {
  useTitle(undefined);
  const navigation = useNavigation();
  const traces = useTracesAnew();
  const samples = useSamples();
  const campaign = useSamples('campaign.json');
  const phase = useImportPhase();
  const opening = useOpen(navigation);
  const [isUrlOpen, setUrlOpen] = useState(false);
  // A library that cannot be read still has its way in.
  const isEmpty = traces.data?.length === 0 || traces.isError;
  const isBusy = phase !== 'idle' || opening.fetching !== undefined;
  // What could not be opened stays in sight, and so does the way in for the next try.
  const isRefused = phase === 'failed';
  useNoStrayDrops(isBusy && !isRefused, refuseDrop);
  // While something is being opened a key that opens a sample would put another trace under the person's hands.
  const isReady = !isBusy || isRefused;
  const commands = [
    ...libraryCommands(isReady ? (samples.data ?? []) : [], opening, isEmpty, () => setUrlOpen(true)),
    ...(isReady ? campaignCommands(samples.data ?? [], campaign.data ?? [], opening) : []),
  ];
  useStableCommands(commands);
  return (
    <main className={styles['page']} data-empty={isEmpty}>
      <div className={styles['column']}>
        {isEmpty ? <Welcome /> : <h1 className={styles['spoken']}>Library</h1>}
        {isBusy ? <ImportPanel opening={opening} /> : undefined}
        {isBusy && !isRefused ? undefined : (
          <DropZone isLarge={isEmpty && !isRefused} onFiles={opening.openFiles} onUrl={() => setUrlOpen(true)} />
        )}
        {traces.error === null ? undefined : (
          <Message title="The library could not be read" tone="problem" icon="warning">
            {traces.error.message}
          </Message>
        )}
        {traces.isPending ? <Waiting label="Reading the library" /> : undefined}
        {traces.data === undefined || traces.data.length === 0 ? undefined : <TraceTable traces={traces.data} />}
        <Samples
          samples={samples.data ?? []}
          isFirst={isEmpty}
          onOpen={opening.openSample}
          campaign={campaign.data ?? []}
          onOpenCampaign={opening.openTrials}
        />
        <About />
        <StorageLine />
      </div>
      <UrlDialog
        isOpen={isUrlOpen}
        onClose={() => setUrlOpen(false)}
        onOpen={(url) => navigation.go({ kind: 'library', source: url })}
      />
      <SourceDialog
        source={source}
        onClose={() => navigation.go({ kind: 'library' }, 'replace')}
        onOpen={opening.openSource}
      />
    </main>
  );
}

function Welcome() {
  return (
    <header className={styles['welcome']}>
      <h1>What did the agent do, and what caused it?</h1>
      <p>
        Open the recorded event stream of an agent run. Hindcast shows which step chose what, on which evidence, what
        left the system and whether it happened twice. Change one step, see what falls, and replay the rest here, in
        this page.
      </p>
    </header>
  );
}

/** Registers commands that change only when a person could notice: their names and whether they exist. */
function useStableCommands(commands: readonly Command[]): void {
  const shape = commands.map(({ id, name, keys = [] }) => `${id}\n${name}\n${keys.join(' ')}`).join('\n');
  const [latest] = useState<{ commands: readonly Command[] }>({ commands });
  Object.assign(latest, { commands });
  useCommands(
    'library',
    useMemo(
      () =>
        shape === ''
          ? []
          : latest.commands.map((command, at) => ({ ...command, run: () => latest.commands[at]?.run() })),
      [shape, latest],
    ),
  );
}

function libraryCommands(
  samples: readonly Sample[],
  opening: Opening,
  isEmpty: boolean,
  openUrl: () => void,
): readonly Command[] {
  const group = 'Library';
  const pick = (id: string) => () => document.getElementById(id)?.click();
  return [
    { id: 'library.files', name: 'Open files', group, keys: ['o'], run: pick('pick-files') },
    { id: 'library.folder', name: 'Open a folder', group, keys: ['d'], run: pick('pick-folder') },
    { id: 'library.url', name: 'Open an address', group, keys: ['u'], run: openUrl },
    ...samples.slice(0, 9).map((sample, at) => ({
      id: `library.sample.${at + 1}`,
      name: `Open the sample “${sample.title}”`,
      group,
      keys: at === 0 && isEmpty ? ['1', 'Enter'] : [String(at + 1)],
      run: () => opening.openSample(sample),
    })),
  ];
}

/** The card of the campaign stands after those of the samples, and so does its key. */
function campaignCommands(
  samples: readonly Sample[],
  campaign: readonly Sample[],
  opening: Opening,
): readonly Command[] {
  if (samples.length === 0 || campaign.length === 0) return [];
  return [
    {
      id: 'library.campaign',
      name: 'Open the sample campaign',
      group: 'Library',
      keys: [String(samples.length + 1)],
      run: () => opening.openTrials(campaign),
    },
  ];
}
