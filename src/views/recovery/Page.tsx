/**
 * The page around an analysis: the list of campaigns and trials on the left, the campaign or trial shown on the right.
 *
 * What is shown stands in the address: `campaign`, `trial`, `metric`. The texts of a claim and of an envelope of today do not: they are
 * files of the person, and are kept while the page is open.
 */
import { type ReactNode, useMemo, useState } from 'react';
import { type TraceId, useLabSummaries, useRecovery, useTraces } from '../../data/index.ts';
import { useNavigation } from '../../state/location.ts';
import { Button } from '../../ui/Button.tsx';
import { countOf } from '../../ui/format.ts';
import { Message } from '../../ui/Message.tsx';
import { notify } from '../../ui/notices.ts';
import { Waiting } from '../../ui/Progress.tsx';
import { useNoStrayDrops } from '../../ui/drops.ts';
import { CampaignPanel } from './CampaignPanel.tsx';
import type { Claimed } from './ClaimPart.tsx';
import { Empty } from './Empty.tsx';
import { EnginesPanel } from './EnginesPanel.tsx';
import { compareSummaries, summariesOf } from './lab-summaries.ts';
import { createLinks, holdsTables, largestOf, trialsOfTrace } from './links.ts';
import { OpeningSamples } from './OpeningSamples.tsx';
import { missingSamples, useSampleTrials } from './sample-trials.ts';
import { TrialList } from './TrialList.tsx';
import { EnginesEntry } from './EnginesEntry.tsx';
import { TrialPanel } from './TrialPanel.tsx';
import styles from './Page.module.css';

/** The way in of the library, as it is drawn here. */
export interface PageWayIn {
  readonly acts: ReactNode;
  readonly panel: ReactNode | undefined;
  readonly isOver: boolean;
}

export interface PageProps {
  /** Undefined where traces are not opened: beside one trace. */
  readonly wayIn?: PageWayIn | undefined;
  /** Traces to look at; none means the whole library. */
  readonly chosen: readonly string[];
  /** The trace one comes from: its trial is shown first. */
  readonly home?: TraceId;
  readonly shown: Readonly<Record<string, string>>;
  readonly onShow: (shown: Readonly<Record<string, string>>, how?: 'push' | 'replace') => void;
  readonly onAll: () => void;
}

export function Page({ wayIn, chosen, home, shown, onShow, onAll }: PageProps) {
  const traces = useTraces();
  const kept = useLabSummaries();
  const { hrefOf } = useNavigation();
  const [claimed, setClaimed] = useState<Claimed>({});
  useNoStrayDrops(wayIn === undefined, refuseDrop);
  const ids = useMemo(() => {
    // Oldest first: a control is mostly recorded before what it is compared with.
    const all = (traces.data ?? []).map(({ id }) => id).toReversed();
    return chosen.length === 0 ? all : all.filter((id) => chosen.includes(id));
  }, [traces.data, chosen]);
  const plain = useRecovery(traces.data === undefined ? undefined : { traces: ids });
  const isClaimed = Object.keys(claimed).length > 0;
  const judged = useRecovery(traces.data !== undefined && isClaimed ? { traces: ids, ...claimed } : undefined);
  // A text that cannot be evaluated leaves the page as it was without it.
  const answer = isClaimed && judged.data !== undefined && !judged.isError ? judged.data : plain.data;
  const links = useMemo(
    () =>
      answer === undefined
        ? undefined
        : createLinks(answer, hrefOf, (trial) => onShow({ ...withoutPlace(shown), trial }), traces.data),
    [answer, hrefOf, onShow, shown, traces.data],
  );
  const summaries = useMemo(
    () => (answer === undefined ? [] : compareSummaries(kept, answer, traces.data ?? [])),
    [kept, answer, traces.data],
  );
  const error = traces.error ?? plain.error;
  if (error !== null) {
    return (
      <Message title="The trials could not be judged" tone="problem" icon="warning">
        {error.message}
      </Message>
    );
  }
  if (answer === undefined || links === undefined) return <Waiting label="Judging the trials" />;
  const { campaigns, engines } = answer.report;
  if (campaigns.length === 0 && engines.runs.length === 0)
    return <Empty looked={ids.length} isSelection={chosen.length > 0} onAll={onAll} wayIn={wayIn} />;
  const homeTrial = home === undefined ? undefined : trialsOfTrace(answer, home)[0];
  const isPlaced = shown['campaign'] !== undefined || shown['engines'] !== undefined;
  const trialId = shown['trial'] ?? (isPlaced ? undefined : homeTrial);
  const trial = campaigns.flatMap(({ trials }) => trials).find(({ id }) => id === trialId);
  const campaign =
    campaigns.find(({ trials }) => trials.some(({ id }) => id === trial?.id)) ??
    campaigns.find(({ id }) => id === shown['campaign']) ??
    largestOf(campaigns);
  const isOfTables = home !== undefined && homeTrial === undefined && !isPlaced && holdsTables(answer, home);
  const isEngines =
    engines.runs.length > 0 &&
    trial === undefined &&
    (campaign === undefined || shown['engines'] !== undefined || isOfTables);
  const problem = isClaimed ? judged.error?.message : undefined;
  const showCampaign = (id: string): void => onShow({ ...withoutPlace(shown), campaign: id });
  return (
    <div className={styles['page']} data-over={wayIn?.isOver === true}>
      <aside className={styles['side']} aria-label="Campaigns and trials">
        <header className={styles['sideHead']}>
          <p>
            {campaigns.length === 0
              ? 'No trial'
              : countOf(
                  campaigns.reduce((sum, { trials }) => sum + trials.length, 0),
                  'trial',
                )}{' '}
            in {countOf(answer.judged.length, 'trace')}
            {answer.leftOut === 0 ? '' : `; ${countOf(answer.leftOut, 'trace')} without a trial left out`}.
          </p>
          {chosen.length === 0 ? undefined : <Button onPress={onAll}>All trials of the library</Button>}
          {answer.notRead.map(({ id, message }) => (
            <p key={id} role="alert">
              {message}
            </p>
          ))}
          {wayIn === undefined ? undefined : (
            <section className={styles['wayIn']} aria-label="Open more">
              <p>{wayIn.isOver ? 'Let go to open it.' : 'Drop more trials anywhere on this page, or choose them.'}</p>
              <div>{wayIn.acts}</div>
            </section>
          )}
        </header>
        <TrialList
          campaigns={campaigns}
          campaign={trial === undefined && !isEngines ? campaign?.id : undefined}
          trial={trial?.id}
          onCampaign={showCampaign}
          links={links}
        />
        {engines.runs.length === 0 ? undefined : (
          <EnginesEntry
            runs={engines.runs}
            isShown={isEngines}
            onShow={() => onShow({ ...withoutPlace(shown), engines: 'all' })}
          />
        )}
        {chosen.length > 0 ? undefined : <SampleCampaign traces={traces.data ?? []} />}
        {answer.report.unmatched.length === 0 ? undefined : (
          <details className={styles['unmatched']}>
            <summary>{countOf(answer.report.unmatched.length, 'run')} of no trial</summary>
            <ul>
              {answer.report.unmatched.map(({ run, text }) => (
                <li key={run}>{text}</li>
              ))}
            </ul>
          </details>
        )}
      </aside>
      <div className={styles['main']}>
        {wayIn?.panel === undefined ? undefined : <div className={styles['panel']}>{wayIn.panel}</div>}
        <div className={styles['body']} key={isEngines ? 'engines' : (trial?.id ?? campaign?.id)}>
          {isEngines ? (
            <EnginesPanel engines={engines} links={links} claimed={claimed} onClaimed={setClaimed} problem={problem} />
          ) : trial !== undefined && campaign !== undefined ? (
            <TrialPanel
              trial={trial}
              campaign={campaign}
              links={links}
              onCampaign={() => showCampaign(campaign.id)}
              summaries={summaries}
            />
          ) : campaign === undefined ? undefined : (
            <CampaignPanel
              campaign={campaign}
              links={links}
              metric={shown['metric']}
              onMetric={(metric) => onShow({ ...shown, campaign: campaign.id, metric }, 'replace')}
              claimed={claimed}
              onClaimed={setClaimed}
              problem={problem}
              summaries={summariesOf(campaign, summaries)}
            />
          )}
        </div>
      </div>
    </div>
  );
}

/** The way to the campaign that comes with the page, as long as it is not all there. */
function SampleCampaign({ traces }: { readonly traces: readonly { readonly files: readonly string[] }[] }) {
  const opening = useSampleTrials();
  const { campaign, isBusy, open } = opening;
  const missing = missingSamples(campaign, traces);
  if (missing.length === 0) return undefined;
  return (
    <>
      <p className={styles['sample']}>
        A sample campaign comes with this page: one workload under three designs, with controls and kills.
        <Button isDisabled={isBusy} onPress={() => open(missing)}>
          {isBusy ? 'Opening it' : `Open its ${countOf(missing.length, 'trial')}`}
        </Button>
      </p>
      <OpeningSamples samples={opening} />
    </>
  );
}

/** A browser leaves the page for a file dropped on it; the part of the claim takes its own before. */
function refuseDrop(): void {
  notify(
    'Traces are dropped on the library or on the page of recovery, and a claim on the part “Claim” of a campaign.',
  );
}

function withoutPlace(shown: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(shown).filter(([key]) => key !== 'trial' && key !== 'campaign' && key !== 'engines'),
  );
}
