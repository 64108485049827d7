/**
 * "Kill here": one simulated trial. A worker lives, dies at a boundary of one write, and lives again with what its runtime kept.
 *
 * Pure: the sandbox is injected, every answer comes from the record, nothing real is touched. Called by the sweep, the command line and
 * the page's worker.
 */
import { plainToRecorded } from '../base/json.ts';
import { type Result, err, ok } from '../base/result.ts';
import { digest } from '../model/index.ts';
import type { JournalEntry, Settled } from '../replay/index.ts';
import { type Recorded, readRecorded } from './recorded.ts';
import type { Kill, SimulatedTrial, SimulationRequest, StoryEvent, Strategy, TrialEnding } from './types.ts';
import { traitsOf } from './types.ts';
import { type LifeEnd, createMemory, runLife } from './worker.ts';
import { type World, createWorld } from './world.ts';

export interface KillRequest extends SimulationRequest, Kill {
  readonly strategy: Strategy;
}

/** An error is a sentence: no program, no such write. */
export async function simulateKill(request: KillRequest): Promise<Result<SimulatedTrial, string>> {
  const recorded = readRecorded(request.events, request.run, request.branch);
  if (!recorded.ok) return recorded;
  const { path, boundary, strategy } = request;
  const entry = recorded.value.entries.get(path);
  if (entry === undefined) return err(`The record has no command at ${path}.`);
  const why = whyNotStruck(entry);
  if (why !== undefined) return err(`${path} cannot be struck: ${why}.`);
  return ok(await runTrial(request, recorded.value, strategy, { path, boundary }));
}

/** Why a command has no boundaries to die at; undefined where it has. */
export function whyNotStruck({ kind, observation, effects }: JournalEntry): string | undefined {
  if (kind !== 'write') return 'only a write passes the boundaries of an external effect';
  if (effects.length > 0 || observation.kind === 'ok') return undefined;
  return observation.kind === 'err'
    ? 'it was refused in the record, so nothing was ever committed'
    : 'the record has no result of it and no commitment';
}

/** At most two lives: the second meets no kill. */
export async function runTrial(
  request: SimulationRequest,
  recorded: Recorded,
  strategy: Strategy,
  kill: Kill | undefined,
): Promise<SimulatedTrial> {
  const traits = traitsOf[strategy];
  const world = createWorld(recorded, request.modelVaries === true);
  const story: StoryEvent[] = [];
  let memory = createMemory();
  let reached = false;
  for (let life = 1; ; life++) {
    const tell = (event: Omit<StoryEvent, 'life'>): void => {
      story.push({ life, ...event });
    };
    const kept = memory.finals.size;
    tell({ type: 'worker.started', text: startText(life, traits.journal, kept) });
    const own = life === 1 ? kill : undefined;
    const end = await runLife({ recorded, world, memory, traits, life, kill: own, tell, request });
    if (end.kind === 'killed') {
      reached = true;
      if (!traits.journal) memory = createMemory();
      continue;
    }
    tell({ type: endType(end), text: endText(end) });
    return toTrial({ recorded, strategy, kill, reached, world, end, story });
  }
}

function startText(life: number, keeps: boolean, kept: number): string {
  if (life === 1) return 'The worker starts.';
  return keeps
    ? `A new worker starts with the journal: ${String(kept)} observations are durable.`
    : 'A new worker starts from the first step, with nothing kept.';
}

function endType(end: LifeEnd): string {
  if (end.kind === 'settled') return end.settled.kind === 'ok' ? 'run.completed' : 'run.failed';
  return 'worker.exited';
}

function endText(end: LifeEnd): string {
  switch (end.kind) {
    case 'settled':
      return settledText(end.settled);
    case 'stuck':
      return end.waiting.length === 0
        ? 'The program waits for a promise that nothing settles.'
        : `The program waits for what the record does not have: ${end.waiting.join(', ')}.`;
    case 'limit':
      return end.message;
    case 'killed':
      return 'The worker is dead.';
  }
}

function settledText(settled: Settled): string {
  switch (settled.kind) {
    case 'ok':
      return 'The run completes.';
    case 'err':
      return `The run fails: ${settled.error.name}: ${settled.error.message}.`;
    case 'not-a-program':
      return settled.message;
    case 'rolled-over':
      return 'The run goes on in another segment.';
  }
}

interface Ended {
  readonly recorded: Recorded;
  readonly strategy: Strategy;
  readonly kill: Kill | undefined;
  readonly reached: boolean;
  readonly world: World;
  readonly end: LifeEnd;
  readonly story: readonly StoryEvent[];
}

function toTrial({ recorded, strategy, kill, reached, world, end, story }: Ended): SimulatedTrial {
  const commitments = world.commitments();
  const ending = toEnding(end);
  const completed = ending === 'completed';
  const duplicates = [...commitments.values()].reduce((sum, count) => sum + count - 1, 0);
  const asks = [...world.asks().values()];
  const losses = completed
    ? [...recorded.entries.values()]
        .filter((entry) => whyNotStruck(entry) === undefined && !commitments.has(entry.path))
        .map(({ path }) => path)
    : [];
  const most = [...commitments.values()].reduce((greatest, count) => Math.max(greatest, count), 0);
  const trial = {
    strategy,
    kill,
    reached,
    commitments: Object.fromEntries(commitments),
    committed: kill === undefined ? most : (commitments.get(kill.path) ?? 0),
    duplicates,
    losses,
    deduplicated: countOf(story, 'effect.deduplicated'),
    refused: countOf(story, 'effect.refused'),
    modelCalls: asks.reduce((sum, count) => sum + count, 0),
    extraModelCalls: asks.reduce((sum, count) => sum + count - 1, 0),
    ending,
    completed,
    equalsRecorded: equalsRecorded(recorded, world, end),
    story,
    assumptions: world.assumptions(),
  };
  return { ...trial, sentence: toSentence(trial, end) };
}

function toEnding(end: LifeEnd): TrialEnding {
  if (end.kind === 'settled') return end.settled.kind === 'ok' ? 'completed' : 'failed';
  return end.kind === 'limit' ? 'limit' : 'stuck';
}

function countOf(story: readonly StoryEvent[], type: string): number {
  return story.filter((event) => event.type === type).length;
}

/** A run that failed in the record is repeated by failing with the same error. */
function equalsRecorded({ outcome }: Recorded, world: World, end: LifeEnd): boolean {
  if (end.kind !== 'settled') return false;
  const { settled } = end;
  if (settled.kind === 'ok' && outcome?.kind === 'completed')
    return digest(world.asRecorded(plainToRecorded(settled.value))) === outcome.digest;
  if (settled.kind === 'err' && outcome?.kind === 'failed')
    return digest(world.asRecorded(plainToRecorded({ ...settled.error }))) === outcome.digest;
  return false;
}

function toSentence(
  trial: Pick<SimulatedTrial, 'kill' | 'reached' | 'duplicates' | 'losses' | 'deduplicated' | 'completed'>,
  end: LifeEnd,
): string {
  if (trial.kill !== undefined && !trial.reached) return 'The run never came to that boundary; nothing was killed.';
  const parts = [
    trial.duplicates === 0
      ? ''
      : `${String(trial.duplicates)} more ${trial.duplicates === 1 ? 'effect' : 'effects'} than meant`,
    trial.losses.length === 0 ? '' : `${String(trial.losses.length)} lost`,
    trial.deduplicated === 0 ? '' : 'the service answered a repeated request from its key',
  ].filter((part) => part !== '');
  const what = parts.length === 0 ? 'No effect was doubled or lost' : parts.join('; ');
  return `${what}. ${endText(end)}`;
}
