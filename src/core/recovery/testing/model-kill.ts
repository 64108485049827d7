/** A shipped trial altered into one whose process was killed while it waited for a model, for tests only. */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { objectIn, textIn } from './altered-trials.ts';
import { readSample, toWhole } from './opened-trials.ts';

export const modelPath = '/model:decide#0';

export interface ModelKillOptions {
  /** Of the fault; undefined: it has none. */
  readonly label?: string | undefined;
  /** What the fault names as struck. */
  readonly target?: string;
}

/** The first life asks the model and writes no more; the fault says what `options` say. */
export function modelKill({ label = 'model', target = modelPath }: ModelKillOptions = {}): readonly JsonObject[] {
  const records = readSample('campaign/one-ticket-naive-kill-3');
  const asked = records.findIndex(({ type }) => type === 'model_call.requested');
  const first = textIn(records[asked] ?? {}, 'id').split(':')[0];
  const killed = records.findIndex(({ type }) => type === 'fault.injected');
  const isGone = (record: JsonObject, at: number): boolean => {
    const [log] = textIn(record, 'id').split(':');
    return at > asked && at < killed && (log === first || log === 'ticket-service-1');
  };
  return toWhole(records.filter((record, at) => !isGone(record, at)).map((record) => relabel(record, label, target)));
}

function relabel(record: JsonObject, label: string, path: string): JsonObject {
  const data = objectIn(record, 'data');
  const change = (more: Readonly<Record<string, JsonValue>>): JsonObject => ({ ...record, data: { ...data, ...more } });
  if (record['type'] === 'trial.started') return change({ cell: { ...objectIn(data, 'cell'), points: [label] } });
  if (!textIn(record, 'type').startsWith('fault.')) return record;
  return change({ kill_point: label, target: { path } });
}
