/** Checks a typed value against the schema or the shapes that the trace has for the same command. */
import { useMemo } from 'react';
import type { JsonValue } from '../../core/base/json.ts';
import { useInspections } from '../../data/index.ts';
import type { ReplaySession } from './session.ts';
import { type ShapeCheck, checkAgainstSchema, checkAgainstSeen } from './shape.ts';

/** Values of the same kind and name that are read for their shape. */
const mostSeen = 12;

export interface ShapeQuestion {
  readonly kind: string | undefined;
  readonly name: string;
  /** The value recorded for this very command, if any. */
  readonly recorded: JsonValue | undefined;
  /** Absent while what is typed is no value. */
  readonly typed: JsonValue | undefined;
  readonly choices?: readonly JsonValue[];
}

const nothing: ShapeCheck = { basis: '', problems: [] };

export function useShapeCheck(session: ReplaySession, question: ShapeQuestion): ShapeCheck {
  const { kind, name, recorded, typed, choices = [] } = question;
  const { facts, preview, trace, branch } = session;
  const schema = kind === 'read' || kind === 'write' ? facts.schemas.get(name) : undefined;
  const others = useMemo(
    () =>
      schema !== undefined
        ? []
        : (preview.data?.items ?? [])
            .filter((item) => item.kind === kind && item.name === name)
            .slice(0, mostSeen)
            .map(({ event }) => event),
    [preview.data, kind, name, schema],
  );
  const inspections = useInspections(trace, branch, others);
  return useMemo(() => {
    if (typed === undefined) return nothing;
    if (choices.length > 0) return checkChoice(typed, choices);
    if (schema !== undefined) return checkAgainstSchema(typed, schema, name);
    const seen = inspections.flatMap((one) => (one?.editable === undefined ? [] : [one.editable.value]));
    const known = seen.length === 0 && recorded !== undefined ? [recorded] : seen;
    return known.length === 0
      ? { basis: `nothing: no schema and no value of ${name} is recorded`, problems: [] }
      : checkAgainstSeen(typed, known, name);
  }, [typed, choices, schema, name, inspections, recorded]);
}

function checkChoice(typed: JsonValue, choices: readonly JsonValue[]): ShapeCheck {
  const text = JSON.stringify(typed);
  const isKnown = choices.some((choice) => JSON.stringify(choice) === text);
  return {
    basis: 'the alternatives recorded with this decision',
    problems: isKnown
      ? []
      : [`The decision had other alternatives: ${choices.map((choice) => JSON.stringify(choice)).join(', ')}.`],
  };
}
