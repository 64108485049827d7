/**
 * What a sample stores once and refers to: attachments (`attachment://hash` in any text), and the pool of messages that model events
 * point into by ranges.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../base/json.ts';
import { listAt, objectAt } from '../members.ts';

export interface Pools {
  readonly resolve: (value: JsonValue | undefined) => JsonValue | undefined;
  readonly messages: (input: JsonValue | undefined, ranges: JsonValue | undefined) => JsonValue | undefined;
}

const scheme = 'attachment://';

export function createPools(sample: JsonObject, attachments: JsonObject): Pools {
  const known = { ...attachments, ...objectAt(sample, 'attachments') };
  const pool = listAt(sample, 'message_pool') ?? listAt(objectAt(sample, 'events_data'), 'messages') ?? [];

  // Depth is bounded by that of the JSON that is read.
  function resolveValue(value: JsonValue): JsonValue {
    if (typeof value === 'string')
      return value.startsWith(scheme) ? (known[value.slice(scheme.length)] ?? value) : value;
    if (typeof value !== 'object' || value === null) return value;
    if (isJsonArray(value)) return value.map(resolveValue);
    const out: Record<string, JsonValue> = {};
    for (const [key, item] of Object.entries(value)) setOwn(out, key, resolveValue(item));
    return out;
  }

  function resolve(value: JsonValue | undefined): JsonValue | undefined {
    return value === undefined || Object.keys(known).length === 0 ? value : resolveValue(value);
  }

  return {
    resolve,
    messages: (input, ranges) => {
      if (!isJsonArray(ranges)) return resolve(input);
      const out: JsonValue[] = isJsonArray(input) ? [...input] : [];
      for (const range of ranges) {
        const [from, to] = isJsonArray(range) ? range : [range, undefined];
        if (typeof from !== 'number') continue;
        for (const message of pool.slice(from, typeof to === 'number' ? to : from + 1)) out.push(message);
      }
      return resolve(out);
    },
  };
}

/** True for a member of an object that is there and an object. */
export function isSample(value: JsonValue | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const hasEvents = isJsonArray(value['events']) || isJsonObject(value['transcript']);
  return ('id' in value && 'epoch' in value && ('messages' in value || hasEvents)) || isEventList(value['events']);
}

function isEventList(value: JsonValue | undefined): boolean {
  return (
    isJsonArray(value) &&
    value.some(
      (event) =>
        isJsonObject(event) && typeof event['event'] === 'string' && ('timestamp' in event || 'span_id' in event),
    )
  );
}
