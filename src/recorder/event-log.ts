/**
 * The file of one recorder: lines appended, synced by policy, repaired after a crash.
 *
 * Invariant: with the policy `fsync` an event is on the disk when `append` returns. With `batch` it is handed to the system then, and on the
 * disk before an effect is sent and before the run ends; `none` leaves that to the system. Bytes behind the last newline are the half line
 * of a writer that was killed: they are cut off and counted. One file has one writer at a time.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Json, JsonRecord } from './canonical.ts';

export type FlushPolicy = 'fsync' | 'batch' | 'none';

export interface EventDraft {
  readonly type: string;
  readonly data: JsonRecord;
  readonly causes?: readonly JsonRecord[];
  readonly command?: JsonRecord;
  readonly step?: string;
  readonly agent?: string;
  readonly source?: JsonRecord;
}

export interface LogIdentity {
  readonly file: string;
  readonly run: string;
  readonly component: string;
  readonly incarnation: number;
  readonly flush: FlushPolicy;
}

export interface EventLog {
  /** Gives the id of the event. */
  append(draft: EventDraft): string;
  /** What was appended is on the disk when it returns, unless the policy is `none`. */
  sync(): void;
  close(): void;
}

export function createEventLog({ file, run, component, incarnation, flush }: LogIdentity): EventLog {
  const isNew = !existsSync(file);
  const descriptor = openSync(file, 'a');
  if (isNew && flush !== 'none') syncFolder(dirname(file));
  let seq = 0;
  const durable = { status: flush === 'fsync' ? 'durable' : 'flushed', where: file.split(/[\\/]/).at(-1) ?? file };
  return {
    append({ type, data, source, ...rest }) {
      const id = `${component}-${String(incarnation)}:${String(seq)}`;
      const event = {
        v: 1,
        id,
        type,
        run,
        branch: 'main',
        seq,
        time: new Date().toISOString(),
        source: { component, incarnation, pid: process.pid, ...source },
        ...rest,
        durable,
        data,
      };
      writeSync(descriptor, `${JSON.stringify(event)}\n`);
      if (flush === 'fsync') fsyncSync(descriptor);
      seq++;
      return id;
    },
    sync() {
      if (flush === 'batch') fsyncSync(descriptor);
    },
    close() {
      closeSync(descriptor);
    },
  };
}

/** The name of a new file is durable when its folder is; some systems cannot open one. */
function syncFolder(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['EISDIR', 'EPERM', 'EACCES', 'EINVAL'].includes(String(error.code))
  );
}

export interface WrittenLog {
  readonly events: readonly JsonRecord[];
  /** Bytes of a half line that were cut off. */
  readonly torn: number;
}

/** Reads what earlier lives wrote and cuts off a half line. A whole line that is no JSON is damage nobody can repair: it is named. */
export function repairLog(file: string): WrittenLog {
  if (!existsSync(file)) return { events: [], torn: 0 };
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(10) + 1;
  const torn = bytes.length - end;
  if (torn > 0) truncateSync(file, end);
  const lines = bytes.subarray(0, end).toString('utf8').split('\n');
  const events = lines
    .filter((line) => line !== '')
    .map((line, n) => lineToEvent(line, `${file}, line ${String(n + 1)}`));
  return { events, torn };
}

function lineToEvent(line: string, place: string): JsonRecord {
  try {
    // Cast: JSON text yields exactly this type.
    const value = JSON.parse(line) as Json;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonRecord;
  } catch {
    // Told below, with its place.
  }
  throw new Error(`${place} is not an event: the file is damaged before its end. Move it away to record anew.`);
}
