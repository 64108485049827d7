import { describe, expect, it } from 'vitest';
import { analyseRecovery } from '../../core/recovery/index.ts';
import { openText, openTrace, samplesFolder } from '../../core/recovery/testing/opened-trials.ts';
import { traceId } from '../../platform/storage/index.ts';
import { createLinks, holdsTables, largestOf } from './links.ts';
import { judgeSamples } from './testing/judged.ts';

const incident = 'ticket-incident.hindcast.jsonl';

describe('the name of a trial', () => {
  it('stands beside what the library calls its trace, where that is another', async () => {
    const report = await judgeSamples();
    const trials = report.campaigns.flatMap((campaign) => campaign.trials);
    const [first, second] = trials;
    if (first === undefined || second === undefined) throw new Error('no trials');
    const library = [
      { id: first.traces[0] ?? '', name: 'A ticket opened twice' },
      { id: second.traces[0] ?? '', name: second.name },
    ];
    const links = createLinks(
      { report, places: {} },
      () => '',
      () => undefined,
      library,
    );
    expect([links.titleOf(first.id), links.titleOf(second.id), links.titleOf('none')]).toEqual([
      'A ticket opened twice',
      undefined,
      undefined,
    ]);
  });
});

it('shows the campaign of most trials first where none is asked for', () => {
  const [single, whole, same] = [{ trials: [1] }, { trials: [1, 2, 3] }, { trials: [4, 5, 6] }];
  expect(largestOf([single, whole, same])).toBe(whole);
  expect(largestOf<typeof whole>([])).toBeUndefined();
});

it('R100 knows the trace that holds tables of an engine', async () => {
  const row = { workflow_uuid: 'w', function_id: 0, function_name: 'ticket', output: '1', error: null };
  const traces = [await openText('t-tables', JSON.stringify([row])), await openTrace(samplesFolder, incident)];
  const report = analyseRecovery(traces);
  expect(report.engines.runs).toHaveLength(1);
  expect(['t-tables', incident].map((name) => holdsTables({ report }, traceId(name)))).toEqual([true, false]);
});
