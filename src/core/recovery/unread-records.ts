/**
 * Records of a trial that could not be read: what is known of each all the same, and whose it is.
 *
 * Invariant: a record that could not be read is never taken for one that is not there. What it says of itself (its type and its run) only
 * tells whose it is and what it may have been about; nothing else of it is used. Called by group.ts; told by validity.ts.
 */
import { isJsonObject } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { nameToShown } from '../base/shown-text.ts';
import { decodeText } from '../formats/decode/text.ts';
import type { Problem } from '../formats/format.ts';
import { toRecordType, typeByRecord } from '../formats/recovery-lab/types.ts';
import { isKnownEventType } from '../model/index.ts';
import { textIn } from './trial-records.ts';

export interface UnreadRecord {
  /** As written; undefined where it cannot be recognised. */
  readonly type: string | undefined;
  readonly run: string | undefined;
  /** Of a line that is no JSON, and may be two records in one: every run that it names, and all other texts in it. */
  readonly runs: readonly string[];
  readonly mentions: readonly string[];
  readonly place: string;
  /** The last line of a file, cut off as it was written: what a killed process leaves. */
  readonly isCut: boolean;
}

/** More of a damaged record is not searched. */
const longestRead = 1024 * 1024;

/** A record with bytes that are no text: they show as such, and the record is read. */
const usedAllTheSame = 'invalid-utf8';

/** Of the problems of an opened trace those that stand for a record of which no event was made. */
export function problemsToUnread(problems: readonly Problem[]): readonly UnreadRecord[] {
  return problems.flatMap(({ code, severity, raw, events = [], place }) => {
    if (severity !== 'problem' || raw === undefined || events.length > 0 || code === usedAllTheSame) return [];
    const { text } = decodeText(raw.subarray(0, longestRead));
    const at = place === undefined ? 'place not known' : placeToText(place);
    return [{ ...membersOf(text), place: at, isCut: code === 'truncated-last-line' }];
  });
}

/** By its members where it is JSON, else by the first text that stands under their names. */
function membersOf(text: string): Omit<UnreadRecord, 'place' | 'isCut'> {
  const parsed = parseLossless(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) {
    const [types, runs] = [allOf(typeIn, text), allOf(runIn, text)];
    // Of two records in one line the type of either may be that of a fault.
    return { type: types.length === 1 ? types[0] : undefined, run: runs[0], runs, mentions: allOf(textsIn, text) };
  }
  const run = textIn(parsed.value, 'run');
  return { type: textIn(parsed.value, 'type'), run, runs: run === undefined ? [] : [run], mentions: [] };
}

const typeIn = /"type"\s*:\s*"([^"\\]+)"/g;
const runIn = /"run"\s*:\s*"([^"\\]+)"/g;
const textsIn = /"([^"\\]{3,200})"/g;

function allOf(pattern: RegExp, text: string): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].flatMap(([, found]) => found ?? []))];
}

function placeToText({ file, line, offset }: NonNullable<Problem['place']>): string {
  return line === undefined ? `${file}, byte ${offset}` : `${file}, line ${line}`;
}

/** Of a trial: whether it says itself that it is of its run, or merely stands in its files. */
export interface UnreadOfTrial extends UnreadRecord {
  readonly isOwn: boolean;
}

/** A fault's record, or one of which nothing tells that it is not. */
export function mayTellOfFault(record: UnreadRecord): boolean {
  return mayBeOfType(record, /^fault\./);
}

/** By types of the model; true too of one of which nothing tells what it is. */
export function mayBeOfType({ type }: UnreadRecord, pattern: RegExp): boolean {
  return type === undefined || pattern.test(toModelType(type));
}

function isOfFault(type: string): boolean {
  return toModelType(type).startsWith('fault.');
}

export function isTrialStart({ type }: UnreadRecord): boolean {
  return type !== undefined && toModelType(type) === 'trial.started';
}

function toModelType(name: string): string {
  return isKnownEventType(name) ? name : (typeByRecord.get(toRecordType(name)) ?? name);
}

/** Places named in a sentence. */
const mostNamed = 5;

/** "3 records of this trial could not be read: fault.armed (a.jsonl, line 3), …" and what to do; those of the fault first. */
export function unreadToText(unread: readonly UnreadOfTrial[]): string {
  const n = unread.length;
  const clause = unreadToClause(unread);
  const them = n === 1 ? 'it' : 'each';
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}. \`hindcast check\`, and the problems of the trace on the page, say what is wrong with ${them}: mend ${n === 1 ? 'it' : 'them'} and open the file again.`;
}

/** "3 records of this trial could not be read: fault.armed (a.jsonl, line 3), …". */
export function unreadToClause(unread: readonly UnreadOfTrial[]): string {
  const n = unread.length;
  const whose = unread.every(({ isOwn }) => isOwn) ? 'of this trial' : 'of the files of this trial';
  const ofFault = unread.filter(({ type }) => type !== undefined && isOfFault(type));
  const named = [...ofFault, ...unread.filter((record) => !ofFault.includes(record))].slice(0, mostNamed);
  const told = named.map(
    ({ type, place }) => `${type === undefined ? 'one of unknown type' : nameToShown(type)} (${place})`,
  );
  return `${n === 1 ? 'one record' : `${n} records`} ${whose} could not be read${n > mostNamed ? ', among them' : ':'} ${told.join(', ')}`;
}
