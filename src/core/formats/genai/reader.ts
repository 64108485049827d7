/** What a telemetry format is: how it is recognised, and how its files are read to records. */
import type { Sniff, SourceFile } from '../format.ts';
import type { Entry } from './record.ts';

export interface TelemetryReader {
  readonly id: string;
  readonly label: string;
  readonly detect: (sniff: Sniff) => number;
  /** The records of a file, in batches; `count` is told of bytes as they come. The same each time it is called. */
  readonly entries: (file: SourceFile, count: (bytes: number) => void) => AsyncGenerator<readonly Entry[]>;
}
