/** How the branch ends, beside how the one it was made from ended. */
import { passageToShown } from '../../core/base/shown-text.ts';
import type { JsonValue } from '../../core/base/json.ts';
import { computeJsonDifferences } from '../../core/replay/json-diff.ts';
import type { ReplayReport } from '../../data/index.ts';
import { Chip, NotRecorded } from '../../ui/Chip.tsx';
import { JsonView } from '../../ui/JsonView.tsx';
import { baseToWords } from './base-words.ts';
import { JsonDiff } from './JsonDiff.tsx';
import { EventRef } from './Links.tsx';
import type { ReplaySession } from './session.ts';
import styles from './Result.module.css';

export function Outcome({ session, report }: { readonly session: ReplaySession; readonly report: ReplayReport }) {
  const { outcome } = report;
  const { end } = session.facts;
  const base = baseToWords(session.branch);
  if (outcome.status === 'no-program') return undefined;
  const now: JsonValue | undefined = outcome.error === undefined ? outcome.value : { ...outcome.error };
  return (
    <section className={styles['part']} aria-label="Outcome">
      <h3>Outcome {outcome.equalsRecorded ? <Chip tone="ok">the recorded one</Chip> : undefined}</h3>
      <div className={styles['sides']}>
        <div>
          <h4>{base.title}</h4>
          {end === undefined ? (
            <NotRecorded what="end of the run" />
          ) : (
            <>
              <p>
                {end.failed ? 'failed' : 'completed'}: <EventRef event={end.event} />
              </p>
              {end.value === undefined ? (
                <NotRecorded what="value" />
              ) : (
                <JsonView label="Recorded outcome" value={end.value} />
              )}
            </>
          )}
        </div>
        <div>
          <h4>This branch</h4>
          <p>{statusToWords(outcome.status)}</p>
          {outcome.message === undefined ? undefined : <p>{passageToShown(outcome.message)}</p>}
          {now === undefined ? undefined : <JsonView label="Outcome of this branch" value={now} />}
        </div>
      </div>
      {end?.value !== undefined && now !== undefined && !outcome.equalsRecorded ? (
        <JsonDiff
          label="Differences"
          differences={computeJsonDifferences(end.value, now)}
          before={base.name}
          after="this branch"
        />
      ) : undefined}
    </section>
  );
}

function statusToWords(status: ReplayReport['outcome']['status']): string {
  switch (status) {
    case 'completed':
      return 'completed';
    case 'failed':
      return 'failed';
    case 'rolled-over':
      return 'rolled over into a segment that is not there';
    case 'open':
      return 'not reached: the branch waits';
    case 'limit':
      return 'not reached: a limit ended the replay';
    case 'no-program':
      return 'not reached: there is no program';
  }
}
