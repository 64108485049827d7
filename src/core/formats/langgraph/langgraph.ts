/**
 * LangGraph threads: state history, checkpoint tuples, a saver's storage, debug streams.
 */
import { isJsonArray, isJsonObject, type JsonValue } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import type { Format, Sniff } from '../format.ts';
import { type GroupedFormat, listGrouped, readGrouped } from '../grouped.ts';
import { memberAt, objectAt } from '../members.ts';
import { collect } from './collect.ts';
import { isThreadState } from './snapshot.ts';

const grouped: GroupedFormat = {
  id: 'langgraph',
  wanted: new Set(['*']),
  lineWanted: new Set(['']),
  collect,
  summary: {
    replayGrade: 'mostly',
    missingForReplay: [
      'the graph and its code',
      'requests to the model (the state holds the messages)',
      'tool schemas',
      'positions of issues and deliveries',
    ],
  },
};

export const langgraph: Format = {
  id: 'langgraph',
  label: 'LangGraph state history or checkpoints',
  detect,
  list: (files) => listGrouped(grouped, files),
  read: (files, options) => readGrouped(grouped, files, options),
};

function detect(sniff: Sniff): number {
  const text = sniff.text.trimStart();
  if (!/^[[{]/.test(text)) return 0;
  const whole = sniff.whole ? parseLossless(text) : undefined;
  if (whole?.ok === true) {
    const value = whole.value;
    const items = isJsonArray(value) ? value : [value];
    if (items.some(isCheckpoint)) return 0.95;
  }
  const [line = ''] = text.split('\n', 1);
  const first = parseLossless(line);
  if (first.ok && isCheckpoint(first.value)) return 0.95;
  if (
    /"checkpoint_id"\s*:|"checkpoint_ns"\s*:/.test(text) &&
    /"configurable"\s*:/.test(text) &&
    /"(channel_values|values|pendingWrites|next)"\s*:/.test(text)
  ) {
    // Traces of other tools hold the same words in their metadata.
    return /"(dotted_order|run_type|traceId|resourceSpans|parentObservationId)"\s*:/.test(text) ? 0 : 0.8;
  }
  if (/"parent_checkpoint"\s*:/.test(text) && /"checkpoint_id"\s*:/.test(text) && /"values"\s*:/.test(text)) return 0.8;
  return /"channel_values"\s*:/.test(text) && /"checkpoint"\s*:/.test(text) ? 0.8 : 0;
}

function isCheckpoint(value: JsonValue): boolean {
  if (isJsonArray(value)) {
    const held = value.some((item) => objectAt(item, 'configurable') !== undefined);
    const debug = value.find((item) => isJsonObject(item) && 'payload' in item);
    return held || objectAt(objectAt(objectAt(debug, 'payload'), 'config'), 'configurable') !== undefined;
  }
  if (isThreadState(value)) return true;
  const configurable = objectAt(memberAt(value, 'config'), 'configurable');
  return (
    configurable !== undefined &&
    (memberAt(value, 'values') !== undefined || memberAt(value, 'checkpoint') !== undefined)
  );
}
