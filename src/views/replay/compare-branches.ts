/**
 * A branch beside its parent, aligned by the path of the command. Works on any two branches of a trace, also ones that came with the file.
 *
 * Invariant: a record that both sides share is the same by identity and is never compared by value; every path of the rest is in exactly
 * one row.
 */
import { type JsonObject, type JsonValue, isJsonObject } from '../../core/base/json.ts';
import type { EventId } from '../../core/model/index.ts';
import { type JsonDifference, computeJsonDifferences } from '../../core/replay/json-diff.ts';

export type ComparedStatus = 'changed' | 'same' | 'only here' | 'only there';
export const comparedStatuses: readonly ComparedStatus[] = ['changed', 'only here', 'only there', 'same'];

export interface ComparedRecord {
  readonly id: EventId;
  readonly event: JsonValue;
}

export interface ComparedSide {
  /** The last record of the command on this side. */
  readonly event: EventId;
  /** What its records say, put together: arguments and answer. */
  readonly payload: JsonObject;
}

export interface ComparedRow {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly status: ComparedStatus;
  readonly here: ComparedSide | undefined;
  readonly there: ComparedSide | undefined;
  /** `recorded` is the parent's side. */
  readonly differences: readonly JsonDifference[];
}

export interface Compared {
  readonly rows: readonly ComparedRow[];
  /** Records without a command: workers, faults, the replay's own notes. */
  readonly apart: { readonly here: number; readonly there: number };
}

/** Takes the records that only one side has, in the order of each side. */
export function compareBranches(here: readonly ComparedRecord[], there: readonly ComparedRecord[]): Compared {
  const mine = recordsToCommands(here);
  const theirs = recordsToCommands(there);
  const rows: ComparedRow[] = [];
  for (const [path, command] of mine.byPath) rows.push(sidesToRow(path, command, theirs.byPath.get(path)));
  for (const [path, command] of theirs.byPath) {
    if (!mine.byPath.has(path)) rows.push(sidesToRow(path, undefined, command));
  }
  return { rows, apart: { here: mine.apart, there: theirs.apart } };
}

interface Command extends ComparedSide {
  readonly kind: string;
  readonly name: string;
}

function recordsToCommands(records: readonly ComparedRecord[]): {
  readonly byPath: ReadonlyMap<string, Command>;
  readonly apart: number;
} {
  const byPath = new Map<string, Command>();
  let apart = 0;
  for (const { id, event } of records) {
    const command = isJsonObject(event) ? event['command'] : undefined;
    const path = isJsonObject(command) ? command['path'] : undefined;
    if (!isJsonObject(event) || !isJsonObject(command) || typeof path !== 'string') {
      apart += 1;
      continue;
    }
    const known = byPath.get(path);
    const data = isJsonObject(event['data']) ? event['data'] : {};
    byPath.set(path, {
      event: id,
      kind: textOf(command['kind']) ?? known?.kind ?? '',
      name: textOf(command['name']) ?? known?.name ?? path,
      payload: { ...known?.payload, ...data },
    });
  }
  return { byPath, apart };
}

function sidesToRow(path: string, here: Command | undefined, there: Command | undefined): ComparedRow {
  const differences =
    here === undefined || there === undefined
      ? []
      : computeJsonDifferences(comparable(there.payload, here.payload), comparable(here.payload, there.payload));
  const status =
    here === undefined ? 'only there' : there === undefined ? 'only here' : differences.length > 0 ? 'changed' : 'same';
  const { kind = '', name = path } = here ?? there ?? {};
  return { path, kind, name, status, here, there, differences };
}

/** What control code asked and received: a side without one of these differs. */
const always = new Set(['args', 'result', 'value', 'output', 'error']);

/** Members that only a recorder writes (tools, budget, context) are absent from every replay, and say nothing of a change. */
function comparable(payload: JsonObject, other: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => always.has(name) || Object.hasOwn(other, name)));
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
