/**
 * What the import worker offers: files in, a trace in the library out, or nothing at all.
 */
import type { Result } from '../../core/base/result.ts';
import type { FoundFormat } from '../../core/formats/import.ts';
import type { UnusableInput } from '../../core/formats/format.ts';
import type { StorageFailure, TraceId, TraceRecord } from '../storage/index.ts';

/** A file as the page got it: dropped, picked, pasted or fetched. `path` is the path inside what was opened, with `/`. */
export interface OpenedFile {
  readonly path: string;
  readonly blob: Blob;
}

export interface ImportRequest {
  readonly files: readonly OpenedFile[];
  /** The name shown in the library; by default made from the files. */
  readonly name?: string | undefined;
  readonly origin: TraceRecord['origin'];
  /** Read records of a newer version as far as they are understood. */
  readonly acceptFuture?: boolean | undefined;
  /** Go on with an archive that unpacks to far more than its size. */
  readonly acceptLarge?: boolean | undefined;
  /**
   * What the person chose where the files hold several formats or traces: one trace by its key, or without a key all of a format as
   * one. Without a choice such files are not imported: the failure says what there is.
   */
  readonly choice?: ImportChosen | undefined;
}

interface ImportChosen {
  readonly format: string;
  readonly trace?: string | undefined;
  /** It is a trial of a harness. */
  readonly isTrial?: true | undefined;
}

/** An event already read, for the first look before the import ends. */
export interface EarlyRow {
  readonly id: string;
  readonly type: string;
  readonly agent?: string | undefined;
  readonly time?: string | undefined;
}

export interface ImportProgress {
  /** `looking`: what there is to choose from is found before anything is read; the bytes are then those looked at. */
  readonly phase: 'looking' | 'reading' | 'indexing' | 'storing';
  /** Bytes read of the input, and its size where known; packed or unpacked alike on both. */
  readonly bytesRead: number;
  readonly bytesTotal?: number | undefined;
  /** Bytes a second since reading began, and seconds left at that rate. */
  readonly rate?: number | undefined;
  readonly secondsLeft?: number | undefined;
  readonly events: number;
  readonly problems: number;
  /** The first events; sent once, with the first batch. */
  readonly firstRows?: readonly EarlyRow[] | undefined;
}

/** Nothing is wrong: there is more than one trace, and a person has to say which are wanted. */
export interface ImportChoice {
  readonly code: 'choice';
  readonly message: string;
  readonly formats: readonly FoundFormat[];
}

export type ImportFailure =
  ImportChoice | UnusableInput | StorageFailure | { readonly code: 'cancelled' | 'defect'; readonly message: string };

export interface ImportOutcome {
  readonly trace: TraceId;
  readonly name: string;
  /** True when the same content was in the library before: nothing was added. */
  readonly alreadyThere: boolean;
  readonly events: number;
  readonly problems: number;
}

export interface ImportMethods {
  readonly import: {
    readonly args: readonly [request: ImportRequest];
    readonly value: Result<ImportOutcome, ImportFailure>;
    readonly progress: ImportProgress;
  };
}
