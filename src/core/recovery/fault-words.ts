/**
 * What a text in words says of a fault: that any is meant, that a process was killed, how often, and at which points (R87, R89).
 *
 * Invariant: what is not understood is told as a fault that nobody tried, and never as any kill: another signal, another thing that was
 * struck, a place that is no point, the word "no" before it. Called by claim-fault.ts.
 */
import { killPoints, toKillPoint } from './placement.ts';
import type { KillPoint } from './report.ts';

export interface FaultWords {
  /** Any fault at all: "any", "every injected fault". */
  readonly isAny: boolean;
  /**
   * Whether it speaks of an end of something: of one process that runs the control code, by a signal that it cannot catch; of something
   * else, or by something else; of none at all. Undefined: it speaks of no end.
   */
  readonly end: 'kill' | 'other' | 'none' | undefined;
  /** Undefined: wherever it struck. Empty: a place that is none of the points. */
  readonly points: readonly KillPoint[] | undefined;
  /** Kills of one run; `several` is any number above one. */
  readonly kills: number | 'several' | undefined;
  readonly isRandom: boolean;
}

export function readFaultWords(named: string): FaultWords {
  const plain = named.replaceAll('_', ' ').replace(/n['’]t\b/gi, ' not');
  const { points, rest } = takePoints(plain);
  // Of a worker that was chosen at random the place may be any.
  const placed = plain.replace(/\b(?:a |any )?random(?:ly (?:chosen|picked|selected))? (?=worker|process)/gi, '');
  return {
    isAny: isAnyFault(rest),
    end: endIn(plain),
    points,
    kills: killsIn(plain),
    isRandom: /\brandom(?:ly|ised|ized)?\b/i.test(placed),
  };
}

/** " kill at boundary ": words between blanks, so that one name is found in another as whole words, and articles say nothing. */
function toWords(name: string): string {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  return ` ${words.filter((word) => word !== '' && !/^(?:an?|the)$/.test(word)).join(' ')} `;
}

/** Named, and not as what there was none of: "no network partition", "a fault other than a kill". */
export function isNamedIn(text: string, name: string): boolean {
  const words = toWords(name);
  if (words.trim() === '' || !toWords(text).includes(words)) return false;
  const isTold = (part: string): boolean => toWords(part).includes(words) && !isDenied(toWords(part), words);
  const parts = text.replace(/n['’]t\b/gi, ' not').split(partEnd);
  return !parts.some((part) => toWords(part).includes(words)) || parts.some(isTold);
}

const partEnd = /[,;()]|\.(?=\s|$)/;

const denies =
  /\b(?:no|not|without|never|nor|neither|non|except|excluding|but|unlike|(?:instead|absence) of|(?:other|rather) than|apart from)$/;

/** At most two words stand between, and no verb: "not responding and killed" denies no kill. */
function isDenied(part: string, word: string): boolean {
  const before = part.slice(0, part.indexOf(word)).trim().split(' ');
  return [0, 1, 2].some((count) => {
    const [told, between] = [before.slice(0, before.length - count), before.slice(before.length - count)];
    return !between.some((one) => verbs.test(one)) && denies.test(told.join(' '));
  });
}

const verbs = /^(?:is|are|was|were|and|then|when|that|until)$/;

/** Nothing is named but that it is any: what more stands there says which. */
function isAnyFault(text: string): boolean {
  const [first, ...more] = toWords(text).trim().split(' ');
  if (!/^(?:any|every|each|all)$/.test(first ?? '')) return false;
  return more.length === 0 || (more.some((word) => /^(?:fault|failure)s?$/.test(word)) && more.every(isFiller));
}

function isFiller(word: string): boolean {
  return /^(?:faults?|failures?|one|single|injected|recorded|tried|tested|possible|kinds?|of|in|these|this|trials|campaign|run|menu|here|at|all|whatsoever)$/.test(
    word,
  );
}

const killWord = String.raw`(?:process[ -]?)?(?:sig)?kill(?:s|ed|ing)?|crash(?:es|ed|ing)?|deaths?|dies|died|oom|process[ -]?loss|signal 9`;
const killWords = new RegExp(String.raw`\b(?:${killWord})\b`, 'i');
const signals =
  'hup|int|quit|ill|trap|abrt|iot|bus|fpe|usr[12]|segv|pipe|alrm|term|stkflt|chld|cont|stop|tstp|ttin|ttou|urg|xcpu|xfsz|vtalrm|prof|winch|io|poll|pwr|sys';
/** A signal that can be caught, by name and by number, and the end of more than a process. */
const otherEnds = new RegExp(
  String.raw`\bsig(?:${signals})\b|\b(?:signal|kill|kill -s) ?-?(?:${signals}|(?!9\b)\d+)\b|\b(?:graceful(?:ly)?|shut ?down|host|machine|power|disk|zone|region|cluster|network)\b`,
  'i',
);

/** Whom it struck, where that is told: the kills of trials are those of a process that runs the control code. */
const workerWord =
  /^(?:workers?|process(?:es)?|programs?|agents?|runs?|callers?|clients?|executors?|controllers?|li(?:fe|ves)|app\w*|nodes?|it|they|which|that|who)$/;
const besideWord =
  /^(?:the|an?|any|each|every|all|some|one|its?|this|that|our|random|randomly|chosen|picked|selected|single|running|active|current|same|whole|only|s|\d+)$/;
const stopWord =
  /^(?:at|by|in|on|after|before|while|whilst|during|when|whenever|with|without|between|and|or|then|as|for|from|until|once|where|because|several|twice|repeatedly|points?|boundar(?:y|ies)|kp\d?|due|following|mid\w*|right|just|immediately|only|never|using|via|under|per|so|if)$/;
const auxWord =
  /^(?:is|are|was|were|be|been|being|gets?|got|has|have|had|suddenly|abruptly|hard|just|then|not|never|randomly|repeatedly|itself)$/;
/** What a trial may strike beside a worker, and does not count as one. */
const otherThing =
  /^(?:databases?|db|postgres\w*|mysql|sqlite|redis|kafka|services?|servers?|brokers?|queues?|stores?|storage|models?|providers?|gateways?|proxy|proxies|harness|container|tools?|api|engine|scheduler|orchestrator|browser|schema|replicas?|vm)$/;

function endIn(plain: string): FaultWords['end'] {
  const parts = plain.toLowerCase().split(partEnd);
  const told = parts.filter((part) => killWords.test(part));
  const killed = told.filter((part) => isTold(part, killWords));
  if (killed.length === 0) return told.length > 0 ? 'none' : undefined;
  return killed.every(isOfWorker) && !parts.some((part) => isTold(part, otherEnds)) ? 'kill' : 'other';
}

function isTold(part: string, pattern: RegExp): boolean {
  const [found] = pattern.exec(part) ?? [];
  return found !== undefined && !isDenied(toWords(part), toWords(found));
}

/** "kill of X", "killing the X", "X is killed", "X crash": X is a worker, or nothing is told of it. */
function isOfWorker(part: string): boolean {
  const words = part.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.every((word, at) => {
    if (!/^(?:(?:sig)?kill(?:s|ed|ing)?|crash(?:es|ed|ing)?|deaths?|dies|died|loss|signal)$/.test(word)) return true;
    const object = objectOf(words.slice(at + 1), word);
    const subject = subjectOf(words.slice(0, at), /^(?:killed|crashe[sd]|dies|died)$/.test(word));
    return object && subject;
  });
}

function objectOf(after: readonly string[], word: string): boolean {
  const [first = ''] = after;
  const isTo = /^(?:of|to|sent)$/.test(first);
  const isActive = /^(?:killing|kills?|crashing)$/.test(word) && /^(?:the|an?|any|each|every|all|one)$/.test(first);
  if (!isTo && !isActive) return /^(?:killing|kills?)$/.test(word) ? !otherThing.test(first) : true;
  const rest = after.slice(isTo ? 1 : 0).filter((one, at) => !(at === 0 && one === 'to'));
  const end = rest.findIndex((one) => stopWord.test(one));
  const phrase = (end < 0 ? rest : rest.slice(0, end)).filter((one) => !besideWord.test(one));
  return phrase.every((one) => workerWord.test(one) || /^(?:signal|sig\w*)$/.test(one));
}

function subjectOf(before: readonly string[], isVerb: boolean): boolean {
  const head = before.findLast((word) => !auxWord.test(word)) ?? '';
  if (head === '' || stopWord.test(head) || besideWord.test(head) || workerWord.test(head)) return true;
  return !isVerb && !otherThing.test(head);
}

const number = String.raw`(?:2[ -]?\(?late\b\)?|[1-5])(?!\w|[.:]\d|%)`;
const place = String.raw`(?:(?:kill[ -]?)?points?|boundar(?:y|ies)|kps?|at|between)`;
const joint = String.raw`(?:\s*,\s*(?:and\s+|or\s+)?|\s*(?:/|&|-|–|\+)\s*|\s+(?:and|or|to|through)\s+)(?:(?:at\s+)?${place}\s*#?)?`;
/** A number of something is no point: "at 5 seconds", "at 3 places". */
const unit = String.raw`\s*(?:[nµum]?s|secs?|seconds?|m|mins?|minutes?|milli\w*|micro\w*|h|hours?|days?|percent|times|kills?|steps?|places?|points?|boundar(?:y|ies)|calls?|requests?|records?|attempts?|workers?|process(?:es)?|o['’]?clock|[ap]\.?m)\b`;
const listed = new RegExp(
  String.raw`\b(?:at\s+)?${place}\s*[#:=]?\s*(${number}(?:${joint}\s*${number})*)(?!${unit})`,
  'gi',
);
const ordinals = '(?:first|second|third|fourth|fifth|sixth|[1-6](?:st|nd|rd|th)|last)';
const numberWords = '(?:one|two|three|four|five|six)';
/** A place that is told by a number, and is none of the points. */
const otherPlace = new RegExp(
  String.raw`\b${place}\s*[#:=]?\s*\d|\b(?:points?|boundar(?:y|ies))\s+${numberWords}\b|\b${ordinals}\s+(?:kill[ -]?)?(?:point|boundary)\b`,
  'i',
);

function takePoints(plain: string): { readonly points: readonly KillPoint[] | undefined; readonly rest: string } {
  const lists = [...plain.matchAll(listed)];
  const rest = plain.replace(listed, ' ');
  // Everywhere but there: which those are is not told.
  if (lists.some(({ index }) => denies.test(toWords(plain.slice(0, index)).trim()))) return { points: [], rest };
  const found = lists.flatMap(([, list = '']) => toPoints(list));
  if (found.length === 0 && !otherPlace.test(rest)) return { points: undefined, rest };
  return { points: [...new Set(found)], rest };
}

/** "3 or 5", "1, 2late and 4", "2 to 4". */
function toPoints(list: string): readonly KillPoint[] {
  const items = [...list.matchAll(new RegExp(number, 'gi'))].flatMap(({ 0: text, index }) => {
    const point = toKillPoint(text);
    return point === undefined ? [] : [{ point, end: index + text.length, index }];
  });
  return items.flatMap(({ point, index }, at) => {
    const before = items[at - 1];
    const isRange = before !== undefined && /^\s*(?:to|through|-|–)/i.test(list.slice(before.end, index));
    if (!isRange) return [point];
    return killPoints.slice(killPoints.indexOf(before.point), killPoints.indexOf(point) + 1);
  });
}

const counts: ReadonlyMap<string, number> = new Map([
  ['twice', 2],
  ['two', 2],
  ['three', 3],
  ['four', 4],
  ['five', 5],
  ['six', 6],
]);
const count = String.raw`(\d+|two|three|four|five|six)`;

/** Of one run: "killed five times", "three kills in one run", "repeatedly". How many kills there were over all runs says nothing. */
function killsIn(plain: string): FaultWords['kills'] {
  if (!killWords.test(plain)) return undefined;
  const [, times] = new RegExp(String.raw`\b(?:${count} times|twice)\b`, 'i').exec(plain) ?? [];
  const [, inRun] =
    new RegExp(
      String.raw`\b${count} (?:\w+ )?(?:(?:sig)?kills|crashes|deaths)\b(?=.*\b(?:(?:in|of|per) (?:one|a|the same|each|every|a single) run|in a row|in succession)\b)`,
      'i',
    ).exec(plain) ?? [];
  const told = times ?? inRun ?? (/\btwice\b/i.test(plain) ? 'twice' : undefined);
  if (told !== undefined) return counts.get(told.toLowerCase()) ?? Number(told);
  return /\b(?:repeated(?:ly)?|several times|(?:again and again)|(?:several|multiple|many|consecutive|successive) (?:\w+ )?(?:(?:sig)?kills|crashes|deaths))\b/i.test(
    plain,
  )
    ? 'several'
    : undefined;
}
