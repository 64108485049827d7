/** What a redeployment, a roll-over and a drill change by their own design, in a shipped trial that is altered to be one. */
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { campaignOf, checkOf, control, incident, objectIn, textIn, trialOf } from './testing/altered-trials.ts';
import { alter } from './testing/opened-trials.ts';

const started = incident.find(({ type }) => type === 'run.started') ?? {};
const lives = ['worker-1', 'worker-2'] as const;

function sourceOf(life: string): JsonObject {
  return objectIn(incident.find(({ id }) => id === `${life}:0`) ?? {}, 'source');
}

/** The run is started again from its first step by the second life, as a worker without a journal does. */
function startedBy(life: string, n: number, cause: string, data: JsonObject): JsonObject {
  const own = { ...objectIn(started, 'data'), ...data };
  const causes = [{ event: cause, as: 'caused_by' }];
  return { ...started, id: `${life}:${String(n)}`, seq: n, source: sourceOf(life), causes, data: own };
}

describe('a redeployment', () => {
  const program = objectIn(objectIn(started, 'data'), 'program');
  const patched = {
    ...program,
    version: '3.3',
    digest: `sha256:${'3'.repeat(64)}`,
    source: 'async function main() {}',
  };
  const redeployed = (design: string, deployed: string, ran: JsonObject = patched): readonly JsonObject[] => [
    ...alter(
      alter(incident, 'trial.started', () => ({ design })),
      'worker.spawned',
      (data, at) => ({ versions: { ...objectIn(data, 'versions'), program: at === 0 ? '3.2' : deployed } }),
    ),
    startedBy('worker-2', 900, 'worker-2:0', { program: ran }),
  ];

  it('R114 R120 gives the restarted process another program, which is its fault and no leak', () => {
    const trial = trialOf(redeployed('redeploy', '3.3'), control);
    expect([checkOf(trial, 'no-leaked-state')?.status, trial.validity]).toEqual(['holds', 'valid']);
  });

  it.each([
    ['in a trial of another design', redeployed('sweep', '3.3'), 'program.source'],
    ['that nobody deployed', redeployed('redeploy', '3.2'), 'program.source'],
    ['of another version than was deployed', redeployed('redeploy', '3.4'), 'program.source'],
    ['of another name', redeployed('redeploy', '3.3', { ...patched, name: 'ticket-8421' }), 'program.name'],
  ])('R114 and not one %s', (_, records, told) => {
    expect(checkOf(trialOf(records), 'no-leaked-state')).toMatchObject({
      status: 'violated',
      text: expect.stringContaining(`"${told}" is`),
    });
  });
});

describe('a roll-over', () => {
  const rolled = (
    life: string,
    at: number,
    carried: JsonObject,
    start = at,
    input = carried,
  ): readonly JsonObject[] => {
    const record = startedBy(life, 900, `${life}:0`, {});
    const next = { run: textIn(started, 'run'), segment: 1 };
    return [
      { ...record, type: 'run.rolled_over', data: { segment: 0, carried, at, next } },
      startedBy(life, 901, `${life}:900`, { segment: 1, start, input }),
    ];
  };
  const [first, second] = lives;
  const leaks = (...records: readonly JsonObject[]): string | undefined =>
    checkOf(trialOf([...incident, ...records]), 'no-leaked-state')?.status;

  it('R114 R121 lets a later segment begin when the life that runs it rolled over, with what that left', () => {
    expect(leaks(...rolled(first, 1000, { round: 2 }), ...rolled(second, 1200, { round: 2 }))).toBe('holds');
    expect(leaks(...rolled(first, 1000, { title: 'a' }), ...rolled(second, 1000, { title: 'b' }))).toBe('holds');
  });

  it('R114 and not at another time, nor with another input, than the roll-over tells', () => {
    const own = rolled(first, 1000, { round: 2 });
    expect(leaks(...own, ...rolled(second, 1200, { round: 2 }, 8421))).toBe('violated');
    expect(leaks(...own, ...rolled(second, 1200, { round: 2 }, 1200, { round: 2, ticket: 8421 }))).toBe('violated');
    const [, alone = {}] = rolled(second, 1200, { round: 2 });
    expect(leaks(...own, { ...alone, causes: [{ event: 'worker-2:0', as: 'caused_by' }] })).toBe('violated');
  });
});

describe('a drill', () => {
  const expired: JsonObject = {
    ...(incident.find(({ id }) => id === 'harness-1:6') ?? {}),
    id: 'expired',
    seq: 11,
    type: 'fault.injected',
    causes: [{ event: 'harness-1:5', as: 'caused_by' }],
  };
  /** Of the second life, and of the service that it asks, up to the request that is made again. */
  const isKept = (record: JsonObject, isAsked: boolean): boolean => {
    const [log = '', seq] = [textIn(record, 'id').split(':')[0], Number(record['seq'])];
    if (log === 'worker-2') return seq < (isAsked ? 18 : 17);
    // Its last answer was to the life that goes on no more.
    if (log === 'model-server-1') return seq < 5;
    return log !== 'ticket-service-1' || seq < (isAsked ? 5 : 3);
  };
  /** The credential expires before the restart, and the service refuses what is asked again. */
  const drill = (component: string, isAsked = true): readonly JsonObject[] => {
    const kept = alter(incident, 'trial.started', () => ({ arm: 'negative-control' }))
      .filter((record) => isKept(record, isAsked))
      .map((record): JsonObject => {
        const seq = objectIn(record, 'source')['component'] === 'harness' ? { seq: Number(record['seq']) * 2 } : {};
        const cause = { 'harness-1:6': 'expired', 'harness-1:7': 'harness-1:6' }[textIn(record, 'id')];
        if (cause !== undefined) return { ...record, ...seq, causes: [{ event: cause, as: 'caused_by' }] };
        if (record['id'] !== 'ticket-service-1:4') return { ...record, ...seq };
        return { ...record, type: 'effect.refused', data: { effect: { kind: 'tickets.create' }, http_status: 401 } };
      });
    return [...kept, { ...expired, data: { class: 'expired-credential', target: { component } } }];
  };

  it('R115 R123 a naive control whose service refuses it by another fault of the trial cannot execute again, and is not suspect', () => {
    const { negativeControl, suspect } = campaignOf([drill('ticket-service')]);
    expect([negativeControl.status, suspect]).toEqual(['not struck after a commitment', false]);
    expect(negativeControl.text).toContain('One kill is not counted');
    expect(negativeControl.text).toContain('(expired-credential)');
  });

  it('R115 a fault of another service, or a request that was not sent again, excuses nothing', () => {
    expect(campaignOf([drill('model-server')]).suspect).toBe(true);
    expect(campaignOf([drill('ticket-service', false)]).suspect).toBe(true);
  });

  it('R123 a kill beside another fault has a cell and a row of times of its own, and fills the same boundary', () => {
    const drilled = (name: string, run: string): readonly JsonObject[] => {
      const text = JSON.stringify(alter(drill('ticket-service'), 'trial.started', () => ({ trial: name })));
      const records: unknown = JSON.parse(
        text.replaceAll(textIn(started, 'run'), run).replaceAll('expired-credential', name),
      );
      return Array.isArray(records) ? records.filter(isJsonObject) : [];
    };
    const runs = ['a'.repeat(32), 'b'.repeat(32)] as const;
    const [strategy] = campaignOf([drilled('changed-model', runs[0]), drilled('expired-token', runs[1])]).strategies;
    const cells = strategy?.grid.filter(({ fixed }) => fixed.length > 0) ?? [];
    expect(cells.map(({ point, beside, fixed }) => [point, beside, fixed])).toEqual([
      ['3', 'changed-model', [runs[0]]],
      ['3', 'expired-token', [runs[1]]],
    ]);
    expect(strategy?.uncovered.some(({ effect, point }) => effect === cells[0]?.effect && point === '3')).toBe(false);
  });
});
