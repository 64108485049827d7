import { gzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { drawTrace } from '../model/testing/trace.ts';
import { eventToLine } from '../model/index.ts';
import { listTraces } from './import.ts';
import { bytesToSource, openFiles, textToSource } from './testing/opening.ts';

const { lines } = drawTrace(`
  worker:
    one  step.started  {"name":"first"}
    two  step.completed  <- one  {"name":"first"}
`);
const [line = ''] = lines;
const looked = 'Open the file that the agent or its tracer wrote.';

async function messageOf(name: string, content: string | Uint8Array): Promise<string | undefined> {
  const source = typeof content === 'string' ? textToSource(name, content) : bytesToSource(name, content);
  return (await openFiles([source])).error?.message;
}

describe('what bad input gets: one clear sentence', () => {
  it('an empty file, white space, and no file at all', async () => {
    expect(await messageOf('a.jsonl', '')).toBe('a.jsonl is empty: there is nothing to read.');
    expect(await messageOf('a.jsonl', ' \n\n')).toBe(`a.jsonl holds only white space. ${looked}`);
    expect((await openFiles([])).error?.message).toBe('There is no file to open: the folder is empty.');
    const two = await openFiles([textToSource('a', ''), textToSource('b', '')]);
    expect(two.error?.message).toBe('All 2 files are empty: there is nothing to read.');
  });

  it('null, a number, a text, an object or a list of another kind', async () => {
    expect(await messageOf('a.jsonl', 'null')).toBe(`a.jsonl holds only the JSON value null, not records. ${looked}`);
    expect(await messageOf('a.jsonl', '42\n')).toBe(`a.jsonl holds only one JSON number, not records. ${looked}`);
    expect(await messageOf('a.jsonl', '"x"')).toBe(`a.jsonl holds only one JSON string, not records. ${looked}`);
    expect(await messageOf('a.json', '{"spans":[],"id":1}')).toBe(
      `a.json holds a JSON object of no known kind (its keys: spans, id). ${looked}`,
    );
    expect(await messageOf('a.json', '{"spans":[],"id":1,"id":2}')).toContain('(its keys: spans, id)');
    expect(await messageOf('a.json', '[{"a":1}]')).toBe(`a.json holds a JSON list of no known kind. ${looked}`);
  });

  it('of which none advises what only one of page and command line has', async () => {
    const { error } = await openFiles([textToSource('null.json', 'null')]);
    expect(error).toMatchObject({ code: 'unknown-format' });
    expect(error?.message).not.toMatch(/README|hindcast /);
  });

  it('text, garbage and binary data', async () => {
    expect(await messageOf('a.jsonl', 'Dear diary,\ntoday')).toBe(`a.jsonl is text that is not JSON. ${looked}`);
    expect(await messageOf('a.jsonl', '{"half": 1}\n{"half')).toBe(`a.jsonl holds JSON of no known kind. ${looked}`);
    const noise = Uint8Array.from({ length: 5000 }, (_, n) => (n * 7919) % 251);
    expect(await messageOf('a.jsonl', noise)).toBe(`a.jsonl is binary data, not JSON text. ${looked}`);
    expect(await messageOf('trace.zip', Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 0, 0))).toBe(
      'trace.zip is a zip archive that is cut off before the end of its first file. Fetch the file again.',
    );
    expect(await messageOf('a.jsonl', 'null\n5\n')).toBe(
      `a.jsonl holds only single JSON values, not records. ${looked}`,
    );
  });

  it('a cancelling: whatever the format was about to do with the rest', async () => {
    const document = `[{"trajectory":[],"info":{}},\n${'[1],\n'.repeat(20)}1]`;
    for (const text of [`${line}\n`, document]) {
      const source = textToSource('a.json', text, 10);
      let steps = 0;
      const signal = { aborted: false };
      const onStep = (): undefined => void (signal.aborted = ++steps > 3);
      expect((await openFiles([source], { signal, onStep })).error?.code).toBe('cancelled');
      expect(await listTraces([source], { signal })).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    }
  });

  it('lists traces of one title apart, by the beginning of their keys', async () => {
    const span = (trace: string, name: string): object => ({
      traceId: trace.repeat(32),
      spanId: trace.repeat(16),
      name,
      startTimeUnixNano: '1',
      endTimeUnixNano: '2',
    });
    const spans = [span('a', 'POST /'), span('b', 'POST /'), span('c', 'GET /')];
    const text = JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans: [{ scope: {}, spans }] }] });
    const found = await listTraces([textToSource('traces.json', text)]);
    expect(found.ok ? found.value[0]?.traces.map(({ title }) => title) : found.error).toEqual([
      'POST / (aaaaaaaaaaaa)',
      'POST / (bbbbbbbbbbbb)',
      'GET /',
    ]);
  });

  it('files of two formats at once, until one is chosen', async () => {
    const session =
      '{"type":"user","sessionId":"s","parentUuid":null,"uuid":"u","message":{"role":"user","content":"hi"}}\n';
    const files = [textToSource('a', `${line}\n`), textToSource('b', session), textToSource('c', session)];
    const { error } = await openFiles(files);
    expect(error?.message).toBe(
      'These files are of different formats: a is Hindcast stream (one event a line) (hindcast); b and 1 more are Claude Code session (JSON lines, with its subagents folder) (claude-code). Open each format as a trace of its own.',
    );
    const found = await listTraces(files);
    expect(found.ok ? found.value : found.error).toMatchObject([
      { id: 'hindcast', files: ['a'] },
      { id: 'claude-code', files: ['b', 'c'] },
    ]);
    const own = await openFiles(files, { format: 'hindcast' });
    expect(own.events).toHaveLength(1);
    expect(own.problems.map(({ message, severity }) => [message, severity])).toEqual([
      [
        '2 files are of another format, Claude Code session (JSON lines, with its subagents folder), and no part of this trace.',
        'notice',
      ],
    ]);
    expect((await openFiles(files, { format: 'zipkin' })).error?.code).toBe('format-not-there');
  });

  it('files of a folder that are no traces: one problem each, however many lines they have', async () => {
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 10, 10, 10);
    const noise = Uint8Array.from({ length: 5000 }, (_, n) => (n * 7919) % 251);
    const { counts, problems } = await openFiles([
      textToSource('run/trace', lines.join('\n')),
      bytesToSource('run/graph.png', png),
      bytesToSource('run/core', noise),
      textToSource('run/notes.txt', 'Dear diary,\ntoday\nand tomorrow'),
      textToSource('run/package.json', '{\n  "name": "x",\n  "version": "1"\n}'),
      textToSource('run/empty', ''),
    ]);
    expect(counts).toEqual({ input: 6, mapped: 2, merged: 0, problems: 4 });
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['not-a-trace', 'run/graph.png cannot be opened as it is. It is a PNG picture, not a trace.'],
      ['not-a-trace', 'run/core is not a trace: it is binary data, not JSON text. It was passed over.'],
      ['not-a-trace', 'run/notes.txt is not a trace: it is text that is not JSON. It was passed over.'],
      [
        'not-a-trace',
        'run/package.json is not a trace: it holds a JSON object of no known kind (its keys: name, version). It was passed over.',
      ],
      ['empty-file', 'run/empty is empty: there is nothing in it to read.'],
    ]);
  });

  it('an archive that holds nothing, or nothing known', async () => {
    expect(await messageOf('a.gz', gzipSync(new Uint8Array(0)))).toBe('a.gz is empty: there is nothing to read.');
    expect(await messageOf('a.gz', gzipSync(new TextEncoder().encode('null')))).toMatch(/JSON value null/);
  });
});

describe('R67 archives that are larger than what a look at the beginning reads', () => {
  const long = Array.from({ length: 3000 }, (_, n) =>
    line.replace('"one"', `"n${n}"`).replace('first', `first ${n * 7919}`),
  );
  const packed = gzipSync(new TextEncoder().encode(`${long.join('\n')}\n`), { level: 1 });
  const flipped = packed.slice();
  flipped[packed.length - 6] = (packed[packed.length - 6] ?? 0) ^ 255;

  it('tells a wrong checksum at the end, once', async () => {
    const { events, problems } = await openFiles([bytesToSource('a.gz', flipped, 4096)]);
    expect(events).toHaveLength(3000);
    expect(problems.map(({ code, severity }) => [code, severity])).toEqual([['archive-damaged', 'problem']]);
    expect((await openFiles([bytesToSource('a.gz', packed, 4096)])).problems).toEqual([]);
  });

  it('tells that it is cut, also where a zip holds it', async () => {
    const cut = packed.subarray(0, packed.length - 2000);
    const whole = zipSync({ 'b.gz': [cut, { level: 0 }] });
    for (const bytes of [cut, whole]) {
      const { problems } = await openFiles([bytesToSource('a', bytes, 4096)]);
      expect(problems.filter(({ code }) => code === 'archive-truncated')).toHaveLength(1);
    }
  });

  it('tells a wrong checksum of a member of a zip', async () => {
    const bytes = zipSync({ 'b.jsonl': [new TextEncoder().encode(`${long.join('\n')}\n`), { level: 1 }] });
    const view = new DataView(bytes.buffer);
    for (let at = 0; at + 46 < bytes.length; at++)
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 16, 1, true);
    const { problems } = await openFiles([bytesToSource('a.zip', bytes, 4096)]);
    expect(problems.map(({ code }) => code)).toEqual(['archive-damaged']);
  });
});

describe('what odd input does not lose', () => {
  it('opens under a wrong name, packed or in UTF-16 with CRLF', async () => {
    const text = `${lines.join('\r\n')}\r\n`;
    const utf16 = new Uint8Array(text.length * 2 + 2);
    const view = new DataView(utf16.buffer);
    const marked = `\ufeff${text}`;
    for (let i = 0; i < marked.length; i++) view.setUint16(i * 2, marked.charCodeAt(i), true);
    for (const bytes of [
      new TextEncoder().encode(text),
      gzipSync(new TextEncoder().encode(`\ufeff${text}`)),
      utf16,
      gzipSync(utf16),
    ]) {
      const { events, problems } = await openFiles([bytesToSource('holiday.png', bytes, 50)]);
      expect(events.map((event) => event.line)).toEqual(lines);
      expect(problems.filter(({ severity }) => severity === 'problem')).toEqual([]);
    }
  });

  it('lines of garbage in the middle and at the beginning', async () => {
    const { events, counts } = await openFiles([
      textToSource('a', `### log\n${lines[0]}\n\u0000\u0000\n<html>\n${lines[1]}`),
    ]);
    expect(events.map((event) => event.line)).toEqual(lines);
    expect(counts).toEqual({ input: 5, mapped: 2, merged: 0, problems: 3 });
  });

  it('numbers beyond 2^53, lone surrogates, repeated and prototype keys', async () => {
    const data =
      '{"big":12345678901234567890,"exact":0.1000000000000000055511151231257827,"bad":NaN,"lone":"\\ud800","twice":1,"twice":2,"__proto__":{"polluted":true},"constructor":{"prototype":1}}';
    const odd = line.replace(/"data":\{.*\}\}$/, `"data":${data}}`);
    const { events } = await openFiles([textToSource('a', `${odd}\n`)]);
    expect(events[0]?.line).toBe(odd);
    const again = await openFiles([
      textToSource('b', `${events[0] === undefined ? '' : eventToLine(events[0].event)}\n`),
    ]);
    expect(again.events[0]?.event).toEqual(events[0]?.event);
    expect(events[0] === undefined ? '' : eventToLine(events[0].event)).toContain(`"data":${data}`);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('what is read otherwise than it is written: the first records by their lines, the others counted', async () => {
    const remarks = async (data: string, count: number) => {
      const odd = (n: number): string =>
        line.replace('"one"', `"e${String(n)}"`).replace(/"data":\{.*\}\}$/, `"data":${data}}`);
      const text = Array.from({ length: count }, (_, n) => `${odd(n)}\n`).join('');
      const { problems, counts } = await openFiles([textToSource('a', text)]);
      expect(counts).toEqual({ input: count, mapped: count, merged: 0, problems: 0 });
      return problems.filter(({ code }) => code === 'inexact-number' || code === 'repeated-member');
    };
    const long = '{"n":9007199254740993123}';
    const told = await remarks(long, 100);
    expect(told.map(({ place, severity }) => [place?.line, severity])).toEqual(
      Array.from({ length: 100 }, (_, n) => [n + 1, 'notice']),
    );
    expect((await remarks(long, 101)).slice(100).map(({ message }) => message)).toEqual([
      'a: 1 more record has numbers that programs read otherwise than they are written. All are kept as written. The last is in line 101.',
    ]);
    expect((await remarks('{"n":1,"n":2}', 5000)).slice(100).map(({ message }) => message)).toEqual([
      'a: 4900 more records have members that stand more than once in their object. All are kept as written. The last is in line 5000.',
    ]);
  });

  it('one line of 64 MB', { timeout: 120_000 }, async () => {
    const long = line.replace('"first"', `"${'x'.repeat(64 * 2 ** 20)}"`);
    const { events, counts } = await openFiles([textToSource('a', `${long}\n${lines[1]}\n`, 256 * 1024)]);
    expect(counts).toEqual({ input: 2, mapped: 2, merged: 0, problems: 0 });
    expect(events[0]?.line.length).toBe(long.length);
  });

  it('a chain of 200,000 events and a fan-out of 100,000', { timeout: 240_000 }, async () => {
    const chain = 200_000;
    const event = (id: string, cause: string): string =>
      line.replace('"one"', `"${id}"`).replace(/\}$/, `,"causes":["${cause}"]}`);
    const parts: string[] = [];
    for (let n = 0; n < chain; n++) parts.push(event(`c${n}`, `c${n - 1}`));
    for (let n = 0; n < chain / 2; n++) parts.push(event(`f${n}`, 'c0'));
    const { counts } = await openFiles([textToSource('a', parts.join('\n'), 1 << 20)]);
    expect(counts).toEqual({ input: 300_000, mapped: 300_000, merged: 0, problems: 0 });
  });

  it('nesting deeper than any writer means', async () => {
    const deep = line.replace('"first"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const { counts, problems } = await openFiles([textToSource('a', `${deep}\n${lines[1]}\n`)]);
    expect(counts).toEqual({ input: 2, mapped: 1, merged: 0, problems: 1 });
    expect(problems[0]?.message).toMatch(/nested deeper than 512 levels/);
  });
});
