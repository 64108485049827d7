/**
 * What changed from one checkpoint to the next, as a JSON Patch of channels: a thread of n messages costs n messages, not n squared.
 */
import { isJsonArray, type JsonObject, type JsonValue } from '../../base/json.ts';
import { canon } from '../../model/index.ts';

export function diffValues(before: JsonObject, after: JsonObject): readonly JsonValue[] {
  const patch: JsonObject[] = [];
  for (const [channel, value] of Object.entries(after)) {
    const path = `/${channel.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const old = before[channel];
    if (old === undefined) patch.push({ op: 'add', path, value });
    else if (canon(old) !== canon(value)) for (const op of changeOf(path, old, value)) patch.push(op);
  }
  for (const channel of Object.keys(before)) {
    if (after[channel] === undefined)
      patch.push({ op: 'remove', path: `/${channel.replaceAll('~', '~0').replaceAll('/', '~1')}` });
  }
  return patch;
}

/** Items added to a list whose beginning is the same, else the whole value. */
function changeOf(path: string, old: JsonValue, value: JsonValue): readonly JsonObject[] {
  const grows =
    isJsonArray(old) &&
    isJsonArray(value) &&
    old.length < value.length &&
    old.every((item, n) => canon(item) === canon(value[n] ?? null));
  if (!grows || !isJsonArray(old) || !isJsonArray(value)) return [{ op: 'replace', path, value }];
  return value.slice(old.length).map((item, n) => ({ op: 'add', path: `${path}/${old.length + n}`, value: item }));
}
