/** The recorder by itself: digests, torn lines, restarts, effects nobody knows of, and programs that look past `ctx`. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JsonValue, plainToRecorded } from '../core/base/json.ts';
import { type HindcastEvent, digest, parseEvent } from '../core/model/index.ts';
import { type ReplayReport, runReplay } from '../core/replay/index.ts';
import { loadSandbox } from '../platform/sandbox/node.ts';
import { type Json, digestOf } from './canonical.ts';
import { type Clock, type Handlers, type RecordedRun, type RecorderOptions, recordRun } from './index.ts';

let folder: string;
let files = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hindcast-recorder-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function newFile(): string {
  return join(folder, `${String(files++)}.hindcast.jsonl`);
}

/** A clock that jumps to where somebody waits for. */
function createJumpingClock(start = 1_000): Clock & { at: number } {
  return {
    at: start,
    now() {
      return this.at;
    },
    wait(ms) {
      this.at += ms;
      return Promise.resolve();
    },
  };
}

function recorded(
  file: string,
  body: string,
  handlers: Handlers = {},
  rest: Partial<RecorderOptions> = {},
): Promise<RecordedRun> {
  return recordRun({
    file,
    program: { name: 'test', version: '1', source: `async function main(ctx, input) {\n${body}\n}` },
    input: {},
    handlers,
    flush: 'none',
    clock: createJumpingClock(),
    ...rest,
  });
}

function readEvents(file: string): readonly HindcastEvent[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    // Cast: JSON text yields exactly this type.
    const parsed = parseEvent(JSON.parse(line) as JsonValue);
    if (!parsed.ok) throw new Error(`${parsed.error.message}: ${line}`);
    return parsed.value;
  });
}

async function replayFile(file: string): Promise<ReplayReport> {
  const request = { events: readEvents(file), sandbox: await loadSandbox(), author: { actor: { id: 'ada' }, at: '' } };
  const report = await runReplay(request);
  if (!report.ok) throw new Error(report.error);
  return report.value;
}

/** The file as it was when the process died before the first event that meets `isLost`; half of that line is left. */
function dieBefore(file: string, isLost: (line: string) => boolean): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const at = lines.findIndex(isLost);
  if (at < 0) throw new Error('nothing is lost');
  const died = newFile();
  writeFileSync(died, `${lines.slice(0, at).join('\n')}\n${(lines[at] ?? '').slice(0, 40)}`);
  return died;
}

describe('digests', () => {
  it('are those of the reader for every JSON value', () => {
    const long = fc.string({ minLength: 900, maxLength: 1300, unit: 'grapheme' });
    const value = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>(null, true, 0, -0, 1e21, 0.1, '', 'é', '\ud800'),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        long,
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'é', '$num', '$esc', '$dup'), tie('any'), { maxKeys: 3 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (drawn) => {
        // Cast: JSON text yields exactly this type.
        const json = JSON.parse(JSON.stringify(drawn)) as Json & JsonValue;
        expect(digestOf(json)).toBe(digest(plainToRecorded(json)));
      }),
      { seed: 20240101, numRuns: 300 },
    );
  });
});

const everything = `
  const first = await ctx.model('m', { q: input.q ?? 1 });
  ctx.decide('go', first.n > 0, { alternatives: [true, false], uses: [first] });
  const version = await ctx.state('s', { n: first.n }, { uses: [first] });
  const both = await ctx.all({
    slow: async (c) => { await c.sleep(50); return c.read('r', { from: 'slow' }, { uses: [version] }); },
    fast: (c) => c.child('sub', { x: 1 }, async (d, given) => { await d.step('look', () => d.read('r', given)); return given.x; }),
  });
  let failed = '';
  try { await ctx.write('w', { text: 'hello' }, { by: 'go', key: 'k/1' }); } catch (error) { failed = error.name + error.message + error.data.code + error.stack; }
  const timeout = ctx.sleep(100000, { name: 'timeout' });
  ctx.cancel(timeout);
  try { await timeout; } catch (error) { failed += error.name; }
  const fresh = ctx.patched('new-way');
  ctx.record('artifact.produced', { name: 'a' });
  return { both, failed, fresh, drawn: [ctx.now(), ctx.random()], list: await ctx.each([2, 1], (n) => n, (c, n) => c.read('r', { n })) };
`;

const handlers: Handlers = {
  model: { m: () => ({ n: 2, hidden: undefined }) },
  read: { r: (args) => ({ seen: args }) },
  write: {
    w: () => {
      throw Object.assign(new Error('refused'), { name: 'Refused', data: { code: 7 } });
    },
  },
};

describe('a recorded run', () => {
  it('R36 replays identically in the sandbox, whatever it does', async () => {
    const file = newFile();
    const run = await recorded(file, everything, handlers);
    expect(run).toMatchObject({ kind: 'completed', value: { failed: 'Refusedrefused7Refused: refusedCancelled' } });
    const report = await replayFile(file);
    expect(report.divergences).toEqual([]);
    expect(report.result).toBe('identical');
    expect(report.notes).toMatchObject({ added: 0, missing: 0 });
    // A run that ended is not run again.
    const before = readFileSync(file, 'utf8');
    expect(await recorded(file, everything, {})).toEqual(run);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('R36 goes on from wherever it was cut, over a torn line, and still replays identically', async () => {
    const whole = newFile();
    await recorded(whole, everything, handlers);
    const count = readFileSync(whole, 'utf8').trimEnd().split('\n').length;
    const safe: Handlers = {
      ...handlers,
      write: {
        w: {
          send: () => handlers.write?.['w'] instanceof Function && handlers.write['w']({}, unused),
          lookUp: () => undefined,
        },
      },
    };
    for (let cut = 2; cut < count; cut += 3) {
      let n = 0;
      const file = dieBefore(whole, () => n++ === cut);
      const run = await recorded(file, everything, safe);
      expect(run.kind).toBe('completed');
      const events = readEvents(file);
      expect(events.find((event) => event.type === 'worker.started')?.data).toMatchObject({ torn_bytes: 40 });
      const report = await replayFile(file);
      expect([cut, report.divergences, report.result]).toEqual([cut, [], 'identical']);
      expect([cut, report.notes.added, report.notes.missing]).toEqual([cut, 0, 0]);
      expect(events.filter((event) => event.type === 'artifact.produced')).toHaveLength(1);
    }
  });

  it('rolls over into segments, and goes on in the one that was cut', async () => {
    const body = `
      await ctx.state('n', input.n ?? 0);
      const got = await ctx.read('r', { n: input.n ?? 0 });
      if ((input.n ?? 0) < 2) await ctx.rollover({ n: (input.n ?? 0) + 1 });
      return got;
    `;
    const whole = newFile();
    await recorded(whole, body, handlers);
    expect((await replayFile(whole)).result).toBe('identical');
    const cut = dieBefore(whole, (line) => line.includes('"/seg:1/read:r#0"') && line.includes('completed'));
    expect(await recorded(cut, body, handlers)).toMatchObject({ value: { seen: { n: 2 } } });
    expect(readEvents(cut).filter((event) => event.type === 'run.started')).toHaveLength(3);
    const versions = readEvents(cut).flatMap((event) => (event.type === 'state.transitioned' ? [event.data.to] : []));
    expect(versions).toEqual([1, 2, 3]);
    expect((await replayFile(cut)).result).toBe('identical');
  });

  it('a timer that was running when the process died fires when it was due', async () => {
    const whole = newFile();
    await recorded(whole, `await ctx.sleep(5000); return ctx.now();`);
    const file = dieBefore(whole, (line) => line.includes('timer.fired'));
    const clock = createJumpingClock(4_000);
    expect(await recorded(file, `await ctx.sleep(5000); return ctx.now();`, {}, { clock })).toMatchObject({
      value: 6_000,
    });
  });
});

describe('after a crash', () => {
  const send = `return await ctx.write('w', { to: 'ada' }, input.key ? { idempotencyKey: 'k' } : {});`;
  const attempts = (file: string): readonly unknown[] =>
    readEvents(file).flatMap((event) => (event.type === 'tool_call.dispatched' ? [event.command?.attempt] : []));

  it('R30 an effect of which nothing is known is not sent again: the run stops and says what to give it', async () => {
    const whole = newFile();
    await recorded(whole, send, { write: { w: () => 'sent' } });
    const file = dieBefore(whole, (line) => line.includes('tool_call.completed'));
    let sent = 0;
    const again = recorded(file, send, { write: { w: () => ++sent } });
    await expect(again).rejects.toThrow('/write:w#0 was sent by an earlier life and no answer is on record');
    expect(sent).toBe(0);
    expect((await replayFile(file)).uncertain).toMatchObject([{ path: '/write:w#0' }]);
    // Looked up, it is there, and the run goes on.
    const found: Handlers = { write: { w: { send: () => ++sent, lookUp: () => ({ value: 'found' }) } } };
    expect(await recorded(file, send, found)).toMatchObject({ value: 'found' });
    expect([sent, attempts(file)]).toEqual([0, [1]]);
    expect((await replayFile(file)).result).toBe('identical');
  });

  it('one with an idempotency key is sent again under the same key, as a second attempt of the same command', async () => {
    const whole = newFile();
    await recorded(whole, send, { write: { w: () => 'sent' } }, { input: { key: true } });
    const file = dieBefore(whole, (line) => line.includes('tool_call.completed'));
    const keys: unknown[] = [];
    const again: Handlers = { write: { w: (_, { idempotencyKey, attempt }) => keys.push(idempotencyKey, attempt) } };
    expect(await recorded(file, send, again, { input: { key: true } })).toMatchObject({ kind: 'completed' });
    expect([keys, attempts(file)]).toEqual([
      ['k', 2],
      [1, 2],
    ]);
    expect((await replayFile(file)).result).toBe('identical');
  });

  it('another text of the program, and a file that is damaged before its end, are refused with a sentence', async () => {
    const whole = newFile();
    await recorded(whole, `await ctx.read('r', {}); return 1;`, handlers);
    const file = dieBefore(whole, (line) => line.includes('run.completed'));
    await expect(recorded(file, 'return 2;')).rejects.toThrow('holds a run of another text of the program');
    appendFileSync(file, 'no json\n{}\n');
    await expect(recorded(file, 'return 2;')).rejects.toThrow(/, line \d+ is not an event/);
  });
});

describe('a program that looks past ctx', () => {
  const drawing = `const n = Math.floor(Math.random() * 1e9); return await ctx.read('r', { n });`;

  it('R51 is named on replay: the draw it made and the first command that differs', async () => {
    const file = newFile();
    await recorded(file, drawing, handlers);
    const report = await replayFile(file);
    expect(report.result).not.toBe('identical');
    expect(report.divergences[0]).toMatchObject({ kind: 'args', path: '/read:r#0' });
    expect(report.flags.derivedDraws).toEqual(['/random#0']);
    expect(report.cause).toBeDefined();
  });

  it('is refused when it goes on after a crash', async () => {
    const whole = newFile();
    await recorded(whole, drawing, handlers);
    const file = dieBefore(whole, (line) => line.includes('tool_call.completed'));
    await expect(recorded(file, drawing, handlers)).rejects.toThrow('It depends on something that is not recorded');
  });

  it('waiting for something else than a command is a sentence, not a hang', async () => {
    await expect(recorded(newFile(), `await new Promise(() => {});`)).rejects.toThrow('nothing recorded can wake it');
    const twice = `await ctx.read('r', {}, { key: 1 }); return ctx.read('r', {}, { key: 1 });`;
    expect(await recorded(newFile(), twice, handlers)).toMatchObject({ kind: 'failed' });
  });
});

const unused = {
  path: '',
  attempt: 1,
  idempotencyKey: undefined,
  signal: new AbortController().signal,
  about: () => undefined,
};
