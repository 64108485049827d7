import { describe, expect, it } from 'vitest';
import { bytesToSource, listTraces, openFiles, readTrace } from '../testing/opening.ts';

async function said(bytes: readonly number[] | Uint8Array): Promise<string> {
  const { error } = await openFiles([bytesToSource('a.bin', new Uint8Array(bytes))]);
  return error?.message ?? '';
}

function text(words: string): readonly number[] {
  return [...new TextEncoder().encode(words)];
}

function nested(words: string): readonly number[] {
  let bytes: readonly number[] = text(words);
  for (let depth = 0; depth < 4; depth++) bytes = [0x0a, bytes.length, ...bytes];
  return [...bytes, ...new Array<number>(80).fill(0)];
}

describe('binary files (R5)', () => {
  const event = [8, 1, 0x12, 3, 8, 1, 0x10, 0x18, 1, ...new Array<number>(80).fill(0)];

  it('says what they are and how to get what can be read', async () => {
    expect(await said([0x0a, event.length, ...event])).toContain(
      'temporal workflow show --workflow-id ID --output json',
    );
    expect(await said(nested('service.name'))).toContain('OTLP in binary form');
    const prefix = [0, 0, 0, 120];
    expect(await said([...prefix, ...nested('service.name')])).toContain('OTLP in binary form');
    const packed = [0x28, 0xb5, 0x2f, 0xfd, ...new Array<number>(80).fill(0)];
    expect(await said([...prefix, ...packed])).toContain('Write it without compression');
    const tar = new Uint8Array(600);
    tar.set(text('ustar'), 257);
    expect(await said(tar)).toContain('It is a tar archive.');
  });

  it('takes nothing else for them', async () => {
    expect(await said(nested('no attribute'))).toContain('is binary data');
    expect(await said([0x0a, event.length, 8, 0, ...event.slice(2)])).toContain('is binary data');
    expect(await said(text('{"a": "ustar"}'))).toContain('JSON object');
  });

  it.each(listTraces('temporal').filter((name) => name.endsWith('.bin')))('%s is told', async (name) => {
    expect(await said(readTrace(name))).toContain('history of a Temporal workflow in binary form');
  });
});
