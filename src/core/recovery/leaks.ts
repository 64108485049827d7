/**
 * What a restarted process was given that the first one was not (R114): the records of how each life was started, compared.
 *
 * Allowed to differ: identities of the life, the kill setting, and the versions of what runs (told apart as a redeployment), by the rules
 * of start-members.ts. Anything else is state that the harness handed over, and the trial is not one of recovery.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { canon, type HindcastEvent, isKnownEventType } from '../model/index.ts';
import type { Life } from '../projections/effects/lives.ts';
import type { Check } from './report.ts';
import { handedOver } from './start-members.ts';
import { announces, createDesigned } from './start-by-design.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

/** Declared differences that hand nothing over: the kill setting, what is deployed, identities, trace context. */
const harmless =
  /\bkill\b|\bdeployed program\b|\bprogram version\b|\bpid\b|\bprocess id\b|\bid of the event\b|\btrace context\b|\bincarnation\b|\bboot\b/i;

/** What a worker reads from its own store when it goes on, as engines name it in the start of a run. */
const ownStore =
  /^(?:next|checkpoints?|checkpoint[_-]\w+|snapshots?|snapshot[_-]\w+|journal|journal[_-]\w+|store|history|cursor|offset|position|step|segment|entries|observations|recorded|replayed|resumed|resumed[_-]from|recovered|phase|thread[_-]id|workflow[_-]id|execution[_-]id|invocation[_-]id)(?:\.|$)/i;

/** Names under which something is handed to a process, in records that have no first one to be compared with. */
const handed =
  /(?:^|[_.-])(?:hints?|harness|handed|hand[_-]?over|given|supplied|provided|injected|leak(?:ed|s)?|(?:recovery|resume)[_-]?(?:data|payload|state))(?:$|[_.-])/i;

export function checkLeaks(trial: TrialRecords): Check {
  const id = 'no-leaked-state';
  const spawns = trial.ofType('worker.spawned');
  const problems: string[] = [];
  const events: string[] = [];
  const tell = (event: HindcastEvent, sentences: readonly string[]): void => {
    if (sentences.length === 0) return;
    events.push(event.id);
    problems.push(...sentences);
  };
  const isTarget = createTargets(trial);
  const common = commonMembers(trial.events);
  const compare = (first: HindcastEvent | undefined, event: HindcastEvent, isOwn?: typeof isOfOwnStore) =>
    handedOver(membersOf(first, common), membersOf(event, common), isTarget, isOwn);
  const compareRuns = (first: HindcastEvent, event: HindcastEvent): readonly string[] => {
    const isByDesign = createDesigned(trial, first, event);
    return [
      ...(isByDesign('input', inputOf(event) ?? null) ? [] : otherInput(first, event)),
      ...handedOver(
        withoutInput(membersOf(first, common)),
        withoutInput(membersOf(event, common)),
        isTarget,
        (path, value) => isOfOwnStore(path, value) || isByDesign(path, value),
      ),
    ];
  };
  const [firstSpawn, ...laterSpawns] = spawns;
  for (const event of laterSpawns) tell(event, [...compare(firstSpawn, event), ...declared(event)]);
  const [firstStart, ...laterStarts] = trial.workers.flatMap(({ started }) => started ?? []);
  for (const event of laterStarts) tell(event, compare(firstStart, event, isOfOwnStore));
  const firstRuns = new Map<string, HindcastEvent>();
  for (const event of trial.ofType('run.started').filter(({ run }) => run === trial.run)) {
    // A later segment of a run starts from what was carried; the same segment always starts from the same.
    const segment = textIn(event.data, 'segment') ?? '0';
    const first = firstRuns.get(segment);
    if (first === undefined) firstRuns.set(segment, event);
    else tell(event, compareRuns(first, event));
  }
  for (const event of trial.events) tell(event, handedBeside(event, firstSpawn, common));
  if (problems.length > 0) {
    const text = `The restarted process was given more than deployed state: ${[...new Set(problems)].join('; ')}.`;
    return { id, status: 'violated', text, events };
  }
  return notLeaked(trial, spawns);
}

function notLeaked(trial: TrialRecords, spawns: readonly HindcastEvent[]): Check {
  const id = 'no-leaked-state';
  const silent = trial.workers.slice(1).filter((life) => !isAnnounced(life, spawns));
  if (silent.length > 0) {
    const text = `No record says how ${silent.map(({ label }) => label).join(', ')} was started, so nothing shows what it was given.`;
    return { id, status: 'not established', text, events: silent.flatMap(({ started }) => started?.id ?? []) };
  }
  const count = Math.max(0, spawns.length - 1);
  const text =
    count === 0
      ? 'No process was restarted.'
      : `${count === 1 ? 'The restart differs' : `The ${count} restarts differ`} from the first start in identities and the kill setting alone.`;
  return { id, status: 'holds', text, events: spawns.map((event) => event.id) };
}

function isAnnounced(life: Life, spawns: readonly HindcastEvent[]): boolean {
  return spawns.some((spawned) => announces(spawned, life));
}

/** Members beside the payload that most records have: what a writer puts on every record says nothing about one start. */
function commonMembers(events: readonly HindcastEvent[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { imported } of events)
    for (const name of Object.keys(imported?.extra ?? {})) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Set([...counts].flatMap(([name, count]) => (count * 2 > events.length ? [name] : [])));
}

/** The payload, and what stood beside it in the record that was converted. */
function membersOf(event: HindcastEvent | undefined, common: ReadonlySet<string>): JsonObject {
  const extra = Object.entries(event?.imported?.extra ?? {});
  const beside = extra.filter(([name]) => !common.has(name) && !/^(?:recorded_|producer\.)/.test(name));
  return { ...Object.fromEntries(beside), ...(isJsonObject(event?.data) ? event.data : {}) };
}

/** Paths that a kill of this trial can name: of its commands, and those its faults are recorded for. */
function createTargets(trial: TrialRecords): (path: string) => boolean {
  const paths = new Set<string>();
  for (const { command } of trial.events) {
    if (command === undefined) continue;
    paths.add(command.path).add(String(command.alias ?? command.path));
    if (command.name !== undefined) paths.add(command.name);
  }
  for (const event of trial.ofType('fault.armed', 'fault.injected', 'fault.witnessed')) {
    const path = textIn(event.data['target'], 'path');
    if (path !== undefined) paths.add(path);
  }
  const cell = textIn(trial.data['cell'], 'effect');
  if (cell !== undefined) paths.add(cell);
  return (path) => paths.has(path);
}

/** A worker may say of itself that it goes on, and from where in its own store. */
function isOfOwnStore(path: string, value: JsonValue): boolean {
  const isPlain = typeof value === 'boolean' || value === null;
  return (isPlain && !path.includes('.')) || ownStore.test(path);
}

/** Told by itself, in `otherInput`. */
function withoutInput(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name]) => name !== 'input'));
}

/** What a record says was handed over: of a replay, and of whoever starts the processes under a type of its own. */
function handedBeside(
  event: HindcastEvent,
  spawned: HindcastEvent | undefined,
  common: ReadonlySet<string>,
): readonly string[] {
  const isReplay = event.type.startsWith('recovery.');
  const isOfHarness = !isKnownEventType(event.type) && event.source.component === spawned?.source.component;
  if (!isReplay && !isOfHarness) return [];
  const names = Object.entries(membersOf(event, common)).filter(([name, value]) => value !== null && handed.test(name));
  const told = names.map(([name, value]) => `"${name}" of ${event.type} is ${canon(value)}`);
  return told.length === 0 && isOfHarness && handed.test(event.type)
    ? [`there is a record of type ${event.type}`]
    : told;
}

function declared(later: HindcastEvent): readonly string[] {
  const environment = later.data?.['environment'];
  const differences = isJsonObject(environment) ? environment['differences'] : undefined;
  if (!isJsonArray(differences)) return [];
  return differences
    .map((one) => (typeof one === 'string' ? one : canon(one)))
    .filter((text) => !harmless.test(text))
    .map((text) => `a difference is declared: "${text}"`);
}

function otherInput(first: HindcastEvent, later: HindcastEvent): readonly string[] {
  const [was, is] = [inputOf(first), inputOf(later)];
  if (is === undefined || (was !== undefined && canon(was) === canon(is))) return [];
  return ['the run was started again with another input'];
}

function inputOf(event: HindcastEvent): JsonValue | undefined {
  return event.type === 'run.started' ? event.data.input : undefined;
}
