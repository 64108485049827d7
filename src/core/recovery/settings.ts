/**
 * What a trial was started with beside its envelope: variables, arguments, options, versions and the program, as its start and the first
 * starts of its process and of its run record them.
 *
 * Invariant: what must differ between any two trials (the kill setting, ids, addresses and folders of their own) is no difference of
 * configuration. Called by control.ts.
 */
import { sha256Hex } from '../base/hash.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { differences } from './envelope.ts';
import type { Difference } from './report.ts';
import { toSnake } from './snake-name.ts';
import { flatten, isKillName, isStartName, toCommand } from './start-members.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

/** Members of the start of a trial that configure what is tried. */
const configures =
  /^(?:env|environment|config|configuration|settings|options|flags|features|parameters|params|args|argv|arguments|command|cmdline|restart_code|code_version|versions|engine_version|persistence|durability|concurrency|retries|retry_policy|idempotency_key|timeouts|resources|workload|code)$|(?:^|[_.-])(?:commit|sha\d*|revision|rev|build|image|release|versions?|digest|checksum|lock(?:file)?|options|flags)(?:$|[_.-])/i;

/** Places that a trial has for itself: a fresh database, a free port. */
const place =
  /(?:^|[_-])(?:ports?|urls?|uri|dsn|hosts?|addr|address|endpoint|dir|folder|path|file|socket|db|database|schema|tmp|temp|home|namespace|topic|queue|bucket|prefix|run|trial|case|name|title|label|token|secret|password|seed|nonce)$/i;

export function compareSettings(control: TrialRecords, trial: TrialRecords): readonly Difference[] {
  const [own, theirs] = [settingsOf(control), settingsOf(trial)];
  const all = differences(own, theirs, (name) => !(isRedeployed(trial) && isVersion(name)));
  return all.flatMap((difference) => {
    if (!difference.field.endsWith(programText)) return [difference];
    const { field, one, other } = difference;
    const digest = `${field.slice(0, -programText.length)}program.digest`;
    // Where the digests differ they say the same in fewer words; a text that one of the two leaves out is no difference.
    const isTold = all.some((another) => another.field === digest) || one === undefined || other === undefined;
    return isTold ? [] : [{ field, one: toShort(one), other: toShort(other) }];
  });
}

const programText = 'program.source';

/** A program is told by a digest that is made here, for the recorded one may not be that of the text. */
function toShort(text: JsonValue): JsonValue {
  return typeof text === 'string' ? `text of sha256:${sha256Hex(text).slice(0, 12)}` : text;
}

function settingsOf(trial: TrialRecords): JsonObject {
  const settings: Record<string, JsonValue> = {};
  for (const [from, data, counts] of startsOf(trial)) {
    const members = isJsonObject(data) ? Object.entries(data).filter(([name]) => counts.test(toSnake(name))) : [];
    for (const [path, value] of flatten(Object.fromEntries(members))) {
      const names = path.split('.');
      const own = names.at(-1) ?? '';
      if (names.some(isKillName) || isStartName(own) || path === 'environment.differences') continue;
      if (names.length > 1 && names[0] !== 'input' && place.test(own)) continue;
      // Absent and null are both "not set".
      if (value !== null && value !== '') settings[from + path] = toCommand(own, value) ?? value;
    }
  }
  return settings;
}

/** What the first process and the run are told to be, beside what configures a trial. */
const ofStarts = new RegExp(
  `${configures.source}|^(?:resume|program|engine|sandbox|limits|policies|input|draws)$`,
  'i',
);

/** The start of the trial, and the first of its process and of its run: what came after a fault is no setting. */
function startsOf(trial: TrialRecords): readonly (readonly [from: string, data: unknown, counts: RegExp])[] {
  const [spawned] = trial.ofType('worker.spawned');
  const [started] = trial.ofType('worker.started');
  const run = trial.ofType('run.started').find((event) => event.run === trial.run);
  return [
    ['', trial.data, configures],
    ['process: ', spawned?.data, ofStarts],
    ['worker: ', started?.data, ofStarts],
    ['starter: ', spawned?.source, /^version$/],
    ['worker itself: ', started?.source, /^version$/],
    ['run: ', run?.data, ofStarts],
  ];
}

function isVersion(name: string): boolean {
  return /^(?:restart_code|code_version|versions(?:\..*)?)$/.test(name);
}

/** The fault is, or includes, another program after the restart: by the design, or by the records of the starts. */
export function isRedeployed(trial: TrialRecords): boolean {
  if (trial.data.design === 'redeploy') return true;
  const programs = trial.ofType('worker.spawned').flatMap(({ data }) => programOf(data.versions) ?? []);
  return new Set(programs).size > 1;
}

function programOf(versions: unknown): string | undefined {
  return isJsonObject(versions) ? textIn(versions, 'program') : undefined;
}
