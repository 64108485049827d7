/**
 * Summaries that a lab wrote of its own trials, found among files that were opened: they are no traces, and are kept for the page of
 * recovery while this page is open.
 *
 * Called by whoever opens files, before the import.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { LabSummary } from '../core/recovery/index.ts';
import type { OpenedFile } from '../platform/workers/index.ts';
import { keys } from './keys.ts';

/** Larger files are no summary: a thousand trials come to half a megabyte. */
const largest = 8 * 1024 * 1024;
/** As much of a file as tells whether it lists trials at all. */
const headLength = 4096;

export interface SortedFiles {
  readonly summaries: readonly LabSummary[];
  /** What is to be opened. */
  readonly others: readonly OpenedFile[];
}

/** Whether any of the files can be a summary, by name and size alone. */
export function mayHoldSummary(files: readonly OpenedFile[]): boolean {
  return files.some(mayBeSummary);
}

export async function sortFiles(files: readonly OpenedFile[]): Promise<SortedFiles> {
  const summaries: LabSummary[] = [];
  const others: OpenedFile[] = [];
  for (const file of files) {
    const summary = mayBeSummary(file) ? await readSummary(file) : undefined;
    if (summary === undefined) others.push(file);
    else summaries.push(summary);
  }
  return { summaries, others };
}

function mayBeSummary({ path, blob }: OpenedFile): boolean {
  return /\.json$/i.test(path) && blob.size <= largest;
}

async function readSummary({ path, blob }: OpenedFile): Promise<LabSummary | undefined> {
  if (!/^\s*\{[^]*"trials"/.test(await blob.slice(0, headLength).text())) return undefined;
  // Loaded when first needed: most files are no summary.
  const { textToLabSummary } = await import('../core/recovery/index.ts');
  return textToLabSummary(path, await blob.text());
}

const none: readonly LabSummary[] = [];

export function useLabSummaries(): readonly LabSummary[] {
  // Nothing is asked for: what is kept is put there by whoever opens files.
  const kept = useQuery({
    queryKey: keys.labSummaries,
    queryFn: () => none,
    enabled: false,
    initialData: none,
    gcTime: Infinity,
  });
  return kept.data;
}

/** Keeps them beside those that are kept already; one of the same name takes its place. */
export function useKeepSummaries(): (summaries: readonly LabSummary[]) => void {
  const client = useQueryClient();
  return (summaries) => {
    if (summaries.length === 0) return;
    // Nobody may look at them for long: the page of recovery is opened later.
    client.setQueryDefaults(keys.labSummaries, { gcTime: Infinity });
    client.setQueryData<readonly LabSummary[]>(keys.labSummaries, (before = []) => [
      ...before.filter(({ file }) => !summaries.some((one) => one.file === file)),
      ...summaries,
    ]);
  };
}
