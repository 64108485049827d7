/**
 * The list of problems of a trace: those of the import and those of the graph, told once, problems before notices. Damage
 * of an archive comes first: it explains the damaged lines, of which there may be thousands.
 */
import type { CausalProblem, RecordPlace } from '../causal/index.ts';
import type { EventId } from '../model/index.ts';
import type { ProblemPage, ProblemRow, UnreadFiles } from './trace-reader.ts';

/** A problem as the import tells it; the shape of `Problem` in `core/formats`. */
export interface ImportProblem {
  readonly code: string;
  readonly message: string;
  readonly severity: 'problem' | 'notice';
  readonly place?: RecordPlace | undefined;
  readonly raw?: Uint8Array | undefined;
  readonly events?: readonly EventId[] | undefined;
}

/** Bytes of a damaged record shown in a row; the rest stays in the source. */
const rawShown = 64 * 1024;

export function computeProblemList(
  imported: readonly ImportProblem[],
  causal: readonly CausalProblem[],
): readonly ImportProblem[] {
  const told = new Set(imported.flatMap(({ code, events }) => (events ?? []).map((id) => JSON.stringify([code, id]))));
  // The reader of the own format tells repeated ids with their lines; the index would tell them again.
  const added = causal.filter(({ code, events }) => !events.some((id) => told.has(JSON.stringify([code, id]))));
  const all: ImportProblem[] = [...imported, ...added];
  const problems = all.filter(({ severity }) => severity === 'problem');
  return [
    ...problems.filter(isArchiveDamage),
    ...problems.filter((problem) => !isArchiveDamage(problem)),
    ...all.filter(({ severity }) => severity === 'notice'),
  ];
}

function isArchiveDamage({ code }: ImportProblem): boolean {
  return code === 'archive-damaged' || code === 'archive-truncated';
}

const cutRecords: ReadonlySet<string> = new Set(['truncated-last-line', 'truncated-document', 'truncated-row']);

/** Of which files what stood at the end is not known. */
export function computeUnread(list: readonly ImportProblem[]): UnreadFiles {
  const files = new Set<string>();
  let records = 0;
  for (const problem of list) {
    const isRecord = cutRecords.has(problem.code);
    if (isRecord) records += 1;
    if (isRecord || isArchiveDamage(problem)) files.add(problem.place?.file ?? 'A file');
  }
  return { files: [...files], records };
}

export function computeProblemPage(list: readonly ImportProblem[], from: number, to: number): ProblemPage {
  const start = Math.max(0, Math.floor(from));
  return { total: list.length, from: start, problems: list.slice(start, Math.max(start, to)).map(problemToRow) };
}

function problemToRow({ code, message, severity, place, raw, events }: ImportProblem): ProblemRow {
  return {
    code,
    message,
    severity,
    ...(place === undefined ? {} : { file: place.file, offset: place.offset }),
    ...(place?.line === undefined ? {} : { line: place.line }),
    ...(raw === undefined ? {} : { raw: bytesToBase64(raw.subarray(0, rawShown)) }),
    events: events ?? [],
  };
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function bytesToBase64(bytes: Uint8Array): string {
  let out = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b, c] = [bytes[i], bytes[i + 1], bytes[i + 2]];
    const group = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    out += (digits[group >> 18] ?? '') + (digits[(group >> 12) & 63] ?? '');
    out +=
      (b === undefined ? '=' : (digits[(group >> 6) & 63] ?? '')) +
      (c === undefined ? '=' : (digits[group & 63] ?? ''));
  }
  return out;
}
