import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { OrdinalRow, StrategyReport } from '../../core/recovery/index.ts';
import { sharedFolder } from '../../core/recovery/testing/opened-trials.ts';
import { judgeSamples, judgeShared, onlyCampaign } from './testing/judged.ts';
import { metricsOf, preferredMetric, strategiesToPanels, whyNotOf } from './times-model.ts';
import { msToText, observationToText } from './words.ts';

function row(over: Partial<OrdinalRow>, ...times: readonly number[]): OrdinalRow {
  return {
    metric: 'completion',
    name: 'kill sent to completion of the run',
    kind: 'recovery',
    grouping: 'independent runs',
    design: 'sweep',
    effect: '/write:x#0',
    point: '3',
    ordinal: 1,
    observations: times.map((ms, i) => ({
      trial: `t${i}`,
      ms,
      start: { event: 'a', type: 'fault.injected' },
      end: { event: 'b', type: 'run.completed' },
    })),
    median: times[0] ?? 0,
    note: undefined,
    ...over,
  };
}

async function strategyWith(...ordinals: readonly OrdinalRow[]): Promise<StrategyReport> {
  const [first] = onlyCampaign(await judgeSamples()).strategies;
  if (first === undefined) throw new Error('a strategy');
  return { ...first, name: 'x', ordinals };
}

describe('times', () => {
  it('R102 draws every observation as a point of its own, none over another', async () => {
    const strategy = await strategyWith(row({}, 100, 100, 100), row({ point: '5' }, 420));
    const [panel] = strategiesToPanels([strategy], 'completion');
    expect(panel?.points).toHaveLength(4);
    expect(new Set(panel?.points.map(({ x, y }) => `${x} ${y}`)).size).toBe(4);
    expect(panel?.columns.map(({ label }) => label)).toEqual(['3', '5']);
    expect(panel?.points.every(({ x, y }) => x > 0 && x < 1 && y > 0 && y <= 1)).toBe(true);
    expect(panel?.ticks.at(-1)).toEqual({ ms: 500, y: 1 });
  });

  it('R103 never puts several kills of one run beside independent runs', async () => {
    const repeat = { grouping: 'several kills in one run', design: 'repeat' } as const;
    const strategy = await strategyWith(
      row({}, 100, 120),
      row({ ...repeat, ordinal: 1 }, 565),
      row({ ...repeat, ordinal: 2 }, 1257),
    );
    const panels = strategiesToPanels([strategy], 'completion');
    expect(panels.map(({ grouping }) => grouping)).toEqual(['independent runs', 'several kills in one run']);
    expect(panels[1]?.columns.map(({ label }) => label)).toEqual(['1', '2']);
    expect(panels[1]?.columns.every(({ median }) => median === undefined)).toBe(true);
    expect(panels[0]?.columns[0]?.median).toBeCloseTo(0.5);
  });

  it('tells why there is no number, and where', async () => {
    const campaign = onlyCampaign(await judgeSamples());
    const choices = metricsOf(campaign.strategies, campaign.trials);
    expect(choices.every(({ observations }) => observations === 0)).toBe(true);
    const [only, ...rest] = whyNotOf(campaign, 'completion');
    expect(rest).toEqual([]);
    expect(only?.reason).toBe('the stream declares that its times are laid out and not measured');
    expect(only?.trials.map(({ name }) => name)).toEqual(['ticket-incident', 'ticket-with-key']);
  });

  it('never offers orchestration first', () => {
    const base = { name: '', observations: 3 };
    expect(
      preferredMetric([
        { ...base, id: 'orchestration', kind: 'orchestration' },
        { ...base, id: 'state-transition', kind: 'recovery' },
      ]),
    ).toBe('state-transition');
  });

  it('writes times as people read them', () => {
    expect([2.59, 565.2, 4960, 82.71].map(msToText)).toEqual(['2.6 ms', '565 ms', '4.96 s', '82.7 ms']);
  });

  it('R101 says beside a time that the clock of the wall alone tells it', () => {
    expect(observationToText({ ms: 565.2, basis: 'wall clock' })).toBe('565 ms by the wall clock');
    expect(observationToText({ ms: 565.2 })).toBe('565 ms');
  });

  it.skipIf(!existsSync(sharedFolder))(
    'shows five kills of a real run as five columns (skipped without the shared traces)',
    async () => {
      const { strategies } = onlyCampaign(await judgeShared(['restate-idem-kp4_4_4_4_4']));
      const [panel] = strategiesToPanels(strategies, 'next-acknowledged');
      expect(panel?.columns.map(({ label }) => label)).toEqual(['1', '2', '3', '4', '5']);
      const times = panel?.points.map(({ observation }) => observation.ms) ?? [];
      // The back-off of this engine doubles: a mean of the five would hide it.
      expect(times.every((ms, i) => i === 0 || ms > 1.5 * (times[i - 1] ?? 0))).toBe(true);
    },
  );
});
