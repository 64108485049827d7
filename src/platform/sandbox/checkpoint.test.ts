/**
 * A session goes on from a copy of another one's memory as that one would have: same acts, same memory byte by byte.
 */
import { describe, expect, it } from 'vitest';
import {
  type IssuedCommand,
  type PrintedLine,
  type SandboxHost,
  type SandboxOptions,
  type SandboxSession,
  defaultSandboxLimits,
} from '../../core/replay/sandbox-port.ts';
import { copyMemory, restoreMemory } from './checkpoint.ts';
import { loadSandbox } from './node.ts';
import { drive, ok } from './testing.ts';

const program = `async function main(ctx, input) {
  const seen = new Map();
  const log = [];
  for (let n = 0; n < 40; n++) {
    const one = await ctx.read('x', { n, draw: ctx.random(), last: log.at(-1) ?? null });
    seen.set(one, { text: 'x'.repeat(n * 50) });
    log.push(one);
    console.log('step', n, { size: seen.size });
  }
  return log;
}`;

interface Watched {
  readonly options: SandboxOptions;
  readonly acts: string[];
  last: number;
}

function watch(text: string): Watched {
  const acts: string[] = [];
  const watched: Watched = { acts, last: -1, options: undefined as never };
  const host: SandboxHost = {
    issued: (command: IssuedCommand) => {
      watched.last = command.id;
      acts.push(JSON.stringify(command));
    },
    spawned: () => 'run',
    joined: (_id, outcome) => outcome,
    cancelRequested: () => undefined,
    decided: () => undefined,
    transitioned: () => 1,
    patchAsked: () => false,
    drawn: () => undefined,
    noted: () => undefined,
    pureComputed: () => undefined,
    printed: (line: PrintedLine) => acts.push(JSON.stringify(line)),
  };
  const options = {
    program: text,
    seed: '7'.repeat(32),
    startVt: 1000,
    draws: 'derived',
    limits: defaultSandboxLimits,
    host,
  } as const;
  return Object.assign(watched, { options });
}

function deliverNext(session: SandboxSession, watched: Watched, n: number): void {
  session.deliver(watched.last, ok({ answer: n }), 1000 + n);
}

describe('checkpoints', () => {
  it.each([0, 1, 7, 23, 39])('R36 from a checkpoint after %i deliveries everything goes on alike', async (from) => {
    const sandbox = await loadSandbox();
    const first = watch(program);
    const session = await sandbox.createSession(first.options);
    session.start({});
    for (let n = 0; n < from; n++) deliverNext(session, first, n);
    const taken = session.checkpoint();
    const passed = first.acts.length;
    const usage = session.usage();

    const second = watch(program);
    const resumed = await sandbox.resume(second.options, taken);
    second.last = first.last;
    expect(resumed.usage()).toEqual(usage);
    expect(resumed.openCommands()).toEqual(session.openCommands());
    expect(resumed.checkpoint().digest()).toBe(taken.digest());
    for (let n = from; n < 39; n++) {
      deliverNext(session, first, n);
      deliverNext(resumed, second, n);
    }
    expect(second.acts).toEqual(first.acts.slice(passed));
    expect(resumed.checkpoint().digest()).toBe(session.checkpoint().digest());
    const end = [session, resumed].map((one) => one.deliver(first.last, ok('end'), 2000));
    expect(end[0]?.settled?.kind).toBe('ok');
    expect(end[1]).toEqual(end[0]);
    expect(resumed.usage()).toEqual(session.usage());
    for (const one of [session, resumed]) one.dispose();
  });

  it('R36 memory that grew is there again, and what did not change is shared', async () => {
    const sandbox = await loadSandbox();
    const growing = `async function main(ctx) {
      const kept = [];
      for (let n = 0; n < 4; n++) { kept.push(new Uint8Array(8 * 1024 * 1024).fill(n + 1)); await ctx.read('x', { n }); }
      return kept.reduce((sum, part) => sum + part[part.length - 1], 0);
    }`;
    const first = watch(growing);
    const session = await sandbox.createSession(first.options);
    session.start({});
    deliverNext(session, first, 0);
    deliverNext(session, first, 1);
    const taken = session.checkpoint();
    const again = session.checkpoint(taken);
    expect([again.bytes, again.digest()]).toEqual([0, taken.digest()]);
    const second = watch(growing);
    const resumed = await sandbox.resume(second.options, taken);
    second.last = first.last;
    deliverNext(resumed, second, 2);
    const end = resumed.deliver(second.last, ok(null), 1010);
    expect(end.settled).toEqual({ kind: 'ok', value: 10 });
  });

  it('restoring clears what the copy does not have', () => {
    const memory = new WebAssembly.Memory({ initial: 2 });
    const bytes = new Uint8Array(memory.buffer);
    bytes[5] = 1;
    const copy = copyMemory(memory, undefined);
    bytes[5] = 2;
    bytes[70_000] = 3;
    restoreMemory(memory, copy);
    expect([bytes[5], bytes[70_000], copy.ownBytes, copy.pages]).toEqual([1, 0, 4096, 2]);
  });

  it('a checkpoint is of sessions with its own options', async () => {
    const sandbox = await loadSandbox();
    const first = watch(program);
    const session = await sandbox.createSession(first.options);
    session.start({});
    const taken = session.checkpoint();
    const conditions = { clock: 0, timeZone: 'UTC', locale: 'en', random: 0, heapPadding: 100_000 };
    await expect(sandbox.resume({ ...first.options, conditions }, taken)).rejects.toThrow('its own options');
  });
});

describe('console', () => {
  it('prints to the host in the order of the acts, with its place; nothing comes back', async () => {
    const lines: PrintedLine[] = [];
    const { log, started } = await drive(
      `async function main(ctx) {
  const back = console.log('a', 1, { b: [2] }, undefined, null, 3n, new TypeError('no'));
  console.warn(Symbol('s'), { toJSON() { throw 1; }, toString() { throw 2; } });
  ctx.decide('d', 1);
  console.error('x'.repeat(70000));
  return [back === undefined, Object.isFrozen(console), Object.isFrozen(console.log)];
}`,
      {
        host: {
          printed: (line) => lines.push(line),
          decided: () => {
            lines.push({ level: 'debug', text: 'decided' });
            return undefined;
          },
        },
      },
    );
    expect(started.settled).toEqual({ kind: 'ok', value: [true, true, true] });
    expect(log).toEqual([]);
    expect(lines.slice(0, 3)).toEqual([
      {
        level: 'log',
        text: 'a 1 {"b":[2]} undefined null 3 TypeError: no',
        site: { function: 'main', line: 2, column: expect.any(Number) as number },
      },
      expect.objectContaining({ level: 'warn', text: 'Symbol(s) [a value that cannot be shown]' }),
      { level: 'debug', text: 'decided' },
    ]);
    expect(lines[3]?.text).toMatch(/^x{65536} \[4464 more characters\]$/);
  });

  it('a program may have a console of its own', async () => {
    const { started } = await drive(
      `var console = { log: () => 'mine' }; async function main() { return console.log('x'); }`,
    );
    expect(started.settled).toEqual({ kind: 'ok', value: 'mine' });
  });
});
