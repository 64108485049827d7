/** No trial to judge: what one is, where such files come from, and those that came with the page: three trials, and a small campaign. */
import { useNavigation } from '../../state/location.ts';
import { Button } from '../../ui/Button.tsx';
import { countOf } from '../../ui/format.ts';
import { lookedToSentence } from './empty-words.ts';
import { OpeningSamples } from './OpeningSamples.tsx';
import { useSampleTrials } from './sample-trials.ts';
import type { PageWayIn } from './Page.tsx';
import styles from './Page.module.css';

export interface EmptyProps {
  readonly looked: number;
  readonly isSelection: boolean;
  readonly onAll: () => void;
  readonly wayIn: PageWayIn | undefined;
}

export function Empty({ looked, isSelection, onAll, wayIn }: EmptyProps) {
  const { go } = useNavigation();
  const opening = useSampleTrials();
  const { incidents: samples, campaign, isBusy, open } = opening;
  return (
    <div className={styles['empty']}>
      {wayIn?.panel}
      <h1>No recovery trial is open</h1>
      <p>
        A trial is a run in which processes were killed on purpose and started again, recorded by the harness that
        killed them, by the workers and by the services they asked. It is told by a record <code>trial.started</code>.{' '}
        {lookedToSentence(looked, isSelection)}
      </p>
      <h2>What to open</h2>
      <ul>
        <li>
          A folder of trial files: drop it {wayIn === undefined ? 'on the library' : 'anywhere on this page'} and open
          every file as a trace of its own. A control, and a control that must fail, belong with the faulted trials. The
          summary that a lab wrote beside them is held against their records.
        </li>
        <li>
          Streams in the own format (<code>*.hindcast.jsonl</code>), as <code>npm run lab -- sweep --out FOLDER</code>{' '}
          records them, and typed trial records of other harnesses (one JSONL file a trial).
        </li>
      </ul>
      <div className={styles['emptyActs']}>
        {wayIn?.acts}
        {samples.length === 0 ? undefined : (
          <Button kind="primary" isDisabled={isBusy} onPress={() => open(samples)}>
            {isBusy ? 'Opening the sample trials' : `Open the ${samples.length} sample trials`}
          </Button>
        )}
        {campaign.length === 0 ? undefined : (
          <Button isDisabled={isBusy} onPress={() => open(campaign)}>
            Open the sample campaign: {countOf(campaign.length, 'trial')}
          </Button>
        )}
        <Button onPress={() => go({ kind: 'library' })}>Go to the library</Button>
        {isSelection ? <Button onPress={onAll}>Look at every trace of the library</Button> : undefined}
      </div>
      <OpeningSamples samples={opening} />
      {campaign.length === 0 ? undefined : (
        <p>
          The sample campaign is one workload under three designs (naive restart, journal without a key, journal with
          one), each with a control and with kills at two boundaries of its effect, and one run killed five times. Its
          times were measured on one host.
        </p>
      )}
      {samples.length === 0 ? undefined : (
        <dl className={styles['emptySamples']}>
          {samples.map(({ file, title, lesson }) => (
            <div key={file}>
              <dt>{title}</dt>
              <dd>{lesson}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
