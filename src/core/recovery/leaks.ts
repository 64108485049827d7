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

/** Sentences of a declared difference that hand nothing over, each as a whole: no word excuses what stands beside it. */
const harmless: readonly RegExp[] = [
  /^(?:the )?kill setting(?:, if there was one,)?(?: is gone)?$/i,
  /^(?:the )?id of the event that announced this life$/i,
  /^(?:the )?(?:deployed program|program version|version)$/i,
  /^(?:the )?(?:pid|process id|incarnation|boot(?: id)?|trace context)$/i,
];

type IsOwn = (path: string, value: JsonValue) => boolean;

/** What a worker reads from its own store when it goes on, as engines name it in the start of a run. */
const ownStore =
  /^(?:next|checkpoints?|checkpoint[_-]\w+|snapshots?|snapshot[_-]\w+|journal|journal[_-]\w+|store|history|cursor|offset|position|step|segment|entries|observations|recorded|replayed|resumed|resumed[_-]from|recovered|phase|thread[_-]id|workflow[_-]id|execution[_-]id|invocation[_-]id)(?:\.|$)/i;

/** Names under which something is handed to a process, in records that have no first one to be compared with. */
const handed =
  /(?:^|[_.-])(?:hints?|handed|hand[_-]?over|given|supplied|provided|injected|leak(?:ed|s)?|(?:recovery|resume)[_-]?(?:data|payload|state))(?:$|[_.-])/i;

/** Of a replay: that its engine had it from the harness. The harness itself may well name itself. */
const fromHarness = /(?:^|[_.-])harness(?:$|[_.-])/i;

/** A record that something was looked for: what it found stands in its members. */
const ofCheck = /(?:^|[_.-])(?:check(?:ed|s)?|no|none|free|verified)(?:$|[_.-])/i;

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
  const [isTarget, tellsOfEffect] = [createTargets(trial), createTellsOfEffect(trial)];
  const common = commonMembers(trial.events);
  const isOwn: IsOwn = (path, value) => isOfOwnStore(path, value, tellsOfEffect);
  const compare = (first: HindcastEvent | undefined, event: HindcastEvent, own: IsOwn = () => false) =>
    handedOver(membersOf(first, common), membersOf(event, common), { isTarget, tellsOfEffect, isOwn: own });
  const compareRuns = (first: HindcastEvent, event: HindcastEvent): readonly string[] => {
    const isByDesign = createDesigned(trial, first, event);
    const values = {
      isTarget,
      tellsOfEffect,
      isOwn: (path: string, value: JsonValue) => isOwn(path, value) || isByDesign(path, value),
    };
    const [was, is] = [first, event].map((one) => withoutInput(membersOf(one, common)));
    return [
      ...(isByDesign('input', inputOf(event) ?? null) ? [] : otherInput(first, event)),
      ...handedOver(was ?? {}, is ?? {}, values),
    ];
  };
  const [firstSpawn, ...laterSpawns] = spawns;
  for (const event of laterSpawns) tell(event, compare(firstSpawn, event));
  const [firstStart, ...laterStarts] = trial.workers.flatMap(({ started }) => started ?? []);
  for (const event of laterStarts) tell(event, compare(firstStart, event, isOwn));
  const firstRuns = new Map<string, HindcastEvent>();
  for (const event of trial.ofType('run.started').filter(({ run }) => run === trial.run)) {
    // A later segment of a run starts from what was carried; the same segment always starts from the same.
    const segment = textIn(event.data, 'segment') ?? '0';
    const first = firstRuns.get(segment);
    if (first === undefined) firstRuns.set(segment, event);
    else tell(event, compareRuns(first, event));
  }
  // Where nothing was started again, nothing was handed to a restarted process.
  const isRestarted = laterSpawns.length + laterStarts.length > 0;
  for (const event of isRestarted ? trial.events : []) tell(event, handedBeside(event, firstSpawn, common));
  if (problems.length > 0) {
    const text = `The restarted process was given more than deployed state: ${[...new Set(problems)].join('; ')}.`;
    return { id, status: 'violated', text, events };
  }
  return checkDeclared(laterSpawns) ?? notLeaked(trial, spawns);
}

/** A sentence that nobody here can judge leaves open what the process was given. */
function checkDeclared(laterSpawns: readonly HindcastEvent[]): Check | undefined {
  const told = laterSpawns.filter((event) => declared(event).length > 0);
  if (told.length === 0) return undefined;
  const sentences = [...new Set(told.flatMap(declared))].map((text) => `"${text}"`).join('; ');
  const text = `Differences of a restart are declared that are not known to hand nothing over: ${sentences}. What the process was given is not known.`;
  return { id: 'no-leaked-state', status: 'not established', text, events: told.map(({ id }) => id) };
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
function isOfOwnStore(path: string, value: JsonValue, tellsOfEffect: (text: string) => boolean): boolean {
  const isPlain = typeof value === 'boolean' || value === null;
  return (isPlain && !path.includes('.')) || (ownStore.test(path) && isPosition(value, tellsOfEffect));
}

/** Where an engine stood by its own store: numbers, and ids or names of steps of one word each, none of them of an effect. */
function isPosition(value: JsonValue, tellsOfEffect: (text: string) => boolean): boolean {
  return (isJsonArray(value) ? value : [value]).every((one) => {
    if (typeof one !== 'string') return typeof one === 'number' || typeof one === 'boolean' || one === null;
    return /^[^\s=]{0,200}$/.test(one) && !tellsOfEffect(one);
  });
}

/** Whether a text holds the id of an effect that this trial made: nobody but who read of it can know one before it is made. */
function createTellsOfEffect(trial: TrialRecords): (text: string) => boolean {
  const ids = new Set(
    trial.ledger.commands.flatMap(({ executions }) => executions.flatMap(({ effectId }) => effectId ?? [])),
  );
  // A short id is too easily a number of something else.
  return (text) => text.split(/[^\w-]+|[-_]/).some((word) => word.length > 3 && ids.has(word)) || ids.has(text);
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
  const isHanded = (name: string): boolean => handed.test(name) || (isReplay && fromHarness.test(name));
  const members = Object.entries(membersOf(event, common));
  const names = members.filter(([name, value]) => isHanded(name) && !isNothing(value));
  const told = names.map(([name, value]) => `"${name}" of ${event.type} is ${canon(value)}`);
  return told.length === 0 && isOfHarness && handed.test(event.type) && !ofCheck.test(event.type)
    ? [`there is a record of type ${event.type}`]
    : told;
}

/** A count of none, or an empty place. */
function isNothing(value: JsonValue): boolean {
  if (value === null || value === false || value === 0) return true;
  if (typeof value === 'string') return /^(?:none|no|0)?$/i.test(value.trim());
  return isJsonArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}

function declared(later: HindcastEvent): readonly string[] {
  const environment = later.data?.['environment'];
  const differences = isJsonObject(environment) ? environment['differences'] : undefined;
  if (differences === undefined || differences === null) return [];
  return (isJsonArray(differences) ? differences : [differences])
    .map((one) => (typeof one === 'string' ? one : canon(one)))
    .filter((text) => !harmless.some((sentence) => sentence.test(text.trim())));
}

function otherInput(first: HindcastEvent, later: HindcastEvent): readonly string[] {
  const [was, is] = [inputOf(first), inputOf(later)];
  if (is === undefined || (was !== undefined && canon(was) === canon(is))) return [];
  return ['the run was started again with another input'];
}

function inputOf(event: HindcastEvent): JsonValue | undefined {
  return event.type === 'run.started' ? event.data.input : undefined;
}
