/**
 * Where each record stood in what was opened, as columns: about fourteen bytes an event while an import runs, a row a chunk afterwards.
 */
import type { InputPlace } from '../../core/formats/format.ts';
import { lastAtMost, type PlaceColumns } from '../storage/index.ts';

export interface PlaceLog {
  add(place: InputPlace): void;
  /** The columns of what was added since the last time. */
  take(): PlaceColumns;
}

export function createPlaceLog(): PlaceLog {
  const names = new Map<string, number>();
  let file: number[] = [];
  let line: number[] = [];
  let offset: number[] = [];
  return {
    add: (place) => {
      const number = names.get(place.file) ?? names.size;
      names.set(place.file, number);
      file.push(number);
      line.push(place.line ?? 0);
      offset.push(place.offset);
    },
    take: () => {
      const columns = {
        files: [...names.keys()],
        file: Uint32Array.from(file),
        line: Uint32Array.from(line),
        offset: Float64Array.from(offset),
      };
      file = [];
      line = [];
      offset = [];
      return columns;
    },
  };
}

/** Looks a position up over the columns of all chunks, in order. Positions beyond (events of branches) have no place. */
export function createPlaceLookup(columns: readonly PlaceColumns[]): (position: number) => InputPlace | undefined {
  const firsts: number[] = [];
  let count = 0;
  for (const { file } of columns) {
    firsts.push(count);
    count += file.length;
  }
  return (position) => {
    if (position >= count) return undefined;
    const at = lastAtMost(firsts, position);
    const chunk = columns[at];
    const within = position - (firsts[at] ?? 0);
    const name = chunk?.files[chunk.file[within] ?? -1];
    if (chunk === undefined || name === undefined) return undefined;
    const line = chunk.line[within] ?? 0;
    return { file: name, offset: chunk.offset[within] ?? 0, ...(line === 0 ? {} : { line }) };
  };
}
