/** The durable states of the branch beside those of the original, version by version. */
import { useMemo } from 'react';
import { computeJsonDifferences } from '../../core/replay/json-diff.ts';
import type { StateVersion } from '../../core/projections/trace-reader.ts';
import { useStates } from '../../data/index.ts';
import { Chip } from '../../ui/Chip.tsx';
import { Icon } from '../../ui/Icons.tsx';
import { Waiting } from '../../ui/Progress.tsx';
import { JsonDiff } from './JsonDiff.tsx';
import { EventRef } from './Links.tsx';
import type { ReplayResult, ReplaySession } from './session.ts';
import styles from './Result.module.css';

interface Pair {
  readonly name: string;
  readonly version: string;
  readonly before: StateVersion | undefined;
  readonly now: ReplayResult['report']['states'][number] | undefined;
}

export function StatesCompared({
  session,
  result,
}: {
  readonly session: ReplaySession;
  readonly result: ReplayResult;
}) {
  const recorded = useStates(session.trace, result.request.base);
  const { states } = result.report;
  const pairs = useMemo(() => {
    const found = new Map<string, Pair>();
    for (const { name, versions } of recorded.data ?? []) {
      for (const before of versions) {
        const version = before.to ?? '';
        found.set(`${name} ${version}`, { name, version, before, now: undefined });
      }
    }
    for (const now of states) {
      const version = String(now.to);
      const key = `${now.name} ${version}`;
      found.set(key, { name: now.name, version, before: found.get(key)?.before, now });
    }
    return [...found.values()];
  }, [recorded.data, states]);
  if (recorded.isPending) return <Waiting label="Reading the states of the original" lines={2} />;
  if (pairs.length === 0) return undefined;
  return (
    <section className={styles['part']} aria-label="States">
      <h3>States</h3>
      <ol className={styles['states']}>
        {pairs.slice(0, 100).map((pair) => (
          <li key={`${pair.name} ${pair.version}`}>
            <State pair={pair} />
          </li>
        ))}
      </ol>
      {pairs.length > 100 ? <p className={styles['soft']}>The first 100 of {pairs.length} versions.</p> : undefined}
    </section>
  );
}

function State({ pair: { name, version, before, now } }: { readonly pair: Pair }) {
  const title = (
    <span>
      <b>{name}</b> version {version}
    </span>
  );
  if (now === undefined) {
    return (
      <p>
        {title} <Chip>not reached on this branch</Chip>{' '}
        {before === undefined ? undefined : <EventRef event={before.event} />}
      </p>
    );
  }
  if (before !== undefined && before.digest === now.digest) {
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
        {title} {before === undefined ? <Chip tone="ok">only on this branch</Chip> : <Chip tone="accent">differs</Chip>}
      </p>
      <JsonDiff
        label={`${name} ${version}`}
        differences={computeJsonDifferences(before?.value ?? null, now.value)}
        before="original"
        after="this branch"
      />
    </>
  );
}
