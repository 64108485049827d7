/**
 * The trials that come with the page: three shipped incidents that were recorded as trials, and a small campaign.
 *
 * Opened one after another; the page follows by itself, because it judges what is in the library. The first that does not open ends it,
 * and why stays until it was read. Used where no trial is open, and beside the list of trials.
 */
import { useState } from 'react';
import { type Sample, useImport, useSampleRequest, useSamples } from '../../data/index.ts';
import { notify } from '../../ui/notices.ts';

/** Shipped incidents that were recorded as trials: a kill, the same kill with a key, and their control. */
const trialSamples = ['ticket-incident', 'ticket-with-key', 'clean-control'];

/** Which of the samples is being opened, or was when it ended. */
export interface SampleTurn {
  readonly title: string;
  readonly at: number;
  readonly of: number;
  readonly cancel: () => void;
}

export interface SampleTrials {
  readonly incidents: readonly Sample[];
  readonly campaign: readonly Sample[];
  readonly isBusy: boolean;
  readonly turn: SampleTurn | undefined;
  /** Why the one of `turn` was not opened. */
  readonly failure: string | undefined;
  readonly dismiss: () => void;
  readonly open: (wanted: readonly Sample[]) => void;
}

export function useSampleTrials(): SampleTrials {
  const incidents = (useSamples().data ?? []).filter(({ file }) =>
    trialSamples.some((name) => file.startsWith(`${name}.`)),
  );
  const campaign = useSamples('campaign.json').data ?? [];
  const { state, start, cancel, dismiss } = useImport();
  const requestOf = useSampleRequest();
  const [turn, setTurn] = useState<SampleTurn>();
  const openAll = async (wanted: readonly Sample[]): Promise<void> => {
    const controller = new AbortController();
    const stop = (): void => {
      controller.abort();
      cancel();
    };
    const end = await openInTurn(wanted, controller.signal, async (sample, at) => {
      setTurn({ title: sample.title, at, of: wanted.length, cancel: stop });
      return (await start(await requestOf(sample, controller.signal))) !== undefined;
    });
    if (end === 'opened') dismiss();
    if (end !== 'not opened') setTurn(undefined);
  };
  const isBusy = state.status === 'running' || state.status === 'stopping';
  return {
    incidents,
    campaign,
    isBusy: isBusy || (turn !== undefined && state.status !== 'failed'),
    turn,
    failure: turn !== undefined && state.status === 'failed' ? state.failure.message : undefined,
    dismiss: () => {
      dismiss();
      setTurn(undefined);
    },
    open: (wanted) => {
      openAll(wanted).catch((error: unknown) => {
        setTurn(undefined);
        notify(error instanceof Error ? error.message : String(error), { tone: 'problem' });
      });
    },
  };
}

/** One after another; the first that does not open ends it. Whoever cancels waits for no further one. */
export async function openInTurn<Item>(
  items: readonly Item[],
  signal: AbortSignal,
  openOne: (item: Item, at: number) => Promise<boolean>,
): Promise<'opened' | 'not opened' | 'cancelled'> {
  const isCancelled = (): boolean => signal.aborted;
  for (const [at, item] of items.entries()) {
    let isOpened: boolean;
    try {
      isOpened = await openOne(item, at);
    } catch (error) {
      if (isCancelled()) return 'cancelled';
      throw error;
    }
    if (isCancelled()) return 'cancelled';
    if (!isOpened) return 'not opened';
  }
  return 'opened';
}

/** Those of the list that no trace of the library was opened from, whatever it is called now. */
export function missingSamples(
  samples: readonly Sample[],
  traces: readonly { readonly files: readonly string[] }[],
): readonly Sample[] {
  const nameOf = (path: string): string => path.split('/').at(-1) ?? path;
  const opened = new Set(traces.flatMap(({ files }) => files.map(nameOf)));
  return samples.filter(({ file }) => !opened.has(nameOf(file)));
}
