/**
 * LangSmith runs: JSON lines of POST and PATCH bodies, batches `{post, patch}`, and lists of runs.
 */
import type { Format, Sniff } from '../format.ts';
import { sniffObjects } from '../sniff.ts';
import type { Trace } from '../spans/operation.ts';
import { listSpanTraces, readSpans, type SpanFormat } from '../spans/read.ts';
import { collect, looksLikeRun, runsIn, wanted } from './collect.ts';

const spans: SpanFormat = { id: 'langsmith', wanted, collect, summarise };

export const langsmith: Format = {
  id: 'langsmith',
  label: 'LangSmith runs (bodies, batches or lists)',
  loop: 'requests',
  detect,
  list: (files) => listSpanTraces(spans, files),
  read: (files, options) => readSpans(spans, files, options),
};

function detect(sniff: Sniff): number {
  for (const object of sniffObjects(sniff, 10)) {
    if (looksLikeRun(object) || runsIn(object).some(looksLikeRun)) return 0.95;
  }
  const { text } = sniff;
  if (!/^\s*[[{]/.test(text)) return 0;
  const isRun = /"run_type"\s*:\s*"/.test(text) && /"(dotted_order|inputs|parent_run_id)"\s*:/.test(text);
  return isRun || /"dotted_order"\s*:\s*"\d{8}T\d{6}/.test(text) ? 0.9 : 0;
}

function summarise(traces: readonly Trace[]) {
  const models = traces.flatMap(({ operations }) => operations.filter(({ kind }) => kind === 'model'));
  const missing = ['the control program', 'positions of issues and deliveries', 'which steps act outside'];
  if (models.some(({ model }) => model?.tools === undefined)) missing.push('the tool schemas of some model calls');
  if (models.some(({ ended }) => !ended)) missing.push('the ending of some runs');
  return { replayGrade: models.length === 0 ? ('none' as const) : ('mostly' as const), missingForReplay: missing };
}
