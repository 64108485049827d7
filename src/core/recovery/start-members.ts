/**
 * Which members of the record of a start may differ from those of the first one: identities of the life, its kill setting, and the
 * versions of what runs. A command line may differ in its kill setting alone.
 *
 * Invariant: a name never excuses a value. What stands under an excused name has to be of its kind, and anything else counts as handed
 * over. Called by leaks.ts; settings.ts tells settings of trials apart by the same names.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { canon } from '../model/index.ts';
import { toKillPoint } from './placement.ts';

/** What a trial knows of the values that its starts may hold. */
export interface StartValues {
  /** A path that a kill of this trial can name. */
  readonly isTarget: (path: string) => boolean;
  /** A text that holds the id of an effect of this trial, which is no name of a life. */
  readonly tellsOfEffect: (text: string) => boolean;
  /** What whoever was started says of itself. */
  readonly isOwn?: (path: string, value: JsonValue) => boolean;
}

/** Sentences of what the later start has and the first had not. */
export function handedOver(first: JsonObject, later: JsonObject, values: StartValues): readonly string[] {
  const before = flatten(first);
  const sentences: string[] = [];
  for (const [path, value] of flatten(later)) {
    const was = before.get(path);
    if (was !== undefined && canon(was) === canon(value)) continue;
    if (mayDiffer(path, value, was, values) || values.isOwn?.(path, value) === true) continue;
    if (was === undefined) sentences.push(`"${path}" is ${canon(value)}, which the first start did not have`);
    else sentences.push(`"${path}" is ${canon(value)} and was ${canon(was)}`);
  }
  return sentences;
}

function mayDiffer(
  path: string,
  value: JsonValue,
  was: JsonValue | undefined,
  { isTarget, tellsOfEffect }: StartValues,
): boolean {
  const names = path.split('.');
  const last = names.at(-1) ?? '';
  if (names.some((name) => killName.test(name))) return isKillSetting(last, value, isTarget);
  // Judged by itself, because what is declared there are sentences.
  if (path === 'environment.differences') return true;
  if (isIdentity(last, value)) return isNumberOf(last, value) || !tellsOfEffect(canon(value));
  if (names[0] === 'versions' || last === 'code_version') {
    return isVersion(value) && (was !== undefined || softwareName.test(last));
  }
  const command = toCommand(last, value);
  return command !== undefined && was !== undefined && toCommand(last, was) === command;
}

/** `kill`, `kill_point`, `KILL_POINT`, `HARNESS_KILL_AT`, `killSetting`, `crash_at`. */
const killName =
  /^(?:[a-z0-9]+[_-])*(?:kill|crash)(?:[_-]?(?:points?|at|after|setting|mode|ordinal|number|signal|class|target|path|delay|seed|ms))*$/i;

/** Nothing set. */
const noKill = /^(?:none|no|off|null|nil|false|never|disabled|unset|-)?$/i;

const killWords: ReadonlySet<string> = new Set(['random', 'model', 'process-kill', 'kill', 'crash']);

export function isKillName(name: string): boolean {
  return killName.test(name);
}

function isKillSetting(name: string, value: JsonValue, isTarget: (path: string) => boolean): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (isJsonArray(value)) return value.every((one) => isKillSetting(name, one, isTarget));
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const text = String(value).trim();
  if (noKill.test(text)) return true;
  const isPoint = toKillPoint(value) !== undefined || killWords.has(text.toLowerCase()) || /^SIG[A-Z]{2,8}$/.test(text);
  if (killName.test(name)) return isPoint || isTarget(text) || (counts.test(name) && /^\d{1,6}$/.test(text));
  if (/^(?:points?|label|at|boundary|signal|class|mode)$/i.test(name)) return isPoint;
  if (/^(?:path|target|effect|command|cmd|step)$/i.test(name)) return isTarget(text);
  return counts.test(name) && /^\d{1,6}$/.test(text);
}

/** Names of numbers that say which kill, or when. */
const counts = /(?:^|[_-])(?:ordinal|number|nth|count|index|seed|delay|after|ms)$/i;

const idName =
  /^(?:prev|parent|(?:(?:worker|process|proc|parent|life|instance|container|pod|host|spawn|start)[_-]?)?(?:boot|boot[_-]?id|pid|ppid|incarnation|instance|uuid)|(?:worker|process|life|instance|container|pod|host|spawn|start|boot|event|span|trace)[_-]?id|trace[_-]?(?:parent|state)|checksum|signature|hash)$/i;
const countName =
  /^(?:(?:worker|process|life|boot|spawn|start|restart)[_-]?)?(?:attempts?|try|tries|generation|epoch|life|lives|ordinal|seq|sequence|restarts?|restart[_-]?count|count|number|starts|spawns|boots)$/i;
const timeName =
  /^(?:(?:spawn|start|launch|boot|restart)(?:ed)?[_-]?(?:at|on|time|ts|ms|ns)|wall|wall[_-]?time|time|timestamp|ts|mono|mono[_-]?ns|monotonic(?:[_-]?ns)?|clock|at|uptime(?:[_-]?ms)?)$/i;

/** A name of what tells one start from another. */
export function isStartName(name: string): boolean {
  return idName.test(name) || countName.test(name) || timeName.test(name);
}

/** Only what tells one start from another: an id is one word, a count is one number, a time is one time. */
function isIdentity(name: string, value: JsonValue): boolean {
  if (value === null) return isStartName(name);
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const text = String(value);
  if (idName.test(name)) return /^[\w.:/+-]{1,96}$/.test(text);
  if (countName.test(name)) return /^\d{1,6}$/.test(text);
  return timeName.test(name) && /^[\d:.,TZ+\- ]{1,40}$/.test(text);
}

/** The number of a process, or a time: what it may be alike says nothing. */
function isNumberOf(name: string, value: JsonValue): boolean {
  return /^"?\d+"?$/.test(canon(value)) ? /pid$/i.test(name) || timeName.test(name) : timeName.test(name);
}

const softwareName =
  /^(?:code|program|worker|app|image|commit|build|release|runtime|engine|node|python|sdk|sandbox|version)(?:_version)?$/i;

function isVersion(value: JsonValue): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^[^=;:{}\n]{1,80}$|^sha256:\w+$/.test(value));
}

const commandLine = /^(?:args|argv|arguments|params|command|cmd|cmd[_-]?line|command[_-]?line|exec[_-]?args)$/i;

/** The words of a command line without its kill setting and its identities; undefined for what is none. */
export function toCommand(name: string, value: JsonValue): string | undefined {
  return commandLine.test(name) ? wordsOf(value) : undefined;
}

function wordsOf(value: JsonValue): string {
  const words = isJsonArray(value)
    ? value.map((word) => (typeof word === 'string' ? word : canon(word)))
    : typeof value === 'string'
      ? value.trim().split(/\s+/)
      : [canon(value)];
  const kept: string[] = [];
  for (let n = 0; n < words.length; n++) {
    const word = words[n] ?? '';
    const [, dashes = '', name = '', given] = /^(-{0,2})([\w-]+?)(?:=(.*))?$/.exec(word) ?? [];
    const next = words[n + 1];
    if (given !== undefined && isAside(name, given)) continue;
    if (dashes !== '' && given === undefined && next !== undefined && !next.startsWith('-') && isAside(name, next)) {
      n++;
      continue;
    }
    // A switch alone.
    const isLast = next === undefined || next.startsWith('-');
    if (dashes !== '' && given === undefined && isLast && killName.test(name)) continue;
    kept.push(word);
  }
  return canon(kept);
}

function isAside(name: string, value: string): boolean {
  const plain = name.replace(/-/g, '_');
  return killName.test(plain) ? isKillSetting(plain, value, () => false) : isIdentity(plain, value);
}

/** Variables of a process are given as an object, as `NAME=value`, or as names and values. */
const variables = /^env(?:ironment)?(?:[_-]?(?:vars?|variables))?$/i;

/** Leaves by path; lists are leaves, but for variables. No recursion over data: an explicit stack. */
export function flatten(data: JsonObject): ReadonlyMap<string, JsonValue> {
  const leaves = new Map<string, JsonValue>();
  const stack: (readonly [string, JsonValue])[] = Object.entries(data);
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [path, value] = top;
    const inner = variables.test(path.slice(path.lastIndexOf('.') + 1)) ? (toVariables(value) ?? value) : value;
    if (!isJsonObject(inner)) leaves.set(path, inner);
    else for (const [key, member] of Object.entries(inner)) stack.push([`${path}.${key}`, member]);
  }
  return leaves;
}

function toVariables(value: JsonValue): JsonObject | undefined {
  if (!isJsonArray(value)) return undefined;
  const found: (readonly [string, JsonValue])[] = [];
  for (const one of value) {
    const assigned = typeof one === 'string' ? /^(\w+)=(.*)$/s.exec(one) : undefined;
    const name = isJsonObject(one) ? one['name'] : assigned?.[1];
    const given = isJsonObject(one) ? one['value'] : assigned?.[2];
    if (typeof name !== 'string' || given === undefined) return undefined;
    found.push([name, given]);
  }
  return Object.fromEntries(found);
}
