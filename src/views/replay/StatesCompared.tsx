/** The durable states of the branch beside those it was replayed from, version by version. */
import { useMemo } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import { computeJsonDifferences } from '../../core/replay/json-diff.ts';
import { useStates } from '../../data/index.ts';
import { Chip } from '../../ui/Chip.tsx';
import { Icon } from '../../ui/Icons.tsx';
import { JsonView } from '../../ui/JsonView.tsx';
import { Message } from '../../ui/Message.tsx';
import { Waiting } from '../../ui/Progress.tsx';
import { baseToWords } from './base-words.ts';
import { JsonDiff } from './JsonDiff.tsx';
import { EventRef } from './Links.tsx';
import type { ReplayResult, ReplaySession } from './session.ts';
import { type StatePair, pairStates } from './state-pairs.ts';
import styles from './Result.module.css';

export function StatesCompared({
  session,
  result,
}: {
  readonly session: ReplaySession;
  readonly result: ReplayResult;
}) {
  const recorded = useStates(session.trace, result.request.base);
  const base = baseToWords(result.request.base);
  const pairs = useMemo(() => pairStates(recorded.data ?? [], result.report), [recorded.data, result.report]);
  if (recorded.isPending) return <Waiting label={`Reading the states of ${base.phrase}`} lines={2} />;
  if (recorded.error !== null) {
    return (
      <Message title={`The states of ${base.phrase} could not be read`} tone="problem" icon="warning">
        {recorded.error.message}
      </Message>
    );
  }
  if (pairs.length === 0) return undefined;
  return (
    <section className={styles['part']} aria-label="States">
      <h3>States</h3>
      <ol className={styles['states']}>
        {pairs.slice(0, 100).map((pair) => (
          <li key={`${pair.name} ${pair.version}`}>
            <State pair={pair} base={base.name} />
          </li>
        ))}
      </ol>
      {pairs.length > 100 ? <p className={styles['soft']}>The first 100 of {pairs.length} versions.</p> : undefined}
    </section>
  );
}

function State({
  pair: { name, version, before, now, word },
  base,
}: {
  readonly pair: StatePair;
  readonly base: string;
}) {
  const title = (
    <span>
      <b>{lineToShown(name)}</b> version {version}
    </span>
  );
  if (now === undefined) {
    return (
      <p>
        {title} <Chip>{word === 'removed' ? 'removed' : 'not reached on this branch'}</Chip>{' '}
        {before === undefined ? undefined : <EventRef event={before.event} />}
      </p>
    );
  }
  if (word === 'the same') {
    return (
      <p>
        {title}
        <span className={styles['same']}>
          <Icon name="check" size={12} /> the same
        </span>
      </p>
    );
  }
  return (
    <>
      <p>
        {title} <Chip tone={word === 'only on this branch' ? 'ok' : 'accent'}>{word}</Chip>
      </p>
      {before?.value === undefined ? (
        <JsonView label={`${lineToShown(name)} ${version} on this branch`} value={now.value} depth={2} />
      ) : (
        <JsonDiff
          label={`${lineToShown(name)} ${version}`}
          differences={computeJsonDifferences(before.value, now.value)}
          before={base}
          after="this branch"
        />
      )}
    </>
  );
}
