/**
 * The places of the records of a chunk, packed: differences from one record to the next, compressed.
 *
 * Invariant: `unpackPlaces` gives the very columns. They are read only when an index is rebuilt. Called by compact.ts and open-trace.ts.
 */
import { deflateSync, inflateSync } from 'fflate';
import type { PlaceColumns, StoredPlaces } from './schema.ts';

export function packPlaces(columns: PlaceColumns): Uint8Array<ArrayBuffer> {
  const { length } = columns.file;
  const offset = new Float64Array(length);
  const line = new Int32Array(length);
  const file = new Int32Array(length);
  for (let n = 0; n < length; n++) {
    offset[n] = (columns.offset[n] ?? 0) - (columns.offset[n - 1] ?? 0);
    // Differences of 32 bits that do not fit come round again.
    line[n] = (columns.line[n] ?? 0) - (columns.line[n - 1] ?? 0);
    file[n] = (columns.file[n] ?? 0) - (columns.file[n - 1] ?? 0);
  }
  const bytes = new Uint8Array(length * 16);
  bytes.set(new Uint8Array(offset.buffer), 0);
  bytes.set(new Uint8Array(line.buffer), length * 8);
  bytes.set(new Uint8Array(file.buffer), length * 12);
  return Uint8Array.from(deflateSync(bytes));
}

export function unpackPlaces({ packed, ...row }: StoredPlaces): PlaceColumns {
  if (packed === undefined) return row;
  const { buffer } = Uint8Array.from(inflateSync(packed));
  const length = buffer.byteLength / 16;
  const offset = new Float64Array(buffer, 0, length);
  const line = new Uint32Array(buffer, length * 8, length);
  const file = new Uint32Array(buffer, length * 12, length);
  for (let n = 1; n < length; n++) {
    offset[n] = (offset[n] ?? 0) + (offset[n - 1] ?? 0);
    line[n] = (line[n] ?? 0) + (line[n - 1] ?? 0);
    file[n] = (file[n] ?? 0) + (file[n - 1] ?? 0);
  }
  return { files: row.files, file, line, offset };
}
