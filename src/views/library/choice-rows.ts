/**
 * The traces there are to choose from as rows, and a chosen row as the import that opens it.
 */
import type { ImportChoice, ImportRequest } from '../../data/index.ts';
import { timeToMillis } from '../../core/base/time.ts';
import { countOf } from '../../ui/format.ts';

export interface ChoiceRow {
  readonly id: string;
  readonly format: string;
  readonly label: string;
  /** Absent where all files of the format are one trace. */
  readonly trace: string | undefined;
  readonly title: string;
  /** The first words of what was asked, where the title does not say them. */
  readonly about?: string | undefined;
  /** Score, reward, exit status. */
  readonly verdict?: string | undefined;
  readonly startedAt: string | undefined;
  readonly size: string;
  /** The files that hold it, where not every file does. */
  readonly files?: readonly string[] | undefined;
  readonly isTrial?: true | undefined;
}

export function choiceToRows(formats: ImportChoice['formats']): readonly ChoiceRow[] {
  return formats.flatMap(({ id: format, label, files, traces }): readonly ChoiceRow[] => {
    if (traces.length <= 1) {
      const title =
        files.length === 1 ? (files[0] ?? label) : `${files[0] ?? label} and ${String(files.length - 1)} more`;
      const size = countOf(files.length, 'file');
      return [{ id: format, format, label, trace: undefined, title, startedAt: undefined, size }];
    }
    return [...traces]
      .sort(compareTraces)
      .map(({ key, title, about, verdict, records, startedAt, files: holders, isTrial }) => ({
        id: `${format}\n${key}`,
        format,
        label,
        trace: key,
        title: titleOf({ key, title }),
        ...(about === undefined || title.startsWith(about) ? {} : { about }),
        ...(verdict === undefined ? {} : { verdict }),
        startedAt,
        size: countOf(records, 'record'),
        files: holders,
        ...(isTrial === undefined ? {} : { isTrial }),
      }));
  });
}

type Listed = ImportChoice['formats'][number]['traces'][number];

/**
 * By name, numbers as numbers: what is looked for stands where one looks for it. What has no name but an id stands behind, by time: its
 * id says nothing.
 */
function compareTraces(one: Listed, other: Listed): number {
  const [isOneBare, isOtherBare] = [isBareId(one), isBareId(other)];
  if (isOneBare !== isOtherBare) return isOneBare ? 1 : -1;
  const byTime = isOneBare ? startOf(one) - startOf(other) : 0;
  return byTime === 0 ? compareTitles(titleOf(one), titleOf(other)) : byTime;
}

/** What has no time stands last. */
function startOf({ startedAt = '' }: Listed): number {
  return timeToMillis(startedAt) ?? Number.MAX_SAFE_INTEGER;
}

function isBareId({ key, title }: Listed): boolean {
  return key.includes(title) && /[0-9a-f]{8}/i.test(titleOf({ key, title }));
}

const { compare: compareTitles } = new Intl.Collator('en', { numeric: true });

function titleOf({ key, title }: { readonly key: string; readonly title: string }): string {
  return title === '' ? key : title;
}

export function filterRows(rows: readonly ChoiceRow[], query: string): readonly ChoiceRow[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter(({ title, trace = '', about = '', verdict = '' }) =>
    [title, trace, about, verdict].some((text) => text.toLowerCase().includes(wanted)),
  );
}

/** Only the files that hold the trace are read again; where an archive hides them, all are. */
export function rowToRequest(
  request: ImportRequest,
  { format, trace, title, files: holders, isTrial }: ChoiceRow,
): ImportRequest {
  const own = request.files.filter(({ path }) => holders?.includes(path) === true);
  return {
    ...request,
    choice: { format, trace, ...(isTrial === undefined ? {} : { isTrial }) },
    ...(own.length > 0 && own.length === holders?.length ? { files: own } : {}),
    ...(trace === undefined ? {} : { name: title }),
  };
}
