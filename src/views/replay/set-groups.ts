/**
 * Recorded runs by the program they ran: what a changed program is meant for comes first, and only that is chosen when nobody chose.
 *
 * Invariant: two traces stand in one group only if name, version and digest of their programs agree. Called by the run set.
 */
import type { TraceId, TraceRecord } from '../../data/index.ts';

export interface TraceProgram {
  readonly trace: TraceId;
  readonly programs: readonly {
    readonly run: string;
    readonly name: string;
    readonly version?: string | undefined;
    readonly digest?: string | undefined;
  }[];
}

type Listed = Pick<TraceRecord, 'id' | 'replayGrade'>;

export interface ProgramGroup<T extends Listed> {
  readonly key: string;
  readonly title: string;
  /** The program of the trace that is shown. */
  readonly isOwn: boolean;
  readonly traces: readonly T[];
}

export function groupByProgram<T extends Listed>(
  traces: readonly T[],
  known: readonly TraceProgram[],
  shown: TraceId,
): readonly ProgramGroup<T>[] {
  const programs = new Map(known.map(({ trace, programs: list }) => [trace, programsToTitle(list)]));
  const titleOf = (trace: TraceId): string => programs.get(trace) ?? noProgram;
  const own = titleOf(shown);
  const groups = new Map<string, T[]>();
  // What is shown stands first, and its program with it.
  const sorted = [...traces.filter(({ id }) => titleOf(id) === own), ...traces.filter(({ id }) => titleOf(id) !== own)];
  for (const trace of sorted) {
    const title = titleOf(trace.id);
    const group = groups.get(title);
    if (group === undefined) groups.set(title, [trace]);
    else group.push(trace);
  }
  return [...groups].map(([title, list]) => ({
    key: title,
    title,
    isOwn: title === own && own !== noProgram,
    traces: list,
  }));
}

/** What can be replayed in full and ran the program that is shown; the shown trace itself in any case. */
export function defaultChoice(groups: readonly ProgramGroup<Listed>[], shown: TraceId): ReadonlySet<TraceId> {
  const own = groups.find(({ isOwn }) => isOwn)?.traces ?? [];
  return new Set([shown, ...own.filter(isFull).map(({ id }) => id)]);
}

export function isFull({ replayGrade }: Pick<TraceRecord, 'replayGrade'>): boolean {
  return replayGrade === 'full';
}

const noProgram = 'No program recorded';

function programsToTitle(programs: TraceProgram['programs']): string {
  const titles = [...new Set(programs.map(programToTitle))];
  return titles.length === 0 ? noProgram : titles.join(' and ');
}

function programToTitle({ name, version, digest }: TraceProgram['programs'][number]): string {
  const of = digest === undefined ? '' : ` (${digest.slice(0, 19)}…)`;
  return `${name}${version === undefined ? '' : ` ${version}`}${of}`;
}
