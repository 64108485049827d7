/**
 * Which activity ran which call of a model answer (rule `call-by-arguments`).
 *
 * Histories say what the workflow scheduled, not why. Name and arguments must agree; an answer after the activity is never considered.
 */
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { canon } from '../../model/index.ts';
import type { ChatCall } from '../chat/calls.ts';
import { parseText } from '../members.ts';
import type { Execution } from './executions.ts';
import { eventNumber, fieldAt, nameField } from './fields.ts';
import { answerCalls, isModelActivity } from './model-activity.ts';
import { payloadsToValues, valuesToArgs, valuesToResult } from './payload.ts';

export interface CalledBy {
  /** Number of the event that ended the model call. */
  readonly answer: number;
  readonly callId: string | undefined;
}

interface OpenCall extends CalledBy {
  used: boolean;
}

/** By the number of the scheduled event. */
export function computeCalls({ records, byNumber }: Execution): ReadonlyMap<number, CalledBy> {
  const open = new Map<string, OpenCall[]>();
  const found = new Map<number, CalledBy>();
  for (const { type, number, attributes } of records) {
    if (type === 'ActivityTaskCompleted') {
      const scheduled = byNumber.get(eventNumber(attributes, 'scheduledEventId') ?? 0);
      if (scheduled === undefined || !isModelActivity(nameOf(scheduled.attributes), argsOf(scheduled.attributes)))
        continue;
      const result = payloadsToValues(fieldAt(attributes, 'result'));
      for (const call of answerCalls(valuesToResult(result))) openCall(open, call, number);
    } else if (type === 'ActivityTaskScheduled') {
      const call = takeCall(open, nameOf(attributes), payloadsToValues(fieldAt(attributes, 'input')).values);
      if (call !== undefined) found.set(number, call);
    }
  }
  return found;
}

function nameOf(attributes: JsonValue): string {
  return nameField(attributes, 'activityType') ?? '';
}

function argsOf(attributes: JsonValue): JsonValue {
  return valuesToArgs(payloadsToValues(fieldAt(attributes, 'input')));
}

function openCall(open: Map<string, OpenCall[]>, { id, name, args }: ChatCall, answer: number): void {
  const call: OpenCall = { answer, callId: id, used: false };
  const keys = [keyOf(name, 'whole', args)];
  if (isJsonObject(args)) keys.push(keyOf(name, 'positions', Object.values(args)));
  for (const key of keys) {
    const stack = open.get(key);
    if (stack === undefined) open.set(key, [call]);
    else stack.push(call);
  }
}

function takeCall(
  open: ReadonlyMap<string, OpenCall[]>,
  name: string,
  values: readonly JsonValue[],
): CalledBy | undefined {
  const [only] = values;
  const whole = values.length === 1 && only !== undefined ? keyOf(name, 'whole', parseText(only) ?? null) : undefined;
  for (const key of [whole, keyOf(name, 'positions', values)]) {
    const stack = key === undefined ? undefined : open.get(key);
    for (let call = stack?.pop(); call !== undefined; call = stack?.pop()) {
      if (call.used) continue;
      call.used = true;
      return call;
    }
  }
  return undefined;
}

function keyOf(name: string, form: string, value: JsonValue): string {
  return `${form} ${name} ${canon(value)}`;
}
