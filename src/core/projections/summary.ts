/**
 * What was opened, in counts and names: runs, branches, producers, agents, types, clocks.
 */
import type { JsonValue } from '../base/json.ts';
import { type BranchInfo, type CausalIndex, memberOf, payloadOf, textAt } from '../causal/index.ts';
import { type FlushPolicy, computeDeclarations, eventId, mainBranch } from '../model/index.ts';
import { branchLabel } from './branch-labels.ts';
import { copyPositions, countRunEvents, readCopy } from './copy-records.ts';
import { stepToText } from './title-words.ts';
import type { BranchSummary, Counted, ProducerSummary, RunSummary, TraceSummary } from './trace-reader.ts';
import type { TraceParts } from './trace-view.ts';

/** What only the import knows. */
export interface ImportFacts {
  readonly format: string;
  readonly replayGrade: string;
  readonly missingForReplay: readonly string[];
  readonly counts: {
    readonly input: number;
    readonly mapped: number;
    readonly merged: number;
    readonly problems: number;
  };
}

export function computeSummary(
  parts: TraceParts,
  facts: ImportFacts,
  told: Pick<TraceSummary, 'problems' | 'notices' | 'unread'>,
  summaryOf = createBranchSummaries(parts),
): TraceSummary {
  const { index } = parts;
  const copy = readCopy(index);
  return {
    ...facts,
    counts: { ...facts.counts, events: countRunEvents(index.columns) },
    edges: index.edgeCounts,
    ...told,
    runs: computeRuns(parts),
    branches: parentsFirst(parts.branches.list).map(summaryOf),
    producers: computeProducers(parts),
    agents: countNames(index, (position) => index.agent(position)),
    steps: countSteps(index).slice(0, mostSteps),
    types: countNames(index, (position) => index.type(position)),
    tools: countListed(index, index.columns.tools),
    principals: countListed(index, index.columns.principals),
    sessions: countNames(index, (position) => index.session(position)),
    clocks: index.columns.clocks.slice(1),
    ...(copy === undefined ? {} : { copy }),
  };
}

const mostSteps = 1000;

function countSteps(index: CausalIndex): readonly Counted[] {
  const names = new Map(index.columns.steps.map((step) => [step, stepToText(step)]));
  return countNames(index, (position) => {
    const step = index.step(position);
    return step === undefined ? undefined : names.get(step);
  });
}

/** Names with their counts, the most frequent first, then by name. */
function countNames(index: CausalIndex, read: (position: number) => string | undefined): readonly Counted[] {
  const counts = new Map<string, number>();
  for (let i = 0; i < index.count; i++) {
    const name = read(i);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return sortCounted(counts);
}

/** The same for names that only some events have, which stand in a list beside the columns. */
function countListed({ columns }: CausalIndex, list: CausalIndex['columns']['tools']): readonly Counted[] {
  const counts = new Map<string, number>();
  for (const number of list.name) {
    const name = columns.labels[number] ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return sortCounted(counts);
}

function sortCounted(counts: ReadonlyMap<string, number>): readonly Counted[] {
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

function computeRuns({ index, source }: TraceParts): readonly RunSummary[] {
  const outcomes = new Map<string, RunSummary['outcome']>();
  for (const position of index.ofType('run.completed', 'run.failed')) {
    if (index.branch(position) !== mainBranch) continue;
    outcomes.set(index.run(position), index.type(position) === 'run.completed' ? 'completed' : 'failed');
  }
  const programs = new Map<string, RunSummary['program']>();
  for (const position of index.ofType('run.started')) {
    const program = memberOf(payloadOf(source.at(position)), 'program');
    if (program === undefined || programs.has(index.run(position))) continue;
    programs.set(index.run(position), {
      name: textAt(program, 'name') ?? 'unnamed',
      version: textAt(program, 'version'),
      hasSource: memberOf(program, 'source') !== undefined,
    });
  }
  return countNames(index, (position) => index.run(position)).map(({ name, count }) => {
    const program = programs.get(name);
    return {
      run: name,
      events: count,
      ...(program === undefined ? {} : { program }),
      outcome: outcomes.get(name) ?? 'not recorded',
    };
  });
}

/** Each branch before those that continue it, else in the order of the file; those of a circle come last. */
function parentsFirst(list: readonly BranchInfo[]): readonly BranchInfo[] {
  const ids = new Set(list.map(({ id }) => id));
  const followers = new Map<string, BranchInfo[]>();
  const out: BranchInfo[] = [];
  for (const info of list) {
    if (info.parent === undefined || !ids.has(info.parent)) out.push(info);
    else {
      const others = followers.get(info.parent);
      if (others === undefined) followers.set(info.parent, [info]);
      else others.push(info);
    }
  }
  // Grows while it is read.
  for (const { id } of out) for (const info of followers.get(id) ?? []) out.push(info);
  const told = new Set(out);
  return [...out, ...list.filter((info) => !told.has(info))];
}

/** One branch at a time; the trace is counted once for all of them, when the first is asked for. */
export function createBranchSummaries(parts: TraceParts): (info: BranchInfo) => BranchSummary {
  let tellings: ReadonlyMap<string, BranchTelling> | undefined;
  return (info) => summarise(parts, info, (tellings ??= tellBranches(parts)).get(info.id) ?? { ownEvents: 0 });
}

interface BranchTelling {
  ownEvents: number;
  operation?: JsonValue | undefined;
  status?: string;
}

function tellBranches({ index, source }: TraceParts): ReadonlyMap<string, BranchTelling> {
  const tellings = new Map<string, BranchTelling>();
  // What a copy says of itself is no event of the run.
  const ofCopy = new Set(copyPositions(index));
  for (let i = 0; i < index.count; i++) {
    if (ofCopy.has(i)) continue;
    const telling = tellings.get(index.branch(i));
    if (telling === undefined) tellings.set(index.branch(i), { ownEvents: 1 });
    else telling.ownEvents++;
  }
  for (const position of index.ofType('replay.started', 'replay.completed', 'replay.diverged')) {
    const telling = tellings.get(index.branch(position));
    if (telling === undefined || index.branch(position) === mainBranch) continue;
    const data = payloadOf(source.at(position));
    const type = index.type(position);
    if (type === 'replay.started') telling.operation = memberOf(data, 'operation');
    else telling.status = textAt(data, 'status') ?? (type === 'replay.diverged' ? 'diverged' : 'complete');
  }
  return tellings;
}

function summarise(
  { index, branches }: TraceParts,
  info: BranchInfo,
  { ownEvents, operation, status }: BranchTelling,
): BranchSummary {
  const fork = branches.forkOf(info.id);
  const at = textAt(operation, 'at');
  return {
    id: info.id,
    ...(info.parent === undefined ? {} : { parent: info.parent }),
    label: branchLabel(info.id, operation),
    ...(at === undefined ? {} : { at }),
    ...(status === undefined ? {} : { status }),
    ownEvents,
    ...(info.fork === undefined ? {} : { fork: fork < 0 ? eventId(info.fork) : index.id(fork) }),
  };
}

function computeProducers(parts: TraceParts): readonly ProducerSummary[] {
  const { index } = parts;
  const counts = new Int32Array(index.logs.length);
  for (let i = 0; i < index.count; i++) counts[index.logNumber(i)] = (counts[index.logNumber(i)] ?? 0) + 1;
  const flushOf = createFlushLookup(parts);
  return index.logs
    .map((log, l) => ({ log, events: counts[l] ?? 0 }))
    .filter(({ log, events }) => log.branch === mainBranch && events > 0)
    .map(({ log: { component, instance, incarnation }, events }): ProducerSummary => {
      const flush = flushOf(component);
      return {
        component,
        ...(instance === undefined ? {} : { instance }),
        ...(incarnation === undefined ? {} : { incarnation }),
        events,
        ...(flush === undefined ? {} : { flush }),
      };
    })
    .sort(compareProducers);
}

function compareProducers(a: ProducerSummary, b: ProducerSummary): number {
  const left = [a.component, a.instance ?? ''].join('\u0000');
  const right = [b.component, b.instance ?? ''].join('\u0000');
  if (left !== right) return left < right ? -1 : 1;
  const byNumber = Number(a.incarnation ?? 0) - Number(b.incarnation ?? 0);
  return Number.isNaN(byNumber) ? ((a.incarnation ?? '') < (b.incarnation ?? '') ? -1 : 1) : byNumber;
}

/** Flush policy by component, as the first of its declarations in display order says it. */
export function createFlushLookup({
  index,
  order,
  source,
}: TraceParts): (component: string) => FlushPolicy | undefined {
  const declared = new Set(index.ofType('stream.declared'));
  const inOrder = declared.size === 0 ? [] : [...order.display].filter((position) => declared.has(position));
  const { producers } = computeDeclarations(inOrder.map((position) => source.at(position)));
  return (component) => producers.get(component);
}
