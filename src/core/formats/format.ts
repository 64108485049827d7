/**
 * What a format is: detection by content, and a streaming import that yields events in batches with an account of every record.
 *
 * The import boundary of the product: foreign data is converted here once. Every input record ends as mapped (it made at least one
 * event), merged (folded into the events of another record) or problem; the three add up to the records read, on every file.
 */
import type { Result } from '../base/result.ts';
import type { EventId, HindcastEvent } from '../model/index.ts';
import type { LoopKind } from './loop/rules.ts';

/** One file of what was opened: already decompressed, not yet split. `name` is the path inside what was opened, with `/`. */
export interface SourceFile {
  readonly name: string;
  /**
   * Bytes as they arrive; may be iterated more than once (detection reads the beginning, the import reads all). Throws `SourceReadError`
   * where the host cannot read.
   */
  readonly open: () => AsyncIterable<Uint8Array>;
  /** Size in bytes of the packed source where known, for progress. */
  readonly size?: number | undefined;
  /** The bytes from `start` up to `end`, for archives, whose directory stands at the end. Only where `size` is known. */
  readonly slice?: ((start: number, end: number) => AsyncIterable<Uint8Array>) | undefined;
}

/** What the host cannot read: an iteration has no other way to say it. The message names the file and the cause, as a sentence. */
export class SourceReadError extends Error {}

/** Thrown by a reading after its signal was aborted, so that it ends at once, whatever its reader was about to do with the rest. */
export class ReadingCancelled extends Error {}

/** Where in the input something stood. `offset` and `length` are bytes of the decompressed file; `line` counts from 1. */
export interface InputPlace {
  readonly file: string;
  readonly line?: number | undefined;
  readonly offset: number;
  readonly length?: number | undefined;
}

export interface Problem {
  /** Stable kebab-case code, documented in the format's README or the causal SPEC. */
  readonly code: string;
  /** One or two sentences: what happened, where, what to do. */
  readonly message: string;
  readonly place?: InputPlace | undefined;
  /** The bytes of a damaged record, so that nothing is lost. */
  readonly raw?: Uint8Array | undefined;
  readonly events?: readonly EventId[] | undefined;
  /** A problem changes the exit code of `check`; a notice (a field never recorded, an assumption made) does not. */
  readonly severity: 'problem' | 'notice';
}

export interface ImportedEvent {
  readonly event: HindcastEvent;
  /** The text to store for it: the line as it was written, or the converted event's line. No newline. */
  readonly line: string;
  readonly place: InputPlace;
}

export interface RecordCounts {
  readonly input: number;
  readonly mapped: number;
  readonly merged: number;
  readonly problems: number;
}

/** A batch of an import. Counts are of this batch; over the whole import input = mapped + merged + problems. */
export interface ImportBatch {
  readonly events: readonly ImportedEvent[];
  readonly problems: readonly Problem[];
  readonly counts: RecordCounts;
  /** Decompressed bytes read so far over all files. */
  readonly bytesRead: number;
}

export interface ImportOptions {
  readonly signal?: AbortSignalLike | undefined;
  /**
   * Told between short parts of the work, also where no batch is ready for long. The reading goes on once what it gives has settled: so
   * the host can hear that the signal was aborted.
   */
  readonly onStep?: (() => Promise<void> | undefined) | undefined;
  /** Read records of a newer version as far as they are understood. */
  readonly acceptFuture?: boolean | undefined;
  /** Read only the files of this format, where what was opened holds several formats. */
  readonly format?: string | undefined;
  /** Read only the trace of this key, where the files hold several (`Format.list`); without it everything becomes one trace. */
  readonly trace?: string | undefined;
  /** Go on where an archive unpacks to more than the guard allows: the person was asked. */
  readonly allowHuge?: boolean | undefined;
}

/** The part of AbortSignal that pure code needs. */
export interface AbortSignalLike {
  readonly aborted: boolean;
}

/** Why what was opened cannot be used at all. */
export interface UnusableInput {
  readonly code: string;
  readonly message: string;
  readonly place?: InputPlace | undefined;
}

/** First bytes of a file, decoded, for detection. Never the name: names lie. */
export interface Sniff {
  readonly text: string;
  readonly bytes: Uint8Array;
  /** True when `text` is the whole file. */
  readonly whole: boolean;
}

/** One of several traces in what was opened. */
export interface TraceEntry {
  /** What `ImportOptions.trace` takes: an id of the records, never a position. */
  readonly key: string;
  readonly title: string;
  /** The first words of what was asked, where the record has them. */
  readonly about?: string | undefined;
  /** What an evaluation said of it: its score, reward, exit status. */
  readonly verdict?: string | undefined;
  /** Input records that belong to it. */
  readonly records: number;
  /** As written in the first record that has a time. */
  readonly startedAt?: string | undefined;
  /** The files that hold it, where not every file does: nobody needs to read the others. */
  readonly files?: readonly string[] | undefined;
  /** A trial of a harness: its records are numbered like those of the others, and cannot be read as one with them. */
  readonly isTrial?: true | undefined;
}

/** `needs its program`: all that control code was given is recorded, and the code is not; `full` says that both are. */
export type ReplayGrade =
  'full' | 'needs its program' | 'nearly' | 'mostly' | 'per call' | 'tool loop only' | 'original code only' | 'none';

export interface Format {
  readonly id: string;
  readonly label: string;
  /** Confidence from 0 (not this format) to 1 (cannot be another). */
  readonly detect: (sniff: Sniff) => number;
  /**
   * Whether a file that `detect` does not know belongs to the trace all the same: a table beside it, an attachment, the output of a
   * tool. Absent: every JSON file does; text and binary files do not and become one problem each. `name` is the path inside what was
   * opened, an archive counting as a folder. Where given, it also wins over a weaker guess of another format about such a file.
   */
  readonly accepts?: ((name: string, sniff: Sniff) => boolean) | undefined;
  /** Logs of an agent loop in the order in which things happened: their events get the commands of that loop (`loop/`). */
  readonly loop?: LoopKind | undefined;
  /** The traces in the files, in order of first appearance. Absent, or one entry: they are one trace. */
  readonly list?: (files: readonly SourceFile[], options: ImportOptions) => Promise<readonly TraceEntry[]>;
  /** Imports all files that belong together as one trace. Stops at `signal`. Throws only programmer errors. */
  readonly read: (
    files: readonly SourceFile[],
    options: ImportOptions,
  ) => AsyncGenerator<ImportBatch, Result<ImportSummary, UnusableInput>>;
}

export interface ImportSummary {
  readonly format: string;
  readonly replayGrade: ReplayGrade;
  /** Fields a full replay would need and this trace lacks. */
  readonly missingForReplay: readonly string[];
}
