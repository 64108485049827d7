/**
 * Traces of the OpenAI Agents SDK, Python and JavaScript, and of its Ruby port.
 */
import type { Format, Sniff } from '../format.ts';
import { listAt } from '../members.ts';
import { sniffObjects } from '../sniff.ts';
import type { Trace } from '../spans/operation.ts';
import { listSpanTraces, readSpans, type SpanFormat } from '../spans/read.ts';
import { collect, looksLikeSpan, wanted } from './collect.ts';

const spans: SpanFormat = { id: 'openai-agents', wanted, collect, summarise };

export const openaiAgents: Format = {
  id: 'openai-agents',
  label: 'OpenAI Agents SDK traces',
  loop: 'requests',
  detect,
  list: (files) => listSpanTraces(spans, files),
  read: (files, options) => readSpans(spans, files, options),
};

function detect(sniff: Sniff): number {
  for (const object of sniffObjects(sniff, 10)) {
    if (looksLikeSpan(object)) return 0.95;
    if ((listAt(object, 'traces') ?? listAt(object, 'data') ?? []).some(looksLikeSpan)) return 0.95;
  }
  return /^\s*[[{]/.test(sniff.text) && /"object"\s*:\s*"trace(\.span)?"/.test(sniff.text) ? 0.9 : 0;
}

function summarise(traces: readonly Trace[]) {
  const models = traces.flatMap(({ operations }) => operations.filter(({ kind }) => kind === 'model'));
  const told = models.filter(({ model }) => (model?.asked.length ?? 0) > 0 && (model?.answered.length ?? 0) > 0);
  const missing = ['the control program', 'positions of issues and deliveries', 'the schemas of tools'];
  if (told.length < models.length)
    missing.push(
      `requests or answers of ${models.length - told.length} of ${models.length} model calls (response spans hold only an id)`,
    );
  return { replayGrade: told.length > 0 ? ('per call' as const) : ('none' as const), missingForReplay: missing };
}
