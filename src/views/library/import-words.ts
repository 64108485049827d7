/** What an import says of itself: under way how far, how fast, how long still, what was found; refused, what to do about it here. */
import type { FetchProgress, ImportRequest, ImportState, TraceRecord } from '../../data/index.ts';
import { bytesToText, countOf, secondsToText } from '../../ui/format.ts';

type ImportProgress = Extract<ImportState, { readonly status: 'running' | 'stopping' }>['progress'];

/** Facts in the order they are read. Rate and time left are those of reading: the other phases have no measure. */
export function progressToFacts(progress: ImportProgress): readonly string[] {
  const { phase, events, problems } = progress;
  const { rate, secondsLeft } = phase === 'reading' ? progress : {};
  return [
    fetchedToText(progress),
    rate === undefined ? undefined : `${bytesToText(rate)} a second`,
    secondsLeft === undefined ? undefined : `${secondsToText(secondsLeft)} left`,
    phase === 'looking' ? undefined : countOf(events, 'event'),
    problems === 0 ? undefined : countOf(problems, 'problem'),
  ].filter((fact) => fact !== undefined);
}

/** How much of an answer came. */
export function fetchedToText({ bytesRead, bytesTotal }: FetchProgress): string {
  return bytesTotal === undefined ? bytesToText(bytesRead) : `${bytesToText(bytesRead)} of ${bytesToText(bytesTotal)}`;
}

export function fetchedShare({ bytesRead, bytesTotal = 0 }: FetchProgress): number | undefined {
  return bytesTotal === 0 ? undefined : bytesRead / bytesTotal;
}

/** Two sizes, and which is which: what was read of the files, unpacked, and what its events take here. */
export function traceToSizes({
  sourceBytes,
  storedBytes,
}: Pick<TraceRecord, 'sourceBytes' | 'storedBytes'>): readonly [read: string, kept: string] {
  return [`${bytesToText(sourceBytes)} read`, `${bytesToText(storedBytes)} kept`];
}

/** Of what replays made. One that was continued is one line of work: its earlier stops are counted apart. */
export function branchesToWords({ branches }: Pick<TraceRecord, 'branches'>, stops: number): string | undefined {
  if (branches === 0) return undefined;
  const lines = countOf(branches - stops, 'branch', 'branches');
  return stops === 0 ? lines : `${lines} and ${countOf(stops, 'earlier stop')}`;
}

/** Share of the input that was read, or looked through; undefined where that says nothing of how long it still takes. */
export function progressToShare({ phase, bytesRead, bytesTotal = 0 }: ImportProgress): number | undefined {
  return bytesTotal === 0 || (phase !== 'reading' && phase !== 'looking') ? undefined : bytesRead / bytesTotal;
}

/** What a person may decide to go on with, by the words of the button. */
interface Risk {
  readonly verb: string;
  readonly accept: Pick<ImportRequest, 'acceptFuture' | 'acceptLarge'>;
}

const risks: ReadonlyMap<string, Risk> = new Map([
  ['future-version', { verb: 'Open it as far as it is understood', accept: { acceptFuture: true } }],
  // Nothing is risked: it may have ended there meanwhile, or been cancelled.
  ['busy', { verb: 'Try again', accept: {} }],
  ['archive-too-large', { verb: 'Unpack it all the same', accept: { acceptLarge: true } }],
]);

/**
 * The trace that came into the library since an import was refused because another tab was at the same files: it ended there. Files are
 * told by their names, which is all that both know.
 */
export function findArrived(
  { files }: Pick<ImportRequest, 'files'>,
  before: ReadonlySet<TraceRecord['id']>,
  now: readonly Pick<TraceRecord, 'id' | 'name' | 'files'>[],
): Pick<TraceRecord, 'id' | 'name'> | undefined {
  const names = new Set(files.map(({ path }) => path));
  return now.find((trace) => !before.has(trace.id) && trace.files.some((file) => names.has(file)));
}

export function failureToRisk(code: string): Risk | undefined {
  return risks.get(code);
}

/** What to do on this page about what could not be opened; the sentence of the failure itself knows of no page. */
export function failureToAdvice(code: string): string | undefined {
  const risk = risks.get(code);
  if (code === 'busy') return `Where it was cancelled there, press “${risk?.verb ?? ''}”.`;
  if (risk !== undefined) return `To go on, press “${risk.verb}”.`;
  if (code !== 'unknown-format') return undefined;
  return '“What it reads”, below, lists the formats; choose or drop a whole folder, and what can be opened in it is found.';
}
