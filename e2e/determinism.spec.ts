/**
 * The engine gives the same digests in Chromium as in Node, in another time zone and language: every kept case, every history of an earlier
 * engine, the shipped samples, one of them edited.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { type HindcastEvent, parseEvent } from '../src/core/model/index.ts';
import type { JsonValue } from '../src/core/base/json.ts';
import { textToEditFile } from '../src/core/replay/index.ts';
import { type KeptReplay, replayKept } from '../src/core/replay/testing/kept-replay.ts';
import { loadSandbox } from '../src/platform/sandbox/node.ts';
import { servers } from './servers.ts';

const root = join(import.meta.dirname, '..');
const author = { actor: { id: 'ada', kind: 'human' }, at: '2024-01-01T00:00:00Z' };

function textToEvents(text: string): readonly HindcastEvent[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      // Cast: JSON text yields exactly this type.
      const parsed = parseEvent(JSON.parse(line) as JsonValue);
      if (!parsed.ok) throw new Error(parsed.error.message);
      return parsed.value;
    });
}

function unpack(file: string): string {
  return gunzipSync(readFileSync(join(root, 'fixtures/versions', file))).toString('utf8');
}

function readSample(name: string): readonly HindcastEvent[] {
  return textToEvents(readFileSync(join(root, 'public/samples', `${name}.hindcast.jsonl`), 'utf8'));
}

/** What has no digests beside it; Node computes them here. */
function listStreams(): readonly Omit<KeptReplay, 'expected'>[] {
  const edit = textToEditFile(readFileSync(join(root, 'public/samples/wrong-observation.edit.json'), 'utf8'));
  if (!edit.ok) throw new Error(edit.error);
  const engines = readdirSync(join(root, 'fixtures/versions/engines'));
  return [
    ...engines.map((file) => ({ asked: { author }, events: textToEvents(unpack(`engines/${file}`)) })),
    ...['ticket-incident', 'ticket-with-key', 'clean-control', 'wrong-observation'].map((name) => ({
      asked: { author },
      events: readSample(name),
    })),
    { asked: { author, edit: edit.value }, events: readSample('wrong-observation') },
  ];
}

test.use({ timezoneId: 'Asia/Kathmandu', locale: 'tr-TR' });

test('the digests of every replay are those of Node, in another time zone and language (R36, R37)', async ({
  page,
}) => {
  const sandbox = await loadSandbox();
  const lines = unpack('replays/cases.jsonl.gz').trimEnd().split('\n');
  const expected: unknown[] = [sandbox.engine.digest];
  // Cast: lines of the kept set.
  for (const line of lines) expected.push((JSON.parse(line) as KeptReplay).expected);
  for (const stream of listStreams()) {
    lines.push(JSON.stringify(stream));
    expected.push(await replayKept(stream, sandbox));
  }
  await page.goto(`${servers.probe.address}?replays`);
  expect(await page.evaluate(() => [new Date(0).getTimezoneOffset(), navigator.language])).toEqual([-330, 'tr-TR']);
  const answer = await page.evaluate(
    (all) =>
      new Promise<unknown>((resolve) => {
        document.addEventListener('replayed', (event) => {
          if (event instanceof CustomEvent) resolve(event.detail);
        });
        document.dispatchEvent(new CustomEvent('replay', { detail: all }));
      }),
    lines,
  );
  // What is undefined does not cross to the page.
  expect(answer).toEqual({ digests: JSON.parse(JSON.stringify(expected)) as unknown });
});
