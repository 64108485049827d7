/**
 * The application around the views: address, theme, keys, dialogs that every view has, and the one view the address names.
 *
 * Used by main.tsx alone.
 */
import { Suspense, lazy, useEffect, useMemo, useState } from 'react';
import { type Location, type Navigation, NavigationContext, recoveryLocation } from '../state/location.ts';
import { setLetterKeys, usePreferences } from '../state/preferences.ts';
import { Button } from '../ui/Button.tsx';
import { type Command, useCommands } from '../ui/commands.ts';
import { Message } from '../ui/Message.tsx';
import { Notices } from '../ui/Notices.tsx';
import { dismissNoticesOfPagesBefore } from '../ui/notices.ts';
import { Palette } from '../ui/Palette.tsx';
import { View as LibraryView } from '../views/library/View.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { environmentToLimitations, readEnvironment } from './environment.ts';
import { useFocusKeeper } from './focus-keeper.ts';
import { LoadingView } from './LoadingView.tsx';
import { useIdleFlag } from './idle.ts';
import { useKeyboard } from './keyboard.ts';
import { useAddress } from './navigation.ts';
import { locationToHash } from './route.ts';
import { useTheme } from './theme.ts';
import { type Sheet, TopBar } from './TopBar.tsx';
import { UpdateOffer } from './UpdateOffer.tsx';
import styles from './App.module.css';

const KeySheet = lazy(async () => ({ default: (await import('../ui/KeySheet.tsx')).KeySheet }));
const Legend = lazy(async () => ({ default: (await import('../ui/Legend.tsx')).Legend }));
const TraceFrame = lazy(async () => ({ default: (await import('./TraceFrame.tsx')).TraceFrame }));
const RecoveryPage = lazy(async () => ({ default: (await import('./RecoveryPage.tsx')).RecoveryPage }));
const Received = lazy(async () => ({ default: (await import('./Received.tsx')).Received }));
const limitations = environmentToLimitations(readEnvironment());

export function App() {
  const navigation = useAddress();
  const theme = useTheme();
  const letterKeys = usePreferences((preferences) => preferences.letterKeys);
  const [sheet, setSheet] = useState<Sheet>();
  const page = locationToPage(navigation.location);
  // Syncs with what was said: it is said on one page, and covers the next one.
  useEffect(() => dismissNoticesOfPagesBefore(), [page]);
  useKeyboard(letterKeys);
  useFocusKeeper();
  useIdleFlag();
  useCommands(
    'app',
    useMemo(() => appCommands(setSheet, theme.toggle, navigation), [theme.toggle, navigation]),
    'page',
  );
  const close = (): void => setSheet(undefined);
  return (
    <NavigationContext value={navigation}>
      <div className={styles['frame']}>
        {limitations.map(({ id, text }) => (
          <p key={id} className={styles['limitation']}>
            {text}
          </p>
        ))}
        <ErrorBoundary place={locationToHash(navigation.location)} onLeave={() => navigation.go({ kind: 'library' })}>
          {/* By its kind: what is left while the next is loading takes its keys along. */}
          <Suspense key={navigation.location.kind} fallback={<LoadingView label="Loading the view" />}>
            <Place location={navigation.location} navigation={navigation} onSheet={setSheet} />
          </Suspense>
        </ErrorBoundary>
        <Notices />
      </div>
      {/* Here from the start: who presses its key types on at once. */}
      <Palette isOpen={sheet === 'palette'} onClose={close} />
      <Suspense>
        {sheet === 'keys' ? (
          <KeySheet isOpen onClose={close} letterKeys={letterKeys} onLetterKeys={setLetterKeys} />
        ) : undefined}
        {sheet === 'legend' ? <Legend isOpen onClose={close} /> : undefined}
      </Suspense>
      <UpdateOffer />
    </NavigationContext>
  );
}

/** A page is left for another trace or another view; a selection or a filter leaves none. */
function locationToPage(location: Location): string {
  return location.kind === 'trace' ? `${location.trace} ${location.view}` : location.kind;
}

interface PlaceProps {
  readonly location: Location;
  readonly navigation: Navigation;
  readonly onSheet: (sheet: Sheet) => void;
}

function Place({ location, navigation, onSheet }: PlaceProps) {
  switch (location.kind) {
    case 'library':
      return (
        <>
          <TopBar
            crumbs={[]}
            onSheet={onSheet}
            actions={
              <Button
                collapses
                icon="drill"
                shortcut="y"
                aria-label="Recovery"
                onPress={() => navigation.go(recoveryLocation())}
              >
                Recovery
              </Button>
            }
          />
          <LibraryView source={location.source} />
        </>
      );
    case 'trace':
      return <TraceFrame key={location.trace} location={location} navigation={navigation} onSheet={onSheet} />;
    case 'recovery':
      return (
        <>
          <TopBar crumbs={[<span key="recovery">Recovery</span>]} onSheet={onSheet} />
          <main className={styles['view']} aria-label="Recovery">
            <RecoveryPage location={location} navigation={navigation} />
          </main>
        </>
      );
    case 'received':
      return <Received fragment={location.fragment} navigation={navigation} onSheet={onSheet} />;
    case 'unknown':
      return (
        <>
          <TopBar crumbs={[]} onSheet={onSheet} />
          <main className={styles['centre']}>
            <Message
              title="This address leads nowhere"
              icon="link"
              actions={
                <Button kind="primary" onPress={() => navigation.go({ kind: 'library' })}>
                  Go to the library
                </Button>
              }
            >
              {location.reason}
            </Message>
          </main>
        </>
      );
  }
}

function appCommands(
  onSheet: (sheet: Sheet) => void,
  toggleTheme: () => void,
  navigation: Navigation,
): readonly Command[] {
  const group = 'Page';
  return [
    {
      id: 'app.palette',
      name: 'Every command',
      group,
      keys: ['mod+k'],
      inPalette: false,
      run: () => onSheet('palette'),
    },
    { id: 'app.keys', name: 'Show all keys', group, keys: ['?'], run: () => onSheet('keys') },
    { id: 'app.legend', name: 'Show the legend', group, keys: ['l'], run: () => onSheet('legend') },
    { id: 'app.theme', name: 'Switch between light and dark', group, keys: ['t'], run: toggleTheme },
    {
      id: 'app.recovery',
      name: 'Judge recovery trials',
      group,
      keys: ['y'],
      run: () => navigation.go(recoveryLocation()),
    },
    { id: 'app.library', name: 'Go to the library', group, keys: ['h'], run: () => navigation.go({ kind: 'library' }) },
    ...(navigation.location.kind === 'recovery'
      ? [
          {
            id: 'app.out',
            name: 'Back to the library',
            group,
            keys: ['Escape'],
            inPalette: false,
            run: () => navigation.go({ kind: 'library' }),
          },
        ]
      : []),
  ];
}
