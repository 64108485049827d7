/** What a kill struck and what it is labelled as, where that is no boundary of an effect. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { Placement } from './report.ts';
import { objectIn, trialOf } from './testing/altered-trials.ts';
import { modelKill, modelPath } from './testing/model-kill.ts';
import { alter, readSample, toWhole } from './testing/opened-trials.ts';

function killOf(records: readonly JsonObject[]): Placement {
  const [kill] = trialOf(records).placements;
  if (kill === undefined) throw new Error('no kill');
  return kill;
}

describe('a kill during a model call', () => {
  it('R109 R122 struck the call that was under way, by the name of its command, and no effect', () => {
    const trial = trialOf(modelKill());
    const [kill] = trial.placements;
    expect([trial.validity, kill?.verdict, kill?.point]).toEqual(['valid', 'verified', undefined]);
    expect(kill).toMatchObject({
      effect: modelPath,
      effectBasis: 'recorded',
      candidates: [],
      alsoStruck: [],
      gap: {
        interval: 'after the request of a model, before its answer was recorded',
        lastRecord: 'worker-1:2',
        expected: 'model_call.completed',
        filledBy: ['model-server-1:0'],
      },
    });
    expect(kill?.text).toContain(`a model call (${modelPath}) under way`);
    expect(kill?.events).toEqual(['harness-1:4', 'harness-1:5', 'worker-1:2', 'model-server-1:0']);
  });

  it('R109 is of that call also where the fault names another thing, and then by inference', () => {
    const kill = killOf(modelKill({ target: '/write:tickets.create#0' }));
    expect([kill.effect, kill.effectBasis]).toEqual([modelPath, 'inferred']);
  });

  it('R122 of several calls it is the one without an end', () => {
    const records = modelKill();
    const at = records.findIndex(({ type }) => type === 'model_call.requested');
    const asked = records[at] ?? {};
    const served = records.find(({ type }) => type === 'model_call.completed') ?? {};
    const other = { path: '/model:other#0', kind: 'model', name: 'other' };
    const before: JsonObject = { ...asked, id: 'w-a', seq: Number(asked['seq']) - 0.9, command: other };
    const done: JsonObject = {
      ...{ ...served, source: asked['source'] ?? null, command: other, id: 'w-b' },
      ...{ seq: Number(asked['seq']) + 0.5, causes: [{ event: 'w-a', as: 'result_of' }] },
    };
    const both = [...records.slice(0, at), before, asked, done, ...records.slice(at + 1)];
    expect(killOf(toWhole(both)).effect).toBe(modelPath);
    const turned = both.map((record) => (record === done ? { ...done, command: asked['command'] ?? null } : record));
    // What it names counts before what it is called.
    expect(killOf(toWhole(turned)).effect).toBe(modelPath);
  });

  it('R108 a label of another boundary is contradicted as before', () => {
    const kill = killOf(modelKill({ label: '3', target: '/write:tickets.create#0' }));
    expect([kill.verdict, kill.effect]).toEqual(['contradicted', '/write:tickets.create#0']);
  });
});

describe('a label', () => {
  const labelled = (label: string): Placement => {
    const renamed = ['fault.armed', 'fault.witnessed', 'fault.injected'].reduce(
      (records, type) => alter(records, type, () => ({ kill_point: label })),
      alter(readSample('campaign/one-ticket-naive-kill-3'), 'trial.started', (data) => ({
        cell: { ...objectIn(data, 'cell'), points: [label] },
      })),
    );
    return killOf(renamed);
  };

  it.each(['between the steps', '9', '-3'])(
    'R107 %s names no point: it is kept as it is recorded, and that is said',
    (label) => {
      const kill = labelled(label);
      expect([kill.claimed, kill.unreadLabel, kill.verdict, kill.point]).toEqual([undefined, label, 'verified', '3']);
      expect(kill.text).toContain(`Kill 1 is labelled "${label}", which names no point that is known here;`);
    },
  );

  it.each(['3', 'kp3', 'random'])('R107 %s is not told as one that names no point', (label) => {
    expect(labelled(label).unreadLabel).toBeUndefined();
  });
});
