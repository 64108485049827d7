/** Checks a typed value against the schema or the shapes that the trace has for the same command. */
import { useMemo } from 'react';
import { passageToShown } from '../../core/base/shown-text.ts';
import type { JsonValue } from '../../core/base/json.ts';
import { type ShapeCheck, checkShape, mostSeen } from '../../core/replay/shape.ts';
import { useInspections } from '../../data/index.ts';
import type { ReplaySession } from './session.ts';

export interface ShapeQuestion {
  readonly kind: string | undefined;
  readonly name: string;
  /** The value recorded for this very command, if any. */
  readonly recorded: JsonValue | undefined;
  /** Absent while what is typed is no value. */
  readonly typed: JsonValue | undefined;
  readonly choices?: readonly JsonValue[];
}

const noChoices: readonly JsonValue[] = [];

export function useShapeCheck(session: ReplaySession, question: ShapeQuestion): ShapeCheck {
  const { kind, name, recorded, typed, choices = noChoices } = question;
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
  const { answers } = useInspections(trace, branch, others);
  return useMemo(() => {
    const seen = answers.flatMap((one) => (one?.editable === undefined ? [] : [one.editable.value]));
    const known = seen.length === 0 && recorded !== undefined ? [recorded] : seen;
    const { basis, problems } = checkShape({ name, value: typed, choices, schema, seen: known });
    return { basis: passageToShown(basis), problems: problems.map(passageToShown) };
  }, [typed, choices, schema, name, answers, recorded]);
}
