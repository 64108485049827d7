/**
 * A trace as a file for other programs: read from the library, written in one of the forms of src/core/export.
 *
 * What writes it brings the schemas of the event model, which nothing on the first page needs: it is loaded with the first export.
 */
import type { ExportForm } from '../core/export/index.ts';
import type { TraceRecord } from '../platform/storage/index.ts';
import { valueOrThrow } from './failure.ts';
import { useServices } from './services.ts';

export type { ExportForm };

export interface ExportedFile {
  readonly file: Blob;
  readonly name: string;
}

/** Every event and branch, as the library holds them. Rejects with a sentence. */
export function useExportTrace(): (trace: TraceRecord, form: ExportForm) => Promise<ExportedFile> {
  const { library } = useServices();
  return async (trace, form) => {
    const stream = valueOrThrow(await library.call('stream', [trace.id]));
    const { exportName, streamToOtlp } = await import('./export-file.ts');
    const name = exportName(trace.name, form);
    return { name, file: form === 'hindcast' ? stream : await streamToOtlp(stream) };
  };
}
