/** OTLP attribute values and key-value lists to plain JSON, in both spellings. */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, setOwn } from '../../base/json.ts';
import { numberTokenToValue } from '../../base/lossless.ts';
import { valueAt } from '../genai/values.ts';

/** `[{key, value: {stringValue: …}}]` to an object; a list of another shape gives an empty one. */
export function keyValuesToObject(list: JsonValue | undefined): JsonObject {
  const out: Record<string, JsonValue> = {};
  if (isJsonObject(list)) return list;
  if (!isJsonArray(list)) return out;
  for (const item of list) {
    if (!isJsonObject(item) || typeof item['key'] !== 'string') continue;
    const value = anyValueToJson(item['value'] ?? null, 0);
    if (value !== undefined) setOwn(out, item['key'], value);
  }
  return out;
}

/** Deeper than the reader of JSON allows cannot arrive here. */
export function anyValueToJson(value: JsonValue, depth: number): JsonValue | undefined {
  if (!isJsonObject(value) || depth > 256) return value;
  const text = valueAt(value, 'stringValue', 'string_value');
  if (text !== undefined) return text;
  const flag = valueAt(value, 'boolValue', 'bool_value');
  if (flag !== undefined) return flag;
  const whole = valueAt(value, 'intValue', 'int_value');
  if (whole !== undefined)
    return typeof whole === 'string' && /^-?\d+$/.test(whole) ? numberTokenToValue(whole) : whole;
  const number = valueAt(value, 'doubleValue', 'double_value');
  if (number !== undefined) return number;
  const list = valueAt(value, 'arrayValue', 'array_value');
  if (isJsonObject(list)) {
    const values = valueAt(list, 'values');
    return isJsonArray(values) ? values.map((one) => anyValueToJson(one, depth + 1) ?? null) : [];
  }
  const map = valueAt(value, 'kvlistValue', 'kvlist_value');
  if (isJsonObject(map)) {
    const out: Record<string, JsonValue> = {};
    const values = valueAt(map, 'values');
    for (const item of isJsonArray(values) ? values : []) {
      if (!isJsonObject(item) || typeof item['key'] !== 'string') continue;
      setOwn(out, item['key'], anyValueToJson(item['value'] ?? null, depth + 1) ?? null);
    }
    return out;
  }
  const bytes = valueAt(value, 'bytesValue', 'bytes_value');
  if (bytes !== undefined) return bytes;
  return Object.keys(value).length === 0 ? undefined : value;
}
