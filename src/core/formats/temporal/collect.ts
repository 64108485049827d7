/**
 * Pieces of files to traces: executions that continue, reset, retry or call one another are one trace, each a run of its own; a reset
 * beside its base is a branch of the base's run.
 */
import type { JsonObject } from '../../base/json.ts';
import type { EventDraft } from '../draft.ts';
import type { Grouped, GroupedTrace, MappedRecord } from '../grouped.ts';
import { withoutUndefined } from '../members.ts';
import type { Piece } from '../pieces.ts';
import { computeCalls } from './calls.ts';
import { computeConfigurations } from './configuration.ts';
import { recordToDrafts } from './convert.ts';
import { createExecutionMap, type ExecutionMap, type Line } from './execution-map.ts';
import { type Execution, gatherExecutions, placeOf } from './executions.ts';
import { objectField, textField } from './fields.ts';
import { type Grade, gradeOf } from './grade.ts';
import { computeLacks, executionsToNotes } from './notices.ts';
import { isSameRecord } from './record.ts';
import type { RuleName } from './rules.ts';
import { clock } from './shared.ts';

export const wanted: ReadonlySet<string> = new Set(['events.*', 'history.events.*', '*']);

interface Converted {
  readonly map: ExecutionMap;
  readonly mapped: readonly MappedRecord[];
  readonly derived: readonly MappedRecord[];
  readonly merged: number;
}

interface Collected extends Grouped {
  readonly grade: Grade;
}

export function collect(pieces: readonly Piece[]): Collected {
  const { executions, problems } = gatherExecutions(pieces);
  const maps = createMaps(executions);
  const converted = new Map<string, Converted>();
  for (const map of maps) converted.set(map.execution.runId, convert(map, converted));
  const lacks = computeLacks(executions);
  return {
    traces: groupByLinks(executions).map((group) => toTrace(group, converted)),
    problems,
    notes: executionsToNotes(executions, lacks),
    grade: gradeOf(executions, lacks),
  };
}

/** Bases before the executions that were reset from them. */
function createMaps(executions: readonly Execution[]): readonly ExecutionMap[] {
  const byRunId = new Map(executions.map((execution) => [execution.runId, execution]));
  const maps = new Map<string, ExecutionMap>();
  for (const execution of executions) {
    const chain: Execution[] = [];
    const seen = new Set<string>();
    let at: Execution | undefined = execution;
    while (at !== undefined && !maps.has(at.runId) && !seen.has(at.runId)) {
      seen.add(at.runId);
      chain.push(at);
      const base: string | undefined = at.reset?.base;
      at = base === undefined ? undefined : byRunId.get(base);
    }
    for (let next = chain.pop(); next !== undefined; next = chain.pop()) {
      maps.set(next.runId, createExecutionMap(next, lineOf(next, maps)));
    }
  }
  return [...maps.values()];
}

/** Only where the events before the reset are those of the base. */
function lineOf({ runId, reset, records }: Execution, maps: ReadonlyMap<string, ExecutionMap>): Line | undefined {
  const base = reset?.base === undefined || reset.base === runId ? undefined : maps.get(reset.base);
  if (reset === undefined || base === undefined) return undefined;
  const shared = records.filter(({ number }) => number < reset.at);
  const isBase = shared.every((record) => {
    const there = base.execution.byNumber.get(record.number);
    return there !== undefined && isSameRecord(there, record);
  });
  if (!isBase || shared.length === 0) return undefined;
  const short = runId.replaceAll('-', '').slice(0, 12);
  return { branch: `reset-${short}`, prefix: `reset-${short}.`, from: reset.at, base };
}

function convert(map: ExecutionMap, before: ReadonlyMap<string, Converted>): Converted {
  const { execution, line } = map;
  const inferred = { calls: computeCalls(execution), configurations: computeConfigurations(execution) };
  const mapped: MappedRecord[] = [];
  let merged = execution.copies;
  for (const record of execution.records) {
    const isCopied = line !== undefined && record.number < line.from;
    if (isCopied || map.targetOf(record.number) !== undefined) merged++;
    else mapped.push({ place: record.place, drafts: recordToDrafts(map, record, inferred) });
  }
  const withFrames = addFrames(mapped, execution);
  const base = line === undefined ? undefined : before.get(line.base.execution.runId);
  const derived = line === undefined || base === undefined ? [] : [branchOf(map, line, base)];
  return { map, mapped: withFrames, derived, merged: merged + execution.frames.length };
}

/** What stood around the events goes with the first of them. */
function addFrames(mapped: readonly MappedRecord[], { frames }: Execution): readonly MappedRecord[] {
  const [first, ...rest] = mapped;
  const [draft, ...others] = first?.drafts ?? [];
  if (first === undefined || draft === undefined || frames.length === 0) return mapped;
  const extra: JsonObject = { ...draft.extra, documents: frames };
  return [{ ...first, drafts: [{ ...draft, extra }, ...others] }, ...rest];
}

/** The base's line shows all of it; the new branch shows it up to the reset. */
function branchOf({ execution, run, idOf }: ExecutionMap, line: Line, base: Converted): MappedRecord {
  const rule: RuleName = 'reset-of-base';
  const minus = base.mapped.flatMap(({ drafts }) =>
    drafts.filter(({ record }) => Number(record) >= line.from).map(({ id }) => id),
  );
  const failed = execution.byNumber.get(line.from);
  const fork = idOf(line.from - 1);
  const draft: EventDraft = {
    id: idOf(line.from, 'branch'),
    type: 'branch.created',
    run,
    branch: line.branch,
    session: execution.workflowId,
    time: failed?.time,
    clock,
    causes: [{ event: fork, as: 'caused_by', rule }],
    extra: { rule },
    data: withoutUndefined({
      parent: line.base.branch,
      fork,
      frontier: { base: line.base.branch, minus },
      execution: { run_id: execution.runId },
    }),
  };
  return { place: failed?.place ?? placeOf(execution), drafts: [draft] };
}

/** Executions that name one another, whichever of them does. */
function groupByLinks(executions: readonly Execution[]): readonly (readonly Execution[])[] {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    for (let at = id; at !== root;) {
      const up = parents.get(at) ?? root;
      parents.set(at, root);
      at = up;
    }
    return root;
  };
  for (const execution of executions) {
    for (const other of linkedRuns(execution)) {
      const [a, b] = [rootOf(execution.runId), rootOf(other)];
      if (a !== b) parents.set(b, a);
    }
  }
  const groups = new Map<string, Execution[]>();
  for (const execution of executions) {
    const root = rootOf(execution.runId);
    const known = groups.get(root);
    if (known === undefined) groups.set(root, [execution]);
    else known.push(execution);
  }
  return [...groups.values()];
}

function linkedRuns({ records }: Execution): readonly string[] {
  const runs: string[] = [];
  for (const { attributes, type } of records) {
    // A signal to a stranger does not make it part of this story; a child, a successor or a parent is.
    const named = [
      textField(attributes, 'firstExecutionRunId'),
      textField(attributes, 'continuedExecutionRunId'),
      textField(attributes, 'newExecutionRunId'),
      textField(attributes, 'baseRunId'),
      textField(attributes, 'newRunId'),
      textField(objectField(attributes, 'parentWorkflowExecution'), 'runId'),
      type.startsWith('ChildWorkflow') ? textField(objectField(attributes, 'workflowExecution'), 'runId') : undefined,
    ];
    for (const run of named) if (run !== undefined) runs.push(run);
  }
  return runs;
}

function toTrace(group: readonly Execution[], converted: ReadonlyMap<string, Converted>): GroupedTrace {
  const parts = group.map(({ runId }) => converted.get(runId)).filter((part) => part !== undefined);
  const first = [...group].sort((a, b) => compare(startOf(a), startOf(b)) || compare(a.runId, b.runId))[0];
  const name = first?.workflow ?? 'workflow';
  return {
    key: first?.runId ?? '',
    title: first?.workflowId === undefined ? name : `${name} ${first.workflowId}`,
    startedAt: first?.records[0]?.time,
    mapped: parts.flatMap(({ mapped }) => mapped),
    derived: parts.flatMap(({ derived }) => derived),
    merged: parts.reduce((sum, { merged }) => sum + merged, 0),
  };
}

function startOf({ records }: Execution): string {
  return records[0]?.time ?? '';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
