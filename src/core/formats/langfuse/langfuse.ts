/**
 * Langfuse exports: a trace with its observations, lists or lines of observations, ingestion batches.
 */
import type { Format, Sniff } from '../format.ts';
import { listAt, textAt } from '../members.ts';
import { textToTopKeys } from '../session/top-keys.ts';
import { sniffObjects } from '../sniff.ts';
import type { Trace } from '../spans/operation.ts';
import { listSpanTraces, readSpans, type SpanFormat } from '../spans/read.ts';
import { collect, looksLikeObservation, observationsIn, wanted } from './collect.ts';
import { isScore, isTrace, looksLikeScore, looksLikeTrace } from './alone.ts';

const spans: SpanFormat = { id: 'langfuse', wanted, collect, summarise };

export const langfuse: Format = {
  id: 'langfuse',
  label: 'Langfuse trace export',
  loop: 'requests',
  detect,
  list: (files) => listSpanTraces(spans, files),
  read: (files, options) => readSpans(spans, files, options),
};

const ingested = /^(trace|span|generation|event|score|observation)-(create|update)$/;

function detect(sniff: Sniff): number {
  for (const object of sniffObjects(sniff, 5)) {
    if (looksLikeObservation(object) || observationsIn(object).some(looksLikeObservation)) return 0.95;
    if (looksLikeTrace(object) || looksLikeScore(object) || observationsIn(object).some(looksLikeTrace)) return 0.9;
    if ((listAt(object, 'batch') ?? [object]).some((body) => ingested.test(textAt(body, 'type') ?? ''))) return 0.9;
  }
  const { text } = sniff;
  if (!/^\s*[[{]/.test(text)) return 0;
  const { keys, inner } = textToTopKeys(text);
  if (isTrace(keys) || isScore(keys) || (keys.has('data') && isTrace(inner))) return 0.9;
  if (/"parentObservationId"\s*:|"parent_observation_id"\s*:/.test(text) && /"traceId"\s*:|"trace_id"\s*:/.test(text))
    return 0.9;
  if (
    /"type"\s*:\s*"(trace|span|generation|event|score|observation)-(create|update)"/.test(text) &&
    /"batch"\s*:/.test(text)
  )
    return 0.9;
  return 0;
}

/** Messages are there; the program, and often the schemas of its tools, are not. */
function summarise(traces: readonly Trace[]) {
  const models = traces.flatMap(({ operations }) => operations.filter(({ kind }) => kind === 'model'));
  const missing = ['the control program', 'positions of issues and deliveries'];
  if (models.length === 0) missing.push('the observations of model calls');
  if (models.some(({ model }) => model?.tools === undefined)) missing.push('the tool schemas of some model calls');
  if (models.some(({ model }) => (model?.asked.length ?? 0) === 0)) missing.push('the request of some model calls');
  if (models.some(({ model, output }) => (model?.answered.length ?? 0) === 0 && output === undefined))
    missing.push('the answer of some model calls');
  return { replayGrade: models.length === 0 ? ('none' as const) : ('mostly' as const), missingForReplay: missing };
}
