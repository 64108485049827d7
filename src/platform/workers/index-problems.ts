/**
 * What is wrong with a trace as a graph, in the form in which the library keeps problems.
 *
 * A function of the body and the version of the index, so it lies beside the columns and is rebuilt with them. Called at the end of an
 * import and when an index is rebuilt.
 */
import {
  type CausalIndex,
  computeProblems,
  createBranches,
  createOrder,
  type EventSource,
} from '../../core/causal/index.ts';
import type { InputPlace } from '../../core/formats/format.ts';
import type { StoredProblem } from '../storage/index.ts';

/** What the reader of a format can see as well, because it compares records as they come. */
const alsoToldByReaders: ReadonlySet<string> = new Set(['conflicting-id', 'same-record']);

export function computeIndexProblems(
  index: CausalIndex,
  source: EventSource,
  placeOf: (position: number) => InputPlace | undefined,
  told: readonly StoredProblem[],
): readonly StoredProblem[] {
  const input = { index, source, order: createOrder(index), branches: createBranches(index, source), placeOf };
  const known = new Set(
    told.flatMap(({ code, events = [] }) =>
      alsoToldByReaders.has(code) ? events.map((event) => `${code} ${event}`) : [],
    ),
  );
  return computeProblems(input)
    .filter(({ code, events }) => !events.some((event) => known.has(`${code} ${event}`)))
    .map(({ code, message, severity, place, events }) => ({
      code,
      message,
      severity,
      events,
      ...placeToFields(place),
    }));
}

function placeToFields(place: InputPlace | undefined): Pick<StoredProblem, 'file' | 'line' | 'offset'> {
  return place === undefined ? {} : { file: place.file, line: place.line, offset: place.offset };
}
