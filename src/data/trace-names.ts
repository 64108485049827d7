/**
 * Traces of the library that would be called alike, each under what tells it apart: the whole name of its file, else where the file lay,
 * else the beginning of its id.
 *
 * Invariant: a name that no other trace has stays as it is; a sample or a redacted copy says what it is beside its name. What is stored
 * does not change.
 */
import type { TraceRecord } from '../platform/storage/index.ts';

type Named = Pick<TraceRecord, 'id' | 'name' | 'files' | 'origin'>;

const shortId = 10;

export function tellTracesApart<Trace extends Named>(traces: readonly Trace[]): readonly Trace[] {
  const alike = new Map<string, Trace[]>();
  for (const trace of traces) {
    if (trace.origin !== 'opened') continue;
    const known = alike.get(trace.name);
    if (known === undefined) alike.set(trace.name, [trace]);
    else known.push(trace);
  }
  const apart = new Map([...alike.values()].filter(({ length }) => length > 1).flatMap(nameApart));
  return apart.size === 0
    ? traces
    : traces.map((trace) => {
        const name = apart.get(trace.id);
        return name === undefined ? trace : { ...trace, name };
      });
}

function nameApart(traces: readonly Named[]): readonly (readonly [string, string])[] {
  const ways = [fileOf, pathOf, ({ id }: Named) => id.slice(0, shortId)];
  const way = ways.find((one) => new Set(traces.map(one)).size === traces.length) ?? (({ id }: Named) => id);
  return traces.map((trace) => [trace.id, withPart(trace.name, way(trace))]);
}

/** The name of a file stands in the place of what was made of it. */
function withPart(name: string, part: string): string {
  const [, own = name, more = ''] = /^(.*?)( and \d+ more)?$/s.exec(name) ?? [];
  return part.startsWith(`${own}.`) ? `${part}${more}` : `${name} · ${part}`;
}

function pathOf({ files }: Named): string {
  return files[0] ?? '';
}

function fileOf(trace: Named): string {
  return pathOf(trace).split('/').at(-1) ?? '';
}
