import { describe, expect, it } from 'vitest';
import { importFiles, listTraces } from '../../core/formats/import.ts';
import { blobToSource } from './blob-source.ts';

describe('a file of the disk', () => {
  it('that was removed after it was chosen is named with the cause, and is no defect', async () => {
    const blob = new Blob(['{"v":1}\n']);
    const gone = new DOMException('A requested file could not be found.', 'NotFoundError');
    const stream = () =>
      new ReadableStream({
        pull: (controller) => {
          controller.error(gone);
        },
      });
    Object.defineProperty(blob, 'stream', { value: stream });
    const failure = {
      ok: false,
      error: {
        code: 'not-readable',
        message:
          'run.jsonl cannot be read: it was removed, changed or locked after it was chosen (NotFoundError: A requested file could not be found). Choose it again.',
      },
    };
    expect(await listTraces([blobToSource('run.jsonl', blob)])).toEqual(failure);
    expect(await importFiles([blobToSource('run.jsonl', blob)]).next()).toEqual({ done: true, value: failure });
  });

  it('is read one piece ahead of what is looked at, and no further; who stops early ends it', async () => {
    const blob = new Blob(['x']);
    const log: string[] = [];
    const stream = () =>
      new ReadableStream<Uint8Array>(
        {
          pull: (controller) => {
            log.push('read');
            controller.enqueue(new Uint8Array(3));
          },
          cancel: () => void log.push('ended'),
        },
        { highWaterMark: 0 },
      );
    Object.defineProperty(blob, 'stream', { value: stream });
    for await (const piece of blobToSource('run.jsonl', blob).open()) {
      log.push(`took ${piece.length}`);
      await new Promise((resolve) => setImmediate(resolve));
      if (log.length > 4) break;
    }
    expect(log).toEqual(['read', 'read', 'took 3', 'read', 'took 3', 'ended']);
  });
});
