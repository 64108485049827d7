import { describe, expect, it } from 'vitest';
import { createLinks, largestOf } from './links.ts';
import { judgeSamples } from './testing/judged.ts';

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
