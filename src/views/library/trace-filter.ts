/** Which traces of the library hold every word that is sought: in name, format, where they come from, or a name of their files. */
import type { TraceRecord } from '../../data/index.ts';

type Sought = Pick<TraceRecord, 'name' | 'format' | 'formatLabel' | 'origin' | 'files'>;

export function findTraces<Trace extends Sought>(traces: readonly Trace[], sought: string): readonly Trace[] {
  const words = sought
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return traces;
  return traces.filter(({ name, format, formatLabel, origin, files }) => {
    const text = [name, format, formatLabel, origin, ...files].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
