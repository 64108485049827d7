/**
 * The text of one line, from the record it links to, and what the record does not say.
 *
 * Invariant: text is recorded text, and no text is blank: that a record holds an empty value is told in brackets. A model call shows only
 * messages that its agent's call before did not already carry; what is not recorded is named in `notRecorded`, and where nothing of the
 * content is recorded the line says that it cannot answer here.
 */
import { type JsonObject, type JsonValue, isJsonArray } from '../../base/json.ts';
import { memberOf, textAt } from '../../causal/index.ts';
import type { HindcastEvent } from '../../model/index.ts';
import type { TraceView } from '../trace-view.ts';
import { answerToWords, argsToLines } from '../telling.ts';
import { type Message, bodyToText, jsonToText, valueToMessages } from './messages.ts';

export interface LineText {
  readonly text: string | undefined;
  readonly notRecorded: readonly string[];
  /** Nothing of what this kind of record should say is there. */
  readonly isSilent: boolean;
}

/** The model call of the same agent and session before this one, by position; -1 for the first. */
export type CallBefore = (position: number) => number;

export function eventToText(view: TraceView, position: number, callBefore: CallBefore): LineText {
  const event = view.event(position);
  const data = view.data(position);
  switch (event.type) {
    case 'model_call.requested':
      return requestText(view, position, data, callBefore);
    case 'model_call.completed':
      return content(view, data, ['output_messages', 'result', 'response'], 'what the model answered');
    case 'tool_call.dispatched':
    case 'agent.spawned':
      return content(view, data, ['args'], 'the arguments');
    case 'tool_call.completed':
    case 'agent.joined':
      return content(view, data, ['result', 'error'], 'the result');
    case 'model_call.failed':
    case 'tool_call.failed':
      return errorText(view, data);
    case 'decision.made':
      return decisionText(view, position, data, event);
    case 'message.sent':
      return content(view, data, ['content'], 'the content of the message');
    case 'input.received':
    case 'signal.received':
    case 'env.read':
      return content(view, data, ['value', 'result'], 'the value');
    case 'state.transitioned':
      return content(view, data, ['value', 'patch'], 'the new state');
    case 'policy.evaluated':
      return policyText(view, data);
    case 'approval.granted':
    case 'approval.denied':
      return approvalText(view, data, event);
    case 'run.started':
      return content(view, data, ['input'], 'the input');
    case 'run.completed':
      return content(view, data, ['result'], 'the result');
    case 'run.failed':
      return errorText(view, data);
    default:
      return { text: undefined, notRecorded: [], isSilent: false };
  }
}

/** The first of these members that is recorded, as text. */
function content(view: TraceView, data: JsonObject, keys: readonly string[], what: string): LineText {
  for (const key of keys) {
    const value = memberOf(data, key);
    if (value === undefined) continue;
    const text = key === 'args' ? argsText(view, value) : valueText(view, value);
    const isNone = key === 'args' && (text === emptyList || text === emptyObject);
    return { text: isNone ? '(no arguments)' : text, notRecorded: [], isSilent: false };
  }
  return { text: undefined, notRecorded: [what], isSilent: true };
}

function errorText(view: TraceView, data: JsonObject): LineText {
  const message = memberOf(memberOf(data, 'error'), 'message');
  // An error without words may have a name, a code or a place: then all of it is shown.
  if (typeof message === 'string' && message.trim() !== '')
    return { text: textToShow(message), notRecorded: [], isSilent: false };
  return content(view, data, ['error', 'response'], 'the error');
}

const emptyList = '(an empty list)';
const emptyObject = '(an empty object)';

function argsText(view: TraceView, value: JsonValue): string {
  const lines = argsToLines(view.resolve(value));
  return lines === undefined ? valueText(view, value) : textToShow(lines);
}

/** A text inside JSON is shown as that text, with its real lines; the record, one press away, has the JSON. */
function valueText(view: TraceView, value: JsonValue): string {
  const read = view.resolve(value);
  const words = answerToWords(read);
  if (words !== undefined) return textToShow(words);
  if (isJsonArray(read)) return messagesToText(valueToMessages(read, view.resolve), read, view);
  return typeof read === 'string' ? textToShow(read) : partsToShow(read);
}

function partsToShow(value: JsonValue): string {
  const text = jsonToText(value);
  return text === '[]' ? emptyList : text === '{}' ? emptyObject : text;
}

/** From its first line that says something: a line of the transcript shows but few of them. */
function textToShow(text: string): string {
  if (text === '') return '(an empty text)';
  return text.trim() === '' ? '(nothing but white space)' : text.replace(/^(?:[^\S\n]*\n)+/, '');
}

/** A list is shown as messages where its members are messages or parts, else as it is. */
function messagesToText(messages: readonly Message[], value: JsonValue, view: TraceView): string {
  const list = isJsonArray(value) ? value : [];
  const isConversation = list.some(
    (item) => memberOf(view.resolve(item), 'role') !== undefined || memberOf(view.resolve(item), 'type') !== undefined,
  );
  return isConversation ? messages.map(messageToText).join('\n') : partsToShow(value);
}

function messageToText({ role, text }: Message): string {
  const shown = textToShow(text);
  return role === undefined ? shown : `${role}: ${shown}`;
}

/** What is new in this call: messages that neither the call before nor its answer already held. */
function requestText(view: TraceView, position: number, data: JsonObject, callBefore: CallBefore): LineText {
  const recorded = memberOf(data, 'input_messages');
  if (recorded === undefined) return content(view, data, ['args'], 'what the model was asked');
  const known = new Map<string, number>();
  for (const { identity } of messagesBefore(view, callBefore(position)))
    known.set(identity, (known.get(identity) ?? 0) + 1);
  const asked = [...systemMessages(view, data), ...valueToMessages(recorded, view.resolve)];
  // Each known message stands for one of those asked now: an equal one said again is new.
  const fresh = asked.filter(({ identity }) => {
    const left = known.get(identity) ?? 0;
    if (left > 0) known.set(identity, left - 1);
    return left === 0;
  });
  const repeated = asked.length - fresh.length;
  const head =
    repeated === 0 ? [] : [`(${String(repeated)} ${repeated === 1 ? 'message' : 'messages'} as in the call before)`];
  const said = [...head, ...fresh.map(messageToText)];
  return { text: said.length === 0 ? '(no message)' : said.join('\n'), notRecorded: [], isSilent: false };
}

function systemMessages(view: TraceView, data: JsonObject): Message[] {
  const system = memberOf(data, 'system_instructions');
  if (system === undefined) return [];
  const text = bodyToText(system, view.resolve);
  return [{ role: 'system', text, identity: `system|${text}` }];
}

function messagesBefore(view: TraceView, call: number): Message[] {
  if (call < 0) return [];
  const data = view.data(call);
  const messages = [...systemMessages(view, data), ...valueToMessages(memberOf(data, 'input_messages'), view.resolve)];
  for (const { to } of view.effectsOf(call)) {
    if (view.index.type(to) !== 'model_call.completed') continue;
    messages.push(...valueToMessages(memberOf(view.data(to), 'output_messages'), view.resolve));
  }
  return messages;
}

function decisionText(view: TraceView, position: number, data: JsonObject, event: HindcastEvent): LineText {
  const args = memberOf(data, 'args');
  const alternatives = memberOf(data, 'alternatives') ?? memberOf(args, 'alternatives');
  const because = memberOf(data, 'because') ?? memberOf(args, 'because');
  const hasEvidence = event.causes?.some(({ as }) => as === 'consumed' || as === 'informed_by') ?? false;
  const parts = [
    alternatives === undefined ? '' : `alternatives: ${listToWords(view.resolve(alternatives))}`,
    because === undefined ? '' : `because: ${valueText(view, because)}`,
  ].filter((part) => part !== '');
  const notRecorded = [
    ...notRecordedOf(view, position, data, { alternatives, because }),
    ...(hasEvidence ? [] : ['the evidence']),
  ];
  return { text: parts.length === 0 ? undefined : parts.join('\n'), notRecorded, isSilent: false };
}

interface Grounds {
  readonly alternatives: JsonValue | undefined;
  readonly because: JsonValue | undefined;
}

/**
 * A log of calls, from which decisions are read by a rule, never holds alternatives or reasons: that is told at the first of them, and
 * the provenance of each tells it again.
 */
function notRecordedOf(
  view: TraceView,
  position: number,
  data: JsonObject,
  { alternatives, because }: Grounds,
): readonly string[] {
  const isOfCalls = textAt(data, 'rule')?.startsWith('decision-from-') === true;
  if (!isOfCalls || alternatives !== undefined || because !== undefined)
    return [
      ...(alternatives === undefined ? ['the alternatives'] : []),
      ...(because === undefined ? ['a reason'] : []),
    ];
  return firstDecision(view) === position ? ['alternatives and reasons, of any choice of a call in this log'] : [];
}

const firsts = new WeakMap<TraceView, number>();

function firstDecision(view: TraceView): number {
  const known = firsts.get(view);
  if (known !== undefined) return known;
  let first = -1;
  for (const position of view.ofType('decision.made'))
    if (first < 0 || view.rowOf(position) < view.rowOf(first)) first = position;
  firsts.set(view, first);
  return first;
}

function listToWords(value: JsonValue): string {
  return isJsonArray(value) && value.length > 0 ? value.map(jsonToText).join(' | ') : partsToShow(value);
}

function policyText(view: TraceView, data: JsonObject): LineText {
  const because = memberOf(data, 'because') ?? memberOf(data, 'reason');
  const notRecorded = [
    ...(memberOf(data, 'version') === undefined ? ['the version of the policy'] : []),
    ...(memberOf(data, 'verdict') === undefined ? ['the verdict'] : []),
  ];
  return { text: because === undefined ? undefined : valueText(view, because), notRecorded, isSilent: false };
}

function approvalText(view: TraceView, data: JsonObject, event: HindcastEvent): LineText {
  const reason = memberOf(data, 'reason') ?? memberOf(data, 'value');
  const hasWho = memberOf(data, 'by') !== undefined || event.principal !== undefined;
  return {
    text: reason === undefined ? undefined : valueText(view, reason),
    notRecorded: hasWho ? [] : ['who decided'],
    isSilent: false,
  };
}
