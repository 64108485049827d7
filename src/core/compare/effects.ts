/**
 * Why two lines differ outside: what the effects and the processes of each side tell, where one had an incident and the other had not.
 *
 * Invariants: a sentence is built from the records of its own side alone, as the headline's is; sides whose effects went alike have none.
 * What the incident caused is not claimed. Called by `compare.ts`.
 */
import { createBranches, createIndexBuilder, createOrder, eventsToSource } from '../causal/index.ts';
import { type HindcastEvent, branchId, eventFamily } from '../model/index.ts';
import {
  type TraceView,
  createContentLookup,
  createTraceView,
  effectToStory,
  isSimulated,
  simulatedToFact,
  viewToLedger,
} from '../projections/index.ts';

export interface ComparedEffects {
  /** The command that the sentences are about; absent where they are about a process alone. */
  readonly path?: string;
  /** Absent: nothing of the kind is recorded there. */
  readonly here?: string;
  readonly there?: string;
}

export interface EffectSide {
  readonly events: readonly HindcastEvent[];
  readonly run: string;
  readonly branch: string;
}

interface Story {
  readonly text: string;
  /** It was not sent: the sentence is one with all that the side only simulated. */
  readonly isSimulated: boolean;
  readonly isIncident: boolean;
  /** Equal where the same became of the command, whatever the ids of its effects are. */
  readonly course: string;
}

interface SideStory {
  readonly byPath: ReadonlyMap<string, Story>;
  /** What the headline says of all that was only simulated. */
  readonly simulated: string;
  /** "worker 1 was killed", of the first that was. */
  readonly killed: string | undefined;
}

const told: ReadonlySet<string> = new Set(['tool', 'effect', 'fault', 'worker', 'approval', 'branch', 'stream']);

export function compareEffects(here: EffectSide, there: EffectSide): ComparedEffects | undefined {
  const [mine, theirs] = [sideToStory(here), sideToStory(there)];
  for (const [path, a] of mine.byPath) {
    const b = theirs.byPath.get(path);
    // What one side does not ask for had no other course there.
    if (b === undefined || a.course === b.course || !hasWeight(a, b)) continue;
    const together = [...mine.byPath].flatMap(([one, story]) =>
      story.isSimulated || theirs.byPath.get(one)?.isSimulated === true ? [one] : [],
    );
    const paths = a.isSimulated || b.isSimulated ? together : [path];
    return { path, ...sides(tell(mine, paths), tell(theirs, paths)) };
  }
  const isOneKilled = (mine.killed === undefined) !== (theirs.killed === undefined);
  return isOneKilled ? sides(mine.killed, theirs.killed) : undefined;
}

function hasWeight(a: Story, b: Story): boolean {
  return [a, b].some(({ isIncident, isSimulated: isOnlySimulated }) => isIncident || isOnlySimulated);
}

/** Each of the commands, those that were only simulated in one sentence. */
function tell({ byPath, simulated }: SideStory, paths: readonly string[]): string {
  const stories = paths.flatMap((path) => byPath.get(path) ?? []);
  const own = stories.filter((story) => !story.isSimulated).map(({ text }) => text);
  return [...own, ...(own.length < stories.length ? [simulated] : [])].join(' ');
}

function sides(here: string | undefined, there: string | undefined): ComparedEffects {
  return { ...(here === undefined ? {} : { here }), ...(there === undefined ? {} : { there }) };
}

function sideToStory({ events, run, branch }: EffectSide): SideStory {
  // What a copy says of itself stands under the first of its runs.
  const own = events.filter(
    (event) => event.type === 'share.declared' || (event.run === run && told.has(eventFamily(event.type))),
  );
  // Without records of a service, of a fault or of a process no effect had an incident.
  if (!own.some(({ type }) => /^(?:effect|fault|worker)\./.test(type)))
    return { byPath: new Map(), simulated: '', killed: undefined };
  const { commands, lives } = viewToLedger(eventsToView(own, branch));
  const byPath = new Map<string, Story>();
  for (const command of commands) {
    const { text, isInterrupted } = effectToStory(command);
    const times = command.ofOneKind.length;
    const course = `${command.verdict} ${String(times)} ${String(command.attempts.length)} ${String(isInterrupted)}`;
    if (!byPath.has(command.path))
      byPath.set(command.path, {
        text,
        isIncident: isInterrupted || times > 1,
        isSimulated: isSimulated(command),
        course,
      });
  }
  const killed = lives.all.find((life) => life.killed);
  const simulated = simulatedToFact(commands.filter(isSimulated))
    .map(({ text }) => text)
    .join('');
  return { byPath, simulated, killed: killed === undefined ? undefined : `${killed.label} was killed.` };
}

function eventsToView(events: readonly HindcastEvent[], branch: string): TraceView {
  const builder = createIndexBuilder();
  for (const event of events) builder.add(event);
  const index = builder.build();
  const source = eventsToSource(events);
  const content = createContentLookup(index, source);
  const parts = { index, source, order: createOrder(index), branches: createBranches(index, source), content };
  return createTraceView(parts, branchId(branch));
}
