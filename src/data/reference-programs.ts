/** The reference programs that came with the site: which fit a trace, and their sources, read when one is taken. */
import { programsFor, type ReferenceProgram } from '../core/formats/reference-programs.ts';
import { DataError } from './failure.ts';
import { useServices } from './services.ts';
import { useTrace } from './traces.ts';
import type { TraceId } from '../platform/storage/index.ts';

export interface ReferencePrograms {
  readonly fitting: readonly ReferenceProgram[];
  readonly read: (program: ReferenceProgram) => Promise<string>;
}

export function useReferencePrograms(trace: TraceId): ReferencePrograms {
  const { fetchOwn } = useServices();
  const { data } = useTrace(trace);
  return {
    fitting: data === undefined ? [] : programsFor(data.format),
    read: async ({ id, title }) => {
      const response = await fetchOwn(`programs/${id}.js`, new AbortController().signal);
      if (!response.ok)
        throw new DataError(
          'unavailable',
          `The program "${title}" could not be read from this site (${response.status}).`,
        );
      return response.text();
    },
  };
}
