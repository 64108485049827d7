import { describe, expect, it } from 'vitest';
import type { SimulatedTrial } from '../../core/simulate/index.ts';
import { trialToTone, trialToWords } from './kill-words.ts';

const trial: SimulatedTrial = {
  strategy: 'journal',
  kill: { path: '/write:a#0', boundary: '3' },
  reached: true,
  commitments: { '/write:a#0': 1 },
  committed: 1,
  duplicates: 0,
  losses: [],
  deduplicated: 0,
  refused: 0,
  modelCalls: 2,
  extraModelCalls: 0,
  ending: 'completed',
  completed: true,
  equalsRecorded: true,
  sentence: '',
  story: [],
  assumptions: [],
};

describe('a cell of the matrix', () => {
  it.each([
    [{}, 'ok', ['once']],
    [{ committed: 2, duplicates: 1 }, 'danger', ['twice']],
    [{ committed: 1, duplicates: 1 }, 'danger', ['once', '1 other doubled']],
    [{ committed: 0, losses: ['/write:a#0'] }, 'danger', ['never made', '1 lost']],
    [{ deduplicated: 1, extraModelCalls: 2 }, 'ok', ['once', 'answered from key', '2 model calls again']],
    [{ completed: false, ending: 'stuck' }, 'warning', ['once', 'not completed']],
    [{ reached: false, committed: 0 }, 'none', ['never came there']],
  ] as const)('%j', (more, tone, words) => {
    const made = { ...trial, ...more };
    expect(trialToTone(made)).toBe(tone);
    expect(trialToWords(made)).toEqual(words);
  });
});
