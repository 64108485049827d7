/** Every file of `fixtures/versions` opens for ever; the one from the future is refused politely and can be read as far as it is understood. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type JsonObject, isJsonObject } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, currentVersion, eventToLine, parseEvent, readAsCurrent, upgradeSteps } from './index.ts';

const folder = join(import.meta.dirname, '../../../fixtures/versions');

function readRecords(file: string): JsonObject[] {
  const lines = readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line, index) => {
    const parsed = parseLossless(line);
    if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error(`${file}, line ${index + 1} is not a record`);
    return parsed.value;
  });
}

function openEvents(file: string): HindcastEvent[] {
  return readRecords(file).map((record) => {
    const event = parseEvent(record);
    if (!event.ok) throw new Error(event.error.message);
    return event.value;
  });
}

const versions = Array.from({ length: currentVersion }, (_, n) => n + 1);

describe('frozen versions', () => {
  it('R13 there is a frozen folder for every version up to the present one, and a step from each to the next', () => {
    for (const version of versions) expect(existsSync(join(folder, `v${version}`))).toBe(true);
    expect(upgradeSteps).toHaveLength(currentVersion - 1);
  });

  it('R13 every frozen stream opens, every line of it', () => {
    for (const version of versions) {
      for (const file of readdirSync(join(folder, `v${version}`))) {
        const events = openEvents(join(`v${version}`, file));
        expect(events.length).toBeGreaterThan(0);
        expect(new Set(events.map((event) => event.v))).toEqual(new Set([currentVersion]));
      }
    }
  });

  it('mapping K: the minimal run of version 1 says what a replay needs', () => {
    const events = openEvents('v1/minimal.hindcast.jsonl');
    const started = events.find((event) => event.type === 'run.started');
    expect(started?.data).toMatchObject({ program: { api: 1, language: 'js' }, draws: 'derived', segment: 0 });
    const positions = events.flatMap(({ command }) =>
      command?.issued === undefined ? [] : [[command.path, command.issued]],
    );
    expect(positions).toEqual([
      ['/model:decide#0', 0],
      ['/decide:act#0', 2],
      ['/write:tickets.create#0', 3],
      ['/state:case#0', 5],
    ]);
    const committed = events.find((event) => event.type === 'effect.committed');
    expect(committed?.data.effect).toMatchObject({ kind: 'tickets.create', id: '8421' });
  });

  it('R65 a frozen stream is written back byte by byte', () => {
    const text = readFileSync(join(folder, 'v1/minimal.hindcast.jsonl'), 'utf8');
    expect(
      openEvents('v1/minimal.hindcast.jsonl')
        .map((event) => `${eventToLine(event)}\n`)
        .join(''),
    ).toBe(text);
  });
});

describe('from the future', () => {
  const file = 'future/from-the-future.hindcast.jsonl';

  it('R13 is refused with a sentence that names both versions and says what to do', () => {
    for (const record of readRecords(file)) {
      const event = parseEvent(record);
      expect(event.ok ? undefined : event.error.code).toBe('future-version');
      expect(event.ok ? '' : event.error.message).toMatch(/version 2.*up to 1.*newer Hindcast/s);
    }
  });

  it('R13 opens as far as it is understood when the person wants it, with what is not understood kept', () => {
    const events = readRecords(file).map((record) => parseEvent(readAsCurrent(record)));
    expect(events.every((event) => event.ok)).toBe(true);
    const [first] = events;
    expect(first?.ok === true ? JSON.parse(eventToLine(first.value)) : undefined).toMatchObject({
      tenant: { region: 'eu-central', cell: 7 },
    });
  });
});
