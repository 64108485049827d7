/**
 * Shepherd: durable traces (events with causal edges), streams of effects, kernel traces linked by references, and results of
 * experiments.
 *
 * Causes are those the file records. Kernel records name what they come from in members that end with `_ref`.
 */
import { isJsonArray, isJsonObject, type JsonValue } from '../../base/json.ts';
import { writeLossless } from '../../base/lossless.ts';
import type { Format, Sniff, SourceFile } from '../format.ts';
import { listAt, objectAt, textAt } from '../members.ts';
import { createSessionFormat } from '../session/read.ts';
import { type CountBytes, readDocumentEntries, type SessionEntry, type SessionRecord } from '../session/source.ts';
import { hasAll, textToTopKeys } from '../session/top-keys.ts';
import { recordToReading } from './reading.ts';

export const shepherd: Format = createSessionFormat({
  id: 'shepherd',
  label: 'Shepherd trace (durable trace, effects, kernel records, experiment)',
  program: 'Shepherd',
  detect: detectShepherd,
  entries: readEntries,
  read: (record) => (isJsonObject(record.value) ? recordToReading(record.value, record) : undefined),
  grade: () => ({
    replayGrade: 'none',
    missingForReplay: [
      'the control program',
      'the content of arguments and results (digests or previews are recorded)',
      'the requests to the model and its answers',
    ],
  }),
});

const lists: ReadonlySet<string> = new Set(['', 'events', 'cases', 'artifacts', 'step_results', 'results']);

async function* readEntries(file: SourceFile, count: CountBytes): AsyncGenerator<readonly SessionEntry[]> {
  const entries = await readDocumentEntries(file, count, lists);
  const around = entries.find(({ record }) => record?.where === 'document')?.record;
  const edges = edgesOf(around?.value);
  const owners = ownersOf(around?.value);
  yield entries.flatMap((entry) => {
    const { record } = entry;
    if (record === undefined) return [entry];
    if (record.where === 'cases' || record.where === 'artifacts') return kernelEntries(record);
    const id = textAt(record.value, 'id');
    if (record.where !== 'events' || id === undefined) return [entry];
    const beside = { causes: edges.get(id) ?? [], owner: owners.get(id) ?? '' };
    return [{ ...entry, record: { ...record, beside } }];
  });
}

/** Which events led to an event. */
function edgesOf(document: JsonValue | undefined): ReadonlyMap<string, readonly string[]> {
  const edges = new Map<string, string[]>();
  for (const edge of listAt(document, 'causal_edges') ?? []) {
    const [from, to] = isJsonArray(edge) ? edge : [];
    if (typeof from === 'string' && typeof to === 'string') edges.set(to, [...(edges.get(to) ?? []), from]);
  }
  return edges;
}

function ownersOf(document: JsonValue | undefined): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  const paths = objectAt(document, 'owner_paths') ?? {};
  for (const owner of Object.keys(paths)) {
    for (const id of listAt(paths, owner) ?? []) if (typeof id === 'string') owners.set(id, owner);
  }
  return owners;
}

/** A case is a run of its own: itself, and each record of its trace. */
function kernelEntries(record: SessionRecord): readonly SessionEntry[] {
  const held = record.where === 'artifacts' ? objectAt(record.value, 'artifact') : record.value;
  const group = textAt(record.value, 'case') ?? textAt(record.value, 'name') ?? 'case';
  const trace = isJsonObject(held) ? (listAt(held, 'trace') ?? []) : [];
  const outcome = objectAt(held, 'outcome') ?? objectAt(held, 'source_outcome');
  // How it ended is told behind all that led to it.
  const ends = (n: number): Pick<SessionRecord, 'beside'> =>
    outcome !== undefined && n === trace.length ? { beside: { outcome } } : {};
  const inner = trace.map((value, n): SessionEntry => ({
    record: { ...record, value, text: writeLossless(value), where: 'kernel', group, ...ends(n + 1) },
  }));
  return [{ record: { ...record, value: withoutTrace(record.value), group, ...ends(0) } }, ...inner];
}

function withoutTrace(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const out: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) {
    if (key === 'trace') continue;
    out[key] = key === 'artifact' ? withoutTrace(member) : member;
  }
  return out;
}

function detectShepherd({ text }: Sniff): number {
  if (!/^\s*[[{]/.test(text)) return 0;
  const { isList, keys } = textToTopKeys(text);
  if (isList) return hasAll(keys, 'effect_type', '_sequence') ? 0.95 : 0;
  if (hasAll(keys, 'events', 'causal_edges') || (keys.has('trace_runtime') && keys.has('events'))) return 0.95;
  if (keys.has('experiment') && (keys.has('step_results') || keys.has('hypotheses'))) return 0.85;
  const isKernel = /"(record_type|continuation_root_refs|artifact_schema_version)"/.test(text);
  return isKernel && (keys.has('cases') || keys.has('artifacts')) ? 0.9 : 0;
}
