/**
 * Histories of every engine version, and the whole set of cases with the digests they had: replayed by the present engine under another time
 * zone, another clock and another layout of memory.
 *
 * When the engine changed on purpose, its history is added to `fixtures/versions/engines`; when results changed on purpose, a flag is added to
 * `flags.ts` and the set is made anew (`fixtures/README.md` has both commands).
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSandbox } from '../../platform/sandbox/node.ts';
import type { JsonValue } from '../base/json.ts';
import { type HindcastEvent, parseEvent } from '../model/index.ts';
import { enabledFlags, replayFlags } from './flags.ts';
import type { Sandbox } from './sandbox-port.ts';
import { type KeptReplay, replayKept } from './testing/kept-replay.ts';
import { alter, replay } from './testing/replay-case.ts';

const folder = join(import.meta.dirname, '../../../fixtures/versions');

function readLines(file: string): readonly string[] {
  return gunzipSync(readFileSync(join(folder, file)))
    .toString('utf8')
    .trimEnd()
    .split('\n');
}

function readHistory(file: string): readonly HindcastEvent[] {
  return readLines(`engines/${file}`).map((line) => {
    // Cast: JSON text yields exactly this type.
    const parsed = parseEvent(JSON.parse(line) as JsonValue);
    if (!parsed.ok) throw new Error(parsed.error.message);
    return parsed.value;
  });
}

const histories = readdirSync(join(folder, 'engines'));

describe('histories of every engine', () => {
  it('R36 there is one of the present engine', async () => {
    const { engine } = await loadSandbox();
    expect(histories).toContain(`${engine.digest.slice('sha256:'.length, 'sha256:'.length + 12)}.hindcast.jsonl.gz`);
  });

  it.each(histories)('R36 %s replays identically', async (file) => {
    const report = await replay(readHistory(file));
    expect([report.result, report.divergences]).toEqual(['identical', []]);
  });

  it('R36 one that was altered is told: a decision, an answer, a state', async () => {
    const events = readHistory(histories[0] ?? '');
    for (const [type, kind] of [
      ['tool_call.dispatched', 'args'],
      ['state.transitioned', 'state'],
      ['run.completed', 'outcome'],
    ] as const) {
      const target = events.find((event) => event.type === type && event.command?.kind !== 'write');
      if (target === undefined) throw new Error(`no ${type}`);
      const other = `sha256:${'0'.repeat(64)}`;
      const data = { ...(target.data as Readonly<Record<string, JsonValue>>), digest: other };
      const command = target.command === undefined ? {} : { command: { ...target.command, args: other } as JsonValue };
      const report = await replay(
        events.map((event) => (event === target ? alter(event, { data, ...command }) : event)),
      );
      expect(report.divergences.map((d) => d.kind)).toContain(kind);
    }
  });
});

describe('every case, elsewhere', () => {
  const zone = process.env['TZ'];

  beforeAll(() => {
    process.env['TZ'] = 'Pacific/Chatham';
  });

  afterAll(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  it('R36 R37 has the digests it had, under another time zone and another layout of memory', async () => {
    const real = await loadSandbox();
    const odd: Sandbox = {
      ...real,
      createSession: (options) =>
        real.createSession({
          ...options,
          conditions: options.conditions ?? {
            clock: 2_000_000_000_000,
            timeZone: 'Pacific/Chatham',
            locale: 'tr-TR',
            random: 0.25,
            heapPadding: 70_001,
          },
        }),
    };
    expect(new Date(0).getTimezoneOffset()).not.toBe(0);
    const lines = readLines('replays/cases.jsonl.gz');
    expect(lines.length).toBeGreaterThan(100);
    // Every fourth, for time; the page replays all of them (`e2e/determinism.spec.ts`).
    for (const [n, line] of lines.entries()) {
      if (n % 4 !== 0) continue;
      // Cast: a line that `replay-case.ts` wrote.
      const kept = JSON.parse(line) as KeptReplay;
      expect([n, await replayKept(kept, odd)]).toEqual([n, kept.expected]);
    }
  });
});

describe('replay flags', () => {
  it('are numbered once, from 1 without a gap, named once, and part of every operation', async () => {
    expect(replayFlags.map(({ id }) => id)).toEqual(replayFlags.map((_, n) => n + 1));
    expect(new Set(replayFlags.map(({ name }) => name)).size).toBe(replayFlags.length);
    const events = readHistory(histories[0] ?? '');
    const report = await replay(events, { edits: [{ target: { input: true }, value: null }] });
    expect(report.operation?.flags).toEqual(enabledFlags());
  });
});
