/** The summary of a lab beside its streams: recognised, compared, and in no verdict. */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../core/base/json.ts';
import { textToLabSummary } from './lab-summary.ts';
import { runRecovery } from './recovery.ts';
import type { RecoveryOutput } from './recovery-report.ts';

const samples = join(import.meta.dirname, '../../public/samples/campaign');
const settings = { json: true, acceptFuture: false, allowHuge: false };
const killed = 'one-ticket-journal-kill-3.hindcast.jsonl';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-summary-'));
  await copyFile(join(samples, killed), join(folder, killed));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

const entry: JsonObject = {
  file: killed,
  committed: { '/write:tickets.create#0': 2 },
  model_calls: 1,
  killed: 1,
  completed: true,
};

async function judge(
  ...entries: readonly JsonObject[]
): Promise<{ readonly output: RecoveryOutput; readonly text: string; readonly code: number }> {
  await writeFile(join(folder, 'summary.json'), JSON.stringify({ trials: entries, excluded: [] }));
  const { out = '', code } = await runRecovery([folder], settings);
  const { out: text = '' } = await runRecovery([folder], { ...settings, json: false });
  // Cast: the report is the documented form that this test reads.
  return { output: JSON.parse(out) as RecoveryOutput, text, code };
}

describe('the summary of a lab', () => {
  it('R100 is named as a file of claims, says how much of it the records bear out, and is not "not read"', async () => {
    const { output, text } = await judge(entry, { ...entry, file: 'another.hindcast.jsonl' });
    expect(output.notRead).toEqual([]);
    expect(output.claimed).toEqual([
      {
        file: expect.stringContaining('summary.json'),
        text: 'The summary that a lab wrote of its own trials: claims, compared with the records, and in no verdict. It says the same as the records of 1 of 1 trials; 1 more names a file that was not opened.',
        disagreements: [],
      },
    ]);
    expect(text).toContain('Files of claims (1)\n- ');
  });

  it.each<readonly [string, JsonObject, string]>([
    ['completed', { completed: false }, 'completed: false; the records say true'],
    ['killed', { killed: 2 }, 'kills: 2; the records say 1'],
    ['model calls', { model_calls: 9 }, 'model calls: 9; the records say 1'],
    [
      'executions',
      { committed: { '/write:tickets.create#0': 1 } },
      'executions of /write:tickets.create#0: 1; the records say 2',
    ],
  ])('R100 what it says otherwise of %s is told, and changes no verdict', async (_what, change, told) => {
    const honest = await judge(entry);
    const { output, text, code } = await judge({ ...entry, ...change });
    expect(output.claimed[0]?.disagreements).toEqual([`${killed}: the summary says ${told}.`]);
    expect(output.claimed[0]?.text).toContain('0 of 1 trials');
    expect(text).toContain(`the summary says ${told}`);
    expect([output.trials, output.campaigns, code]).toEqual([
      honest.output.trials,
      honest.output.campaigns,
      honest.code,
    ]);
  });

  it.each([
    '',
    '[]',
    '{}',
    '{"trials":[]}',
    '{"trials":[{"file":"a"}]}',
    '{"trials":[{"file":"a","committed":{},"completed":true},5]}',
  ])('%s is none', (text) => {
    expect(textToLabSummary('summary.json', text)).toBeUndefined();
  });
});
