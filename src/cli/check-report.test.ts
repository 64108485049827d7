import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCheck } from './check.ts';
import type { CheckReport } from './check-report.ts';

const samples = join(import.meta.dirname, '../../public/samples');
const settings = { acceptFuture: false, allowHuge: false };
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-check-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** A sample without the records of these ids. */
async function writeWithout(sample: string, ...ids: readonly string[]): Promise<string> {
  const text = await readFile(join(samples, `${sample}.hindcast.jsonl`), 'utf8');
  const path = join(folder, `${sample}-${ids.join('-').replaceAll(':', '_')}.hindcast.jsonl`);
  const lines = text.split('\n').filter((line) => !ids.some((id) => line.includes(`"id":"${id}"`)));
  await writeFile(path, lines.join('\n'));
  return path;
}

async function check(path: string): Promise<{ readonly code: number; readonly report: CheckReport }> {
  const { code, out = '' } = await runCheck([path], { ...settings, json: true });
  return { code, report: JSON.parse(out) as CheckReport };
}

const ticket = '/write:tickets.create#0';
function pathsOf(items: CheckReport['effects']['uncertain']): readonly (string | null)[] {
  return items.map(({ command }) => command);
}

describe('R28 one commitment of two is lost', () => {
  it.each([
    ['the second', 'ticket-service-1:4', '8421'],
    ['the first', 'ticket-service-1:1', '8422'],
  ])('%s: the command is among the uncertain, executed at least once, with exit code 1', async (_, lost, kept) => {
    const path = await writeWithout('ticket-incident', lost);
    const { code, report } = await check(path);
    const { effects } = report;
    expect(code).toBe(1);
    expect(pathsOf(effects.uncertain)).toEqual([ticket]);
    expect(pathsOf(effects.executedOnce)).not.toContain(ticket);
    const [item] = effects.uncertain;
    expect(item?.known[0]).toBe(`Executed at least once: ${kept}.`);
    // Not the gap of the request that was executed.
    expect(item?.unknown.join(' ')).toContain('the records of the service hold no outcome');
    const { out = '' } = await runCheck([path], { ...settings, json: false });
    expect(out).toMatch(new RegExp(`^Ticket creation executed at least once: ${kept}; whether the request of worker`));
    expect(out).not.toMatch(/Ticket creation executed once/);
  });
});

describe('R28 the failure that tells that an attempt was not executed is lost', () => {
  it('leaves how often the mail was sent uncertain', async () => {
    const text = await readFile(join(samples, 'ticket-with-key.hindcast.jsonl'), 'utf8');
    const failed = text.split('\n').find((line) => line.includes('"tool_call.failed"') && line.includes('mail.send'));
    const id = /"id":"([^"]+)"/.exec(failed ?? '')?.[1] ?? '';
    const { report } = await check(await writeWithout('ticket-with-key', id));
    expect(pathsOf(report.effects.uncertain)).toEqual(['/write:mail.send#0']);
    expect(report.effects.uncertain[0]?.known[0]).toMatch(/^Executed at least once: /);
  });

  it('and with it, the mail was sent once', async () => {
    const { report } = await check(join(samples, 'ticket-with-key.hindcast.jsonl'));
    expect(pathsOf(report.effects.uncertain)).toEqual([]);
    expect(pathsOf(report.effects.executedOnce)).toContain('/write:mail.send#0');
  });
});
