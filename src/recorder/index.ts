/** The recorder: makes a Node agent write its run as a replayable stream. See README.md. */
export { recordRun } from './recorder.ts';
export type { Clock, RecordedRun, RecorderOptions } from './options.ts';
export type { CommandOptions, Context } from './context.ts';
export type { FlushPolicy } from './event-log.ts';
export type { Handler, HandlerInfo, Handlers, WriteHandler } from './handlers.ts';
