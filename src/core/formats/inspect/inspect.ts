/**
 * Inspect logs: `.json`, and the files of an unpacked `.eval`.
 */
import { isJsonArray, isJsonObject } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import type { Format, Sniff } from '../format.ts';
import type { Trace } from '../spans/operation.ts';
import { listSpanTraces, readSpans, type SpanFormat } from '../spans/read.ts';
import { collect, wanted } from './collect.ts';
import { isSample } from './resolve.ts';

const spans: SpanFormat = { id: 'inspect', wanted, collect, summarise };

export const inspect: Format = {
  id: 'inspect',
  label: 'Inspect log (.json, or the files of an .eval)',
  loop: 'requests',
  detect,
  list: (files) => listSpanTraces(spans, files),
  read: (files, options) => readSpans(spans, files, options),
};

function detect(sniff: Sniff): number {
  const text = sniff.text.trimStart();
  if (!text.startsWith('{') && !text.startsWith('[')) return 0;
  const whole = sniff.whole ? parseLossless(text) : undefined;
  if (whole?.ok === true) {
    const { value } = whole;
    if (isSample(value)) return 0.9;
    if (isJsonObject(value)) return isJsonObject(value['eval']) && 'task' in value['eval'] ? 0.95 : 0;
    return isJsonArray(value) && value.some((item) => isJsonObject(item) && 'epoch' in item && 'target' in item)
      ? 0.6
      : 0;
  }
  const isLog = /"eval"\s*:\s*\{/.test(text) && /"task"\s*:/.test(text) && /"(plan|samples|results)"\s*:/.test(text);
  const isOne =
    /^\{\s*"(id|uuid)"\s*:/.test(text) && /"epoch"\s*:\s*\d/.test(text) && /"(target|messages|input)"\s*:/.test(text);
  return isLog || isOne ? 0.9 : 0;
}

/** Requests and answers are whole, tools with schemas too; the solver is not in the log. */
function summarise(traces: readonly Trace[]) {
  const models = traces.flatMap(({ operations }) => operations.filter(({ kind }) => kind === 'model'));
  const missing = ['the program of the solver', 'positions of issues and deliveries'];
  if (models.some(({ model }) => (model?.answered.length ?? 0) === 0)) missing.push('the answer of some model calls');
  return {
    replayGrade: models.length === 0 ? ('none' as const) : ('needs its program' as const),
    missingForReplay: missing,
  };
}
