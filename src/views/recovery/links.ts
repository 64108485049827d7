/**
 * Where an event of a trial stands, and the ways between the parts of the page: handed down from Page.tsx to every part.
 */
import type { EventId } from '../../core/model/index.ts';
import type { TrialReport } from '../../core/recovery/index.ts';
import type { RecoveryAnswer, TraceId } from '../../data/index.ts';
import { type Navigation, traceLocation } from '../../state/location.ts';

export interface Links {
  /** Address of the event in the explorer; undefined where no trace of the library holds it. */
  readonly toEvent: (trial: string, event: string) => string | undefined;
  readonly toTrace: (trial: string) => string | undefined;
  readonly traceOf: (trial: string) => TraceId | undefined;
  readonly typeOf: (trial: string, event: string) => string | undefined;
  readonly nameOf: (trial: string) => string;
  /** Without the name of the campaign, with which most harnesses begin every name. */
  readonly shortNameOf: (trial: string) => string;
  /** What the library calls the trace of a trial, where that is not the trial's own name. */
  readonly titleOf: (trial: string) => string | undefined;
  readonly showTrial: (trial: string) => void;
}

export function createLinks(
  { report, places }: Pick<RecoveryAnswer, 'report' | 'places'>,
  hrefOf: Navigation['hrefOf'],
  showTrial: Links['showTrial'],
  library: readonly { readonly id: string; readonly name: string }[] = [],
): Links {
  const trials = new Map(report.campaigns.flatMap((campaign) => campaign.trials.map((trial) => [trial.id, trial])));
  const campaigns = new Map(report.campaigns.flatMap(({ name, trials: own }) => own.map(({ id }) => [id, name])));
  const nameOf = (trial: string): string => trials.get(trial)?.name ?? trial;
  const titles = new Map(library.map(({ id, name }) => [id, name]));
  const types = new Map<string, ReadonlyMap<string, string>>();
  // Cast: the traces of a report are named by their ids in the library.
  const traceOf = (trial: string): TraceId | undefined => trials.get(trial)?.traces[0] as TraceId | undefined;
  return {
    toEvent: (trial, event) => {
      const trace = places[trial] === undefined ? traceOf(trial) : places[trial][event];
      if (trace === undefined) return undefined;
      // Cast: ids in a report are ids of the events it was made from.
      return hrefOf({ ...traceLocation(trace), event: event as EventId });
    },
    toTrace: (trial) => {
      const trace = traceOf(trial);
      return trace === undefined ? undefined : hrefOf(traceLocation(trace));
    },
    traceOf: (trial) => traceOf(trial),
    typeOf: (trial, event) => {
      const known = types.get(trial) ?? typesOf(trials.get(trial));
      types.set(trial, known);
      return known.get(event);
    },
    nameOf,
    shortNameOf: (trial) => {
      const [name, campaign] = [nameOf(trial), campaigns.get(trial) ?? ''];
      return campaign !== '' && name.startsWith(`${campaign}-`) ? name.slice(campaign.length + 1) : name;
    },
    titleOf: (trial) => {
      const title = titles.get(traceOf(trial) ?? '');
      return title === nameOf(trial) ? undefined : title;
    },
    showTrial,
  };
}

/** Under which the places of the events of an engine's run stand: no id of a trial. */
export function engineKey({ engine, run }: { readonly engine: string; readonly run: string }): string {
  return `${engine} ${run}`;
}

function typesOf(trial: TrialReport | undefined): ReadonlyMap<string, string> {
  const pairs = (trial?.timeline ?? []).map(({ event, type }) => [event, type] as const);
  const anchors = (trial?.metrics ?? []).flatMap(({ start, end }) => [start, ...(end === undefined ? [] : [end])]);
  return new Map([...anchors.map(({ event, type }) => [event, type] as const), ...pairs]);
}

/** The trials of which a trace holds records. */
export function trialsOfTrace({ report }: Pick<RecoveryAnswer, 'report'>, trace: TraceId): readonly string[] {
  return report.campaigns.flatMap(({ trials }) =>
    trials.filter(({ traces }) => traces.includes(trace)).map(({ id }) => id),
  );
}

/** Whether a trace holds tables of an engine that are judged. */
export function holdsTables({ report }: Pick<RecoveryAnswer, 'report'>, trace: TraceId): boolean {
  return report.engines.runs.some(({ traces }) => traces.includes(trace));
}

/** Shown where the address names none: a campaign that somebody opened is not to stand behind a single trial. The first of equals. */
export function largestOf<T extends { readonly trials: readonly unknown[] }>(campaigns: readonly T[]): T | undefined {
  return campaigns.reduce<T | undefined>(
    (largest, one) => (largest === undefined || one.trials.length > largest.trials.length ? one : largest),
    undefined,
  );
}
