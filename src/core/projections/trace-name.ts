/**
 * What a trace is about, for its name: a title that was recorded, else the first that a person asked, else a summary, else the
 * program that ran.
 *
 * Invariant: told from the records alone, while they are read; nothing is kept but one line. A name that a person or a file gave stands
 * before it. Called by the import.
 */
import { lineToShown } from '../base/shown-text.ts';
import { memberOf, payloadOf, textAt } from '../causal/index.ts';
import { type HindcastEvent, isKnownEventType } from '../model/index.ts';
import { messageToLine } from './message-line.ts';
import { cut, isOpaqueId, shortId } from './title-words.ts';

export interface TraceNaming {
  readonly note: (event: HindcastEvent) => void;
  /** `given`: as the file, the folder or the entry of a list is called. */
  readonly nameOf: (given: string) => string;
}

const longestAbout = 80;

export function createTraceNaming(): TraceNaming {
  const told: { title?: string; asked?: string; summary?: string; program?: string } = {};
  return {
    note: (event) => {
      if (told.title === undefined) keep(told, 'title', recordedAs(event, titleType, titleMembers));
      if (told.asked === undefined) keep(told, 'asked', askedBy(event));
      if (told.summary === undefined) keep(told, 'summary', recordedAs(event, summaryType, ['summary']));
      if (told.program === undefined && event.type === 'run.started')
        keep(told, 'program', textAt(payloadOf(event), 'program', 'name'));
    },
    nameOf: (given) => {
      const id = idOf(given);
      const about = told.title ?? told.asked ?? told.summary ?? told.program;
      return id === undefined || about === undefined ? given : `${cut(about, longestAbout)} (${shortId(id)})`;
    },
  };
}

function keep<Key extends string>(told: { [key in Key]?: string }, key: Key, text: string | undefined): void {
  const line = text === undefined ? '' : lineToShown(text.slice(0, 1000)).trim();
  if (line !== '' && !isOpaqueId(line)) told[key] = line;
}

/** Tools write a title into a record of its own, which the event model does not know; a summary may be of what went before. */
const titleType = /[._-]title$/;
const titleMembers = ['customTitle', 'aiTitle', 'title'] as const;
const summaryType = /[._-]summary$/;

function recordedAs(event: HindcastEvent, wanted: RegExp, members: readonly string[]): string | undefined {
  const type: string = event.type;
  if (isKnownEventType(type) || !wanted.test(type)) return undefined;
  const data = payloadOf(event);
  return members.map((member) => textAt(data, member)).find((text) => text !== undefined);
}

function askedBy(event: HindcastEvent): string | undefined {
  const data = payloadOf(event);
  if (event.type === 'input.received') return messageToLine(memberOf(data, 'value'));
  return event.type === 'message.sent' && textAt(data, 'role') === 'user'
    ? messageToLine(memberOf(data, 'content'))
    : undefined;
}

/** The id in a name that says nothing of its own: of a session, a trace, or a file that is called after one. */
function idOf(given: string): string | undefined {
  // A session and the files of its sub-agents are named by the first.
  const first = given.replace(/ and \d+ more$/, '');
  if (isOpaqueId(first)) return first;
  const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(first)?.[0];
  return uuid === undefined || ownWords(first.replace(uuid, ' ')).length > 0 ? undefined : uuid;
}

/** What tools write before the id of every file of theirs, and letters of a time, say nothing of this one. */
function ownWords(text: string): readonly string[] {
  return (text.match(/[a-z]+/gi) ?? []).filter(
    (word) => !/^(?:rollout|sessions?|agent|trace|conversation|chat|t|z)$/i.test(word),
  );
}
