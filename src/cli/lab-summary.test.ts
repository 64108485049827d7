/** The summary of a lab beside its streams, on the command line: named as a file of claims, compared, and in no verdict. */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../core/base/json.ts';
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
        notCompared: ['excluded: no record tells of it'],
      },
    ]);
    expect(text).toContain('Files of claims (1)\n- ');
  });

  it('R100 what it says otherwise is told with both values, and changes no verdict', async () => {
    const honest = await judge(entry);
    const { output, text, code } = await judge({ ...entry, refused: 3, note: 'x' });
    const told = `${killed}: the summary says refused: 3; the records say 0.`;
    expect(output.claimed[0]?.disagreements).toEqual([told]);
    expect(output.claimed[0]?.notCompared).toEqual([
      'excluded: no record tells of it',
      'note: no record tells of it (1 trial)',
    ]);
    expect(text).toContain(
      `0 of 1 trials.\n  ${told}\n  Not compared: excluded: no record tells of it; note: no record tells of it (1 trial).`,
    );
    expect([output.trials, output.campaigns, code]).toEqual([
      honest.output.trials,
      honest.output.campaigns,
      honest.code,
    ]);
  });
});
