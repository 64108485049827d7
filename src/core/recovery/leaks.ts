/**
 * What a restarted process was given that the first one was not (R114): the records of how each life was started, compared.
 *
 * Allowed to differ: identities of the life, the kill setting, and the versions of what runs (told apart as a redeployment). Anything
 * else is state that the harness handed over, and the trial is not one of recovery.
 */
import { isJsonObject, type JsonValue } from '../base/json.ts';
import { canon, type HindcastEvent } from '../model/index.ts';
import type { Life } from '../projections/effects/lives.ts';
import type { Check } from './report.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

/** Members that name the life, its kill or its software. */
const ownMembers =
  /^(?:pid|boot|worker_boot|worker|code_version|versions|ordinal|environment\.(?:kill|differences)|kill(?:_point|_setting)?)(?:\.|$)/;

/** Declared differences that hand nothing over: the kill setting, what is deployed, identities, trace context. */
const harmless =
  /\bkill\b|\bdeployed program\b|\bprogram version\b|\bpid\b|\bprocess id\b|\bid of the event\b|\btrace context\b|\bincarnation\b|\bboot\b/i;

export function checkLeaks(trial: TrialRecords): Check {
  const id = 'no-leaked-state';
  const spawns = trial.ofType('worker.spawned');
  const starts = trial.workers.flatMap(({ started }) => started ?? []);
  const problems: string[] = [];
  const events: string[] = [];
  const tell = (event: HindcastEvent, sentences: readonly string[]): void => {
    if (sentences.length === 0) return;
    events.push(event.id);
    problems.push(...sentences);
  };
  const [firstSpawn, ...laterSpawns] = spawns;
  for (const event of laterSpawns) tell(event, [...handedOver(firstSpawn, event), ...declared(event)]);
  const [firstStart, ...laterStarts] = starts;
  for (const event of laterStarts) tell(event, handedOver(firstStart, event));
  const firstRuns = new Map<string, HindcastEvent>();
  for (const event of trial.ofType('run.started').filter(({ run }) => run === trial.run)) {
    // A later segment of a run starts from what was carried; the same segment always starts from the same.
    const segment = textIn(event.data, 'segment') ?? '0';
    const first = firstRuns.get(segment);
    if (first === undefined) firstRuns.set(segment, event);
    else tell(event, otherInput(first, event));
  }
  if (problems.length > 0) {
    const text = `The restarted process was given more than deployed state: ${[...new Set(problems)].join('; ')}.`;
    return { id, status: 'violated', text, events };
  }
  const silent = trial.workers.slice(1).filter((life) => !isAnnounced(life, spawns));
  if (silent.length > 0) {
    const text = `No record says how ${silent.map(({ label }) => label).join(', ')} was started, so nothing shows what it was given.`;
    return { id, status: 'not established', text, events: silent.flatMap(({ started }) => started?.id ?? []) };
  }
  const count = laterSpawns.length;
  const text =
    count === 0
      ? 'No process was restarted.'
      : `${count === 1 ? 'The restart differs' : `The ${count} restarts differ`} from the first start in identities and the kill setting alone.`;
  return { id, status: 'holds', text, events: spawns.map((event) => event.id) };
}

function isAnnounced(life: Life, spawns: readonly HindcastEvent[]): boolean {
  return spawns.some((spawned) => {
    const isCause = life.started?.causes?.some(({ event }) => event === spawned.id) === true;
    const worker = spawned.data?.['worker'];
    return isCause || (life.incarnation !== undefined && textIn(worker, 'incarnation') === life.incarnation);
  });
}

function handedOver(first: HindcastEvent | undefined, later: HindcastEvent): readonly string[] {
  const before = flatten(first?.data);
  const sentences: string[] = [];
  for (const [path, value] of flatten(later.data)) {
    if (ownMembers.test(path)) continue;
    const was = before.get(path);
    if (was === undefined) sentences.push(`"${path}" is ${value}, which the first start did not have`);
    else if (was !== value) sentences.push(`"${path}" is ${value} and was ${was}`);
  }
  return sentences;
}

function declared(later: HindcastEvent): readonly string[] {
  const environment = later.data?.['environment'];
  const differences = isJsonObject(environment) ? environment['differences'] : undefined;
  if (!Array.isArray(differences)) return [];
  return differences
    .map((one: JsonValue) => (typeof one === 'string' ? one : canon(one)))
    .filter((text) => !harmless.test(text))
    .map((text) => `a difference is declared: "${text}"`);
}

function otherInput(first: HindcastEvent | undefined, later: HindcastEvent): readonly string[] {
  const [was, is] = [inputOf(first), inputOf(later)];
  if (is === undefined || (was !== undefined && canon(was) === canon(is))) return [];
  return ['the run was started again with another input'];
}

function inputOf(event: HindcastEvent | undefined): JsonValue | undefined {
  return event?.type === 'run.started' ? event.data.input : undefined;
}

/** Leaves by path; lists are leaves. No recursion over data: an explicit stack. */
function flatten(data: unknown): Map<string, string> {
  const leaves = new Map<string, string>();
  const stack: (readonly [string, JsonValue])[] = isJsonObject(data) ? Object.entries(data) : [];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [path, value] = top;
    if (!isJsonObject(value)) leaves.set(path, canon(value));
    else for (const [key, inner] of Object.entries(value)) stack.push([`${path}.${key}`, inner]);
  }
  return leaves;
}
