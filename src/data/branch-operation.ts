/**
 * The operation that made a stored branch, read back from its own lines: who, why, when, what; and the request that makes it again.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../core/base/json.ts';
import { parseLossless } from '../core/base/lossless.ts';
import { type BranchId, branchId } from '../core/model/index.ts';
import { operationToEditFile } from '../core/replay/replay-again.ts';
import type { TraceId } from '../platform/storage/index.ts';
import type { ReplayRequest } from '../platform/workers/index.ts';

export interface BranchOperation {
  readonly base: BranchId;
  readonly run: string | undefined;
  readonly kind: string;
  readonly actor: string | undefined;
  readonly reason: string | undefined;
  readonly at: string | undefined;
  /** Paths of what was replaced, `the input`, `the program`. */
  readonly changed: readonly string[];
  readonly supplied: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly request: (trace: TraceId) => ReplayRequest;
}

export function linesToOperation(lines: readonly string[]): BranchOperation | undefined {
  let operation: JsonObject | undefined;
  let counts: Readonly<Record<string, number>> = {};
  for (const line of lines) {
    // The two lines looked for are few among many: parse no others.
    if (!line.includes('"replay.started"') && !line.includes('"replay.completed"')) continue;
    const parsed = parseLossless(line);
    if (!parsed.ok || !isJsonObject(parsed.value) || !isJsonObject(parsed.value['data'])) continue;
    const { type, data } = parsed.value;
    if (type === 'replay.started' && isJsonObject(data['operation'])) operation = data['operation'];
    if (type === 'replay.completed') counts = jsonToCounts(data['counts']);
  }
  return operation === undefined ? undefined : jsonToOperation(operation, counts);
}

function jsonToCounts(value: JsonValue | undefined): Readonly<Record<string, number>> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

function jsonToOperation(operation: JsonObject, counts: BranchOperation['counts']): BranchOperation | undefined {
  const base = textOf(operation['base_branch']);
  if (base === undefined) return undefined;
  const { edits, supply } = operationToEditFile(operation, undefined);
  const paths = listPaths(operation['targets']);
  const after = operation['program_after'];
  const program = isJsonObject(after) ? textOf(after['source']) : undefined;
  const run = textOf(operation['run']);
  const actor = isJsonObject(operation['actor']) ? textOf(operation['actor']['id']) : undefined;
  const reason = textOf(operation['reason']);
  const isLenient = isJsonObject(operation['policies']) && operation['policies']['world'] === 'lenient';
  return {
    base: branchId(base),
    run,
    kind: textOf(operation['kind']) ?? 'edit',
    actor,
    reason,
    at: textOf(operation['at']),
    changed: [
      ...paths,
      ...(operation['input'] === undefined ? [] : ['the input']),
      ...(program === undefined ? [] : ['the program']),
    ],
    supplied: supply.map(({ path }) => path),
    counts,
    request: (trace) => ({
      trace,
      base: branchId(base),
      edits,
      supply,
      ...(run === undefined ? {} : { run }),
      ...(program === undefined ? {} : { program }),
      ...(reason === undefined ? {} : { reason }),
      ...(isLenient ? { world: 'lenient' as const } : {}),
    }),
  };
}

function listPaths(targets: JsonValue | undefined): readonly string[] {
  return isJsonArray(targets)
    ? targets.flatMap((target) => (isJsonObject(target) ? (textOf(target['path']) ?? []) : []))
    : [];
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
