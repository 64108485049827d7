/**
 * Opening something, from any of the ways in, and what follows: the trace is shown, or a sentence says why not.
 *
 * One import at a time for the whole page (src/data); this hook adds what the library does before and after it.
 */
import { useEffect, useRef, useState } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import {
  type FetchProgress,
  type ImportRequest,
  type OpenedFile,
  type Sample,
  type SourceAddress,
  mayHoldSummary,
  sortFiles,
  useFetchSource,
  useImportActs,
  useKeepSummaries,
  useSampleRequest,
} from '../../data/index.ts';
import { type Navigation, recoveryLocation, traceLocation } from '../../state/location.ts';
import { countOf } from '../../ui/format.ts';
import { announce, dismissNotice, notify } from '../../ui/notices.ts';

/** What is being fetched before the import begins, and how far it is. */
export interface Fetching {
  readonly name: string;
  readonly cancel: () => void;
  readonly progress?: FetchProgress | undefined;
}

export interface Opening {
  readonly fetching: Fetching | undefined;
  /** Which of several that are opened one after another is at work; `at` counts from one. */
  readonly turn: { readonly at: number; readonly of: number } | undefined;
  readonly openFiles: (files: readonly OpenedFile[]) => void;
  readonly openSample: (sample: Sample) => void;
  /** Opens several samples one after another, and judges them as trials. */
  readonly openTrials: (samples: readonly Sample[]) => void;
  readonly openSource: (source: Exclude<SourceAddress, { readonly kind: 'unusable' }>) => void;
  /** Imports what was chosen out of several traces, one after another; the first that fails ends it. */
  readonly openChosen: (requests: readonly ImportRequest[]) => void;
  /** Starts the import again, with a risk accepted. */
  readonly retry: (request: ImportRequest) => void;
}

/** Every trace to choose from in a stream of typed trial records is a trial. */
const trialFormat = 'recovery-lab';

function errorToSentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export interface OpenSettings {
  /** The page that opens shows what was opened itself, and stays where it is. */
  readonly onOpened?: (traces: readonly string[]) => void;
}

export function useOpen(navigation: Navigation, { onOpened }: OpenSettings = {}): Opening {
  const stays = onOpened !== undefined;
  const importing = useImportActs();
  const requestOfSample = useSampleRequest();
  const fetchSource = useFetchSource();
  const keepSummaries = useKeepSummaries();
  const [fetching, setFetching] = useState<Opening['fetching']>();
  const [turn, setTurn] = useState<Opening['turn']>();
  // Who has gone to read something else in the meantime is told, and not taken away from it.
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);

  const run = async (request: ImportRequest): Promise<void> => {
    const outcome = await importing.start(request);
    if (outcome === undefined) return;
    importing.dismiss();
    const to = traceLocation(outcome.trace);
    if (outcome.alreadyThere && isHere.current) {
      // It is shown at once: the trace itself is the answer.
      announce(`“${outcome.name}” was in the library already. Nothing was added.`);
    } else if (outcome.alreadyThere) {
      notify(`“${outcome.name}” was in the library already. Nothing was added.`, {
        about: outcome.trace,
        action: { label: 'Show it', run: () => navigation.go(to) },
      });
    } else if (outcome.problems > 0) {
      const told = `“${outcome.name}” has ${countOf(outcome.problems, 'problem')} in its records; ${countOf(outcome.events, 'event')} can be used.`;
      notify(told, {
        about: outcome.trace,
        action: { label: 'Show them', run: () => navigation.go({ ...to, extra: { drawer: 'problems' } }) },
      });
    } else if (!isHere.current || stays) {
      notify(`“${outcome.name}” is open.`, {
        about: outcome.trace,
        action: { label: 'Show it', run: () => navigation.go(to) },
      });
    }
    if (!isHere.current) return;
    if (onOpened === undefined) navigation.go(to);
    else onOpened([outcome.trace]);
  };
  const start = (request: ImportRequest): void => {
    run(request).catch((error: unknown) => notify(errorToSentence(error), { tone: 'problem' }));
  };
  /** One after another; undefined where one was cancelled or failed, and then no further one is begun. */
  const openInTurn = async (
    requests: readonly (() => Promise<ImportRequest> | ImportRequest)[],
  ): Promise<readonly string[] | undefined> => {
    const opened: string[] = [];
    try {
      for (const [at, make] of requests.entries()) {
        setTurn({ at: at + 1, of: requests.length });
        const outcome = await importing.start(await make());
        if (outcome === undefined) return undefined;
        opened.push(outcome.trace);
      }
    } finally {
      setTurn(undefined);
    }
    importing.dismiss();
    return opened;
  };
  const runAll = async (requests: readonly ImportRequest[]): Promise<void> => {
    const opened = await openInTurn(requests.map((request) => () => request));
    if (opened === undefined) return;
    const areTrials = requests.every(({ choice }) => choice?.isTrial === true || choice?.format === trialFormat);
    const told = `${countOf(requests.length, 'trace')} opened.`;
    if (stays && isHere.current) onOpened(opened);
    if (!areTrials || (stays && isHere.current)) {
      notify(told);
      return;
    }
    const judge = (): void => {
      dismissNotice(notice);
      navigation.go(recoveryLocation(opened));
    };
    const notice = notify(told, { action: { label: 'Judge as recovery trials', run: judge } });
  };
  const runTrials = async (samples: readonly Sample[]): Promise<void> => {
    const { signal } = new AbortController();
    const opened = await openInTurn(samples.map((sample) => () => requestOfSample(sample, signal)));
    if (opened === undefined) return;
    if (isHere.current) navigation.go(recoveryLocation(opened));
    else notify(`${countOf(opened.length, 'trial')} opened.`);
  };
  /** Gets the bytes first, in a way that can be cancelled. */
  const fetchThen = (
    name: string,
    make: (signal: AbortSignal, onProgress: (progress: FetchProgress) => void) => Promise<ImportRequest>,
  ): void => {
    const controller = new AbortController();
    const fetched: Fetching = { name, cancel: () => controller.abort() };
    setFetching(fetched);
    make(controller.signal, (progress) => setFetching({ ...fetched, progress }))
      .then(start, (error: unknown) => {
        if (!controller.signal.aborted) notify(errorToSentence(error), { tone: 'problem' });
      })
      .finally(() => setFetching(undefined))
      .catch((error: unknown) => reportError(error));
  };
  const openOnly = (files: readonly OpenedFile[]): void => {
    // Whatever a file calls itself, sentences that name it can be read.
    if (files.length > 0)
      start({ files: files.map(({ path, blob }) => ({ path: lineToShown(path), blob })), origin: 'opened' });
    else notify('Nothing was opened: there was no file in it.', { tone: 'problem' });
  };
  const notifyOfSummaries = (files: readonly string[]): void => {
    const names = files.map((file) => lineToShown(file)).join(', ');
    const are = files.length === 1 ? 'is a summary' : 'are summaries';
    const told = `${names} ${are} that a lab wrote of its trials: held against their records on the page of recovery, while this page is open.`;
    if (stays) notify(told);
    else notify(told, { action: { label: 'Show recovery', run: () => navigation.go(recoveryLocation()) } });
  };
  return {
    fetching,
    turn,
    openFiles: (given) => {
      if (!mayHoldSummary(given)) {
        openOnly(given);
        return;
      }
      sortFiles(given).then(
        ({ summaries, others }) => {
          keepSummaries(summaries);
          if (summaries.length > 0) notifyOfSummaries(summaries.map(({ file }) => file));
          if (others.length > 0) openOnly(others);
        },
        (error: unknown) => notify(errorToSentence(error), { tone: 'problem' }),
      );
    },
    openSample: (sample) => fetchThen(sample.title, (signal) => requestOfSample(sample, signal)),
    openTrials: (samples) => {
      runTrials(samples).catch((error: unknown) => notify(errorToSentence(error), { tone: 'problem' }));
    },
    openSource: (source) =>
      fetchThen(source.url, async (signal, onProgress) => ({
        files: [await fetchSource(source, signal, onProgress)],
        origin: 'opened',
      })),
    openChosen: (requests) => {
      const [only] = requests;
      if (only !== undefined && requests.length === 1) start(only);
      else runAll(requests).catch((error: unknown) => notify(errorToSentence(error), { tone: 'problem' }));
    },
    retry: start,
  };
}
