/**
 * Checks a typed value against the schema or the shapes that the trace has for the same command: wherever a value is edited, the same.
 */
import { useMemo } from 'react';
import { type JsonObject, type JsonValue, isJsonObject } from '../core/base/json.ts';
import { passageToShown } from '../core/base/shown-text.ts';
import type { BranchId } from '../core/model/index.ts';
import { type ShapeCheck, checkShape, mostSeen, toolsToSchemas } from '../core/replay/shape.ts';
import type { TraceId } from '../platform/storage/index.ts';
import type { Preview } from '../platform/workers/index.ts';
import { useEventsOf } from './events-of.ts';
import { useInspections } from './trace-query.ts';

const declarationTypes = ['stream.declared'] as const;

/** Declared schemas of results, by tool. */
function useResultSchemas(trace: TraceId, branch: BranchId): ReadonlyMap<string, JsonObject> {
  const { events } = useEventsOf(trace, branch, declarationTypes);
  return useMemo(
    () =>
      new Map(
        events.flatMap(({ event }) => {
          const data = isJsonObject(event) ? event['data'] : undefined;
          return toolsToSchemas(isJsonObject(data) ? data['tools'] : undefined);
        }),
      ),
    [events],
  );
}

interface ShapePlace {
  readonly trace: TraceId;
  readonly branch: BranchId;
  /** The commands of the run, as a preview lists them; undefined while there is none. */
  readonly commands: Preview['items'] | undefined;
}

interface ShapeQuestion {
  readonly kind: string | undefined;
  readonly name: string;
  /** The value recorded for this very command, if any. */
  readonly recorded: JsonValue | undefined;
  /** Absent while what is typed is no value. */
  readonly typed: JsonValue | undefined;
  readonly choices?: readonly JsonValue[];
}

const noChoices: readonly JsonValue[] = [];

export function useShapeCheck({ trace, branch, commands }: ShapePlace, question: ShapeQuestion): ShapeCheck {
  const { kind, name, recorded, typed, choices = noChoices } = question;
  const schemas = useResultSchemas(trace, branch);
  const schema = kind === 'read' || kind === 'write' ? schemas.get(name) : undefined;
  const others = useMemo(
    () =>
      schema !== undefined
        ? []
        : (commands ?? [])
            .filter((item) => item.kind === kind && item.name === name)
            .slice(0, mostSeen)
            .map(({ event }) => event),
    [commands, kind, name, schema],
  );
  const { answers } = useInspections(trace, branch, others);
  return useMemo(() => {
    const seen = answers.flatMap((one) => (one?.editable === undefined ? [] : [one.editable.value]));
    const known = seen.length === 0 && recorded !== undefined ? [recorded] : seen;
    const { basis, problems } = checkShape({ name, value: typed, choices, schema, seen: known });
    return { basis: passageToShown(basis), problems: problems.map(passageToShown) };
  }, [typed, choices, schema, name, answers, recorded]);
}
