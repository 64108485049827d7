/**
 * Looks through the recorded runs of the library for answers by content address: kind, name and digest of the arguments.
 *
 * Invariant: only records as they were made count, never branches; an answer whose value is withheld or absent is none. Nothing is taken by
 * itself: a person chooses. Called by the replay worker, which loads it when it is first asked for.
 */
import { type Result, ok } from '../../core/base/result.ts';
import type { HindcastEvent } from '../../core/model/index.ts';
import { type JournalEntry, type ReplayBase, listRuns, outcomeDigest, readBase } from '../../core/replay/index.ts';
import { containsHole } from '../../core/base/withheld.ts';
import { openedToEvents } from './replay-input.ts';
import type { ReplayDeps } from './replay-job.ts';
import type { ReplayFailure } from './replay-methods.ts';
import type { AnswerAsk, AnswerProgress, AnswersFound, FoundAnswer } from './replay-reuse-methods.ts';
import type { CallContext } from './server.ts';

/** Different answers told for one command. */
const mostAnswers = 20;

type Counted = FoundAnswer & { more: number };

export async function findAnswers(
  { opener }: Pick<ReplayDeps, 'opener'>,
  { run: ownRun, traces, commands }: AnswerAsk,
  { progress }: CallContext<AnswerProgress>,
): Promise<Result<AnswersFound, ReplayFailure>> {
  const wanted = new Map<string, string[]>();
  for (const { path, kind, name, args } of commands) {
    const key = `${kind} ${name} ${args}`;
    wanted.set(key, [...(wanted.get(key) ?? []), path]);
  }
  const found = new Map<string, Map<string, Counted>>();
  const notRead: string[] = [];
  for (const [done, { trace, name }] of traces.entries()) {
    progress({ done, of: traces.length });
    const opened = await opener.open(trace);
    if (!opened.ok) {
      notRead.push(`${name}: ${opened.error.message}`);
      continue;
    }
    for (const { run, entry, base } of entriesOf(openedToEvents(opened.value), ownRun)) {
      const paths = wanted.get(`${entry.kind} ${entry.name} ${entry.argsDigest ?? ''}`);
      const outcome = paths === undefined ? undefined : entryToOutcome(entry, base);
      if (paths === undefined || outcome === undefined) continue;
      const answer = { trace, traceName: name, run, event: entry.finalEvent ?? entry.issueEvent, outcome };
      for (const path of paths) note(found, path, outcomeDigest(entry.observation) ?? '', answer);
    }
  }
  const byPath = Object.fromEntries([...found].map(([path, answers]) => [path, [...answers.values()]]));
  return ok({ byPath, looked: traces.length - notRead.length, notRead });
}

interface FoundEntry {
  readonly run: string;
  readonly entry: JournalEntry;
  readonly base: ReplayBase;
}

function* entriesOf(events: readonly HindcastEvent[], ownRun: string): Generator<FoundEntry> {
  for (const run of listRuns(events)) {
    if (run === ownRun) continue;
    const base = readBase(events, run, 'main');
    if (!base.ok) continue;
    for (const { entries } of base.value.journals) for (const entry of entries) yield { run, entry, base: base.value };
  }
}

function entryToOutcome({ observation }: JournalEntry, { contents }: ReplayBase): FoundAnswer['outcome'] | undefined {
  if (observation.kind === 'err') return { error: { ...observation.error } };
  if (observation.kind !== 'ok') return undefined;
  const value = contents.resolve(observation.value);
  return value === undefined || containsHole(value) ? undefined : { value };
}

function note(
  found: Map<string, Map<string, Counted>>,
  path: string,
  digest: string,
  answer: Omit<FoundAnswer, 'more'>,
): void {
  const answers = found.get(path) ?? new Map<string, Counted>();
  found.set(path, answers);
  const known = answers.get(digest);
  if (known !== undefined) known.more += 1;
  else if (answers.size < mostAnswers) answers.set(digest, { ...answer, more: 0 });
}
