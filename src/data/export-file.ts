/** Writes the events of a stored stream as an OTLP document. Loaded when the first export is asked for (export.ts). */
import { ensureExists } from '../core/base/assert.ts';
import { parseLossless } from '../core/base/lossless.ts';
import { exportName, exportToParts } from '../core/export/index.ts';
import { readLines } from '../core/formats/lines.ts';
import { type HindcastEvent, parseEvent } from '../core/model/index.ts';

export { exportName };

/** Text is handed to the browser in pieces of about this many characters. */
const pieceLength = 1 << 20;

export async function streamToOtlp(stream: Blob): Promise<Blob> {
  const events: HindcastEvent[] = [];
  for await (const lines of readLines(blobToChunks(stream))) {
    for (const { text } of lines) events.push(lineToEvent(text));
  }
  const source = { count: events.length, line: () => '', at: (at: number) => ensureExists(events[at], 'an event') };
  const pieces: string[] = [];
  let pending: string[] = [];
  let length = 0;
  for (const part of exportToParts(source, 'otlp')) {
    pending.push(part);
    length += part.length;
    if (length < pieceLength) continue;
    pieces.push(pending.join(''));
    pending = [];
    length = 0;
  }
  pieces.push(pending.join(''));
  return new Blob(pieces, { type: 'application/json' });
}

async function* blobToChunks(blob: Blob): AsyncGenerator<Uint8Array> {
  const reader = blob.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Every stored line was an event when it was imported. */
function lineToEvent(line: string): HindcastEvent {
  const value = parseLossless(line);
  const event = value.ok ? parseEvent(value.value) : undefined;
  return ensureExists(event?.ok === true ? event.value : undefined, 'an event in a stored line');
}
