/** A trace being opened: how far, how fast, how long still, and the way to stop. Or why it could not be opened. */
import { Suspense, lazy, useState } from 'react';
import { type ImportRequest, type ImportState, type TraceId, useImport, useTraces } from '../../data/index.ts';
import { traceLocation, useNavigation } from '../../state/location.ts';
import { Button } from '../../ui/Button.tsx';
import { countOf, countToText } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { Progress } from '../../ui/Progress.tsx';
import {
  failureToAdvice,
  failureToRisk,
  fetchedShare,
  fetchedToText,
  findArrived,
  progressToFacts,
  progressToShare,
} from './import-words.ts';
import type { Opening } from './use-open.ts';
import styles from './ImportPanel.module.css';

// A file of one trace needs no choice: the first load goes without it.
const TraceChooser = lazy(async () => ({ default: (await import('./TraceChooser.tsx')).TraceChooser }));

const phases = {
  looking: 'Looking through',
  reading: 'Reading',
  indexing: 'Building the causal index',
  storing: 'Storing',
} as const;

export function ImportPanel({ opening }: { readonly opening: Opening }) {
  const { state, cancel, dismiss } = useImport();
  if (state.status === 'failed' && state.failure.code === 'choice' && 'formats' in state.failure) {
    const { request, failure } = state;
    return (
      <Suspense fallback={<section className={styles['panel']} aria-label="Opening" aria-busy />}>
        <TraceChooser request={request} choice={failure} onOpen={opening.openChosen} onClose={dismiss} />
      </Suspense>
    );
  }
  if (state.status === 'failed') return <Failed state={state} onRetry={opening.retry} onDismiss={dismiss} />;
  if (state.status === 'running' || state.status === 'stopping')
    return <Running state={state} turn={opening.turn} onCancel={cancel} />;
  const { fetching } = opening;
  const progress = fetching?.progress;
  return (
    <section className={styles['panel']} aria-label="Opening">
      <header>
        <h2>
          Fetching {fetching?.name ?? 'the trace'} <Turn turn={opening.turn} />
        </h2>
        <Button onPress={fetching?.cancel ?? dismiss}>Cancel</Button>
      </header>
      <Progress label="Fetching" share={progress === undefined ? undefined : fetchedShare(progress)} />
      {progress === undefined ? undefined : <p className={styles['facts']}>{fetchedToText(progress)}</p>}
    </section>
  );
}

function requestToName({ name, files }: ImportRequest): string {
  return (
    name ??
    (files.length === 1
      ? (files[0]?.path ?? '')
      : `${files[0]?.path.split('/')[0] ?? ''} (${countOf(files.length, 'file')})`)
  );
}

function Turn({ turn }: Pick<Opening, 'turn'>) {
  if (turn === undefined || turn.of === 1) return undefined;
  return (
    <small>
      {countToText(turn.at)} of {countToText(turn.of)}
    </small>
  );
}

function Running({
  state,
  turn,
  onCancel,
}: {
  readonly state: Extract<ImportState, { readonly status: 'running' | 'stopping' }>;
  readonly turn: Opening['turn'];
  readonly onCancel: () => void;
}) {
  const { progress, request } = state;
  const { firstRows = [] } = progress;
  return (
    <section className={styles['panel']} aria-label="Opening">
      <header>
        <h2>
          {state.status === 'stopping' ? 'Stopping' : phases[progress.phase]} <span>{requestToName(request)}</span>{' '}
          <Turn turn={turn} />
        </h2>
        <Button onPress={onCancel} isDisabled={state.status === 'stopping'}>
          Cancel
        </Button>
      </header>
      <Progress label={`Opening ${requestToName(request)}`} share={progressToShare(progress)} />
      <p className={styles['facts']}>{progressToFacts(progress).join(' · ')}</p>
      {firstRows.length === 0 ? undefined : (
        <ol className={styles['rows']} aria-label="First events read">
          {firstRows.slice(0, 8).map((row) => (
            <li key={row.id}>
              <code>{row.type}</code>
              <span>{row.agent}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

interface FailedProps {
  readonly state: Extract<ImportState, { readonly status: 'failed' }>;
  readonly onRetry: (request: ImportRequest) => void;
  readonly onDismiss: () => void;
}

function Failed({ state, onRetry, onDismiss }: FailedProps) {
  const { failure, request } = state;
  const risk = failureToRisk(failure.code);
  const advice = failureToAdvice(failure.code);
  const traces = useTraces();
  const navigation = useNavigation();
  const [before, setBefore] = useState<ReadonlySet<TraceId>>();
  // What was here when it was refused; whatever comes later came from the other tab.
  if (before === undefined && traces.data !== undefined) setBefore(new Set(traces.data.map(({ id }) => id)));
  const arrived =
    failure.code === 'busy' && before !== undefined ? findArrived(request, before, traces.data ?? []) : undefined;
  if (arrived !== undefined) {
    return (
      <section className={styles['panel']} aria-label="Opening">
        <header>
          <h2>
            <Icon name="check" /> <span>{requestToName(request)}</span> was opened in the other tab
          </h2>
        </header>
        <p role="status">“{arrived.name}” is in the library of this browser now.</p>
        <footer>
          <Button
            kind="primary"
            onPress={() => {
              onDismiss();
              navigation.go(traceLocation(arrived.id));
            }}
          >
            Show it
          </Button>
          <Button onPress={onDismiss}>Close</Button>
        </footer>
      </section>
    );
  }
  return (
    <section className={styles['panel']} aria-label="Opening" data-failed="true">
      <header>
        <h2>
          <Icon name="warning" /> <span>{requestToName(request)}</span> could not be opened
        </h2>
      </header>
      <p role="alert">{advice === undefined ? failure.message : `${failure.message} ${advice}`}</p>
      <p className={styles['facts']}>Nothing of it was kept.</p>
      <footer>
        <Button onPress={onDismiss}>Close</Button>
        {risk === undefined ? undefined : (
          <Button onPress={() => onRetry({ ...request, ...risk.accept })}>{risk.verb}</Button>
        )}
      </footer>
    </section>
  );
}
