/**
 * The trials that come with the page: three shipped incidents that were recorded as trials, and a small campaign.
 *
 * Opened one after another; the page follows by itself, because it judges what is in the library. Used where no trial is open, and
 * beside the list of trials.
 */
import { type Sample, useImport, useSampleRequest, useSamples } from '../../data/index.ts';
import { notify } from '../../ui/notices.ts';

/** Shipped incidents that were recorded as trials: a kill, the same kill with a key, and their control. */
const trialSamples = ['ticket-incident', 'ticket-with-key', 'clean-control'];

export interface SampleTrials {
  readonly incidents: readonly Sample[];
  readonly campaign: readonly Sample[];
  readonly isBusy: boolean;
  readonly open: (wanted: readonly Sample[]) => void;
}

export function useSampleTrials(): SampleTrials {
  const incidents = (useSamples().data ?? []).filter(({ file }) =>
    trialSamples.some((name) => file.startsWith(`${name}.`)),
  );
  const campaign = useSamples('campaign.json').data ?? [];
  const { state, start, dismiss } = useImport();
  const requestOf = useSampleRequest();
  const openAll = async (wanted: readonly Sample[]): Promise<void> => {
    const { signal } = new AbortController();
    for (const sample of wanted) await start(await requestOf(sample, signal));
    dismiss();
  };
  return {
    incidents,
    campaign,
    isBusy: state.status === 'running' || state.status === 'stopping',
    open: (wanted) => {
      openAll(wanted).catch((error: unknown) =>
        notify(error instanceof Error ? error.message : String(error), { tone: 'problem' }),
      );
    },
  };
}

/** Those of the list that no trace of the library is named after. */
export function missingSamples(
  samples: readonly Sample[],
  traces: readonly { readonly name: string }[],
): readonly Sample[] {
  const names = new Set(traces.map(({ name }) => name));
  return samples.filter(({ title }) => !names.has(title));
}
