/** The sentence that may be quoted, on the campaign that ships with the site, against a plain count over its trials. */
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { analyseCampaigns } from './index.ts';
import { modelKill } from './testing/model-kill.ts';
import { alter, openShippedCampaign, readSample, toTrace, toWhole } from './testing/opened-trials.ts';

/** The invariants a statement names behind some of its words, each with what stands behind it in brackets. */
function listed(statement: string, after: string): string[] {
  const list = statement.split(`${after}: `)[1]?.split(/\.(?: |$)/)[0];
  return list === undefined || list === 'none' ? [] : list.replaceAll('"', '').split('; ');
}

describe('the sentence that may be quoted', () => {
  it('R89 says "in every one" only of what was checked in every valid trial, and counts the rest', async () => {
    const { strategies, trials } = await openShippedCampaign();
    let partly = 0;
    for (const { trials: ids, statement } of strategies) {
      const own = trials.filter(
        ({ id, arm, validity }) => ids.includes(id) && arm !== 'control' && validity === 'valid',
      );
      const verdicts = (text: string): string[] =>
        own.flatMap(({ invariants }) =>
          invariants.filter((one) => one.text.toLowerCase() === `${text.toLowerCase()}.`).map(({ verdict }) => verdict),
        );
      const every = listed(statement, 'held in every one');
      expect(every.length).toBeGreaterThan(0);
      for (const id of every) expect(verdicts(id), id).toEqual(own.map(() => 'holds'));
      for (const item of listed(statement, 'Held where they were checked')) {
        const [id = '', counted] = item.split(' (');
        const checked = verdicts(id).filter((verdict) => verdict !== 'not checked');
        expect(new Set(checked), id).toEqual(new Set(['holds']));
        expect(counted).toBe(`${checked.length} of ${own.length})`);
        partly += 1;
      }
      for (const item of listed(statement, 'Violated')) {
        const [id = '', counted] = item.split(' (');
        const checked = verdicts(id).filter((verdict) => verdict !== 'not checked');
        expect(counted).toBe(`${checked.filter((one) => one === 'violated').length} of ${checked.length})`);
      }
    }
    expect(partly).toBeGreaterThan(0);
  });

  it('R89 R120 names a redeployment among the faults, and none where every life ran one version', () => {
    const sample = readSample('ticket-incident');
    const patched = alter(sample, 'worker.spawned', (_, at) => (at === 0 ? {} : { versions: { program: '1.1' } }));
    const told = (records: readonly JsonObject[]): string | undefined =>
      analyseCampaigns([toTrace('one', records)])[0]?.strategies[0]?.statement;
    expect(told(patched)).toContain('and other code after the restart in 1 of 1:');
    expect(told(sample)).not.toContain('other code');
  });

  it('R89 does not count a replay as finished in a trial that records none', async () => {
    const { strategies } = await openShippedCampaign();
    const told = strategies.flatMap(
      ({ statement }) => /every replay of the engine .*? \((\d of \d)\)/.exec(statement)?.[1] ?? [],
    );
    expect(told).toEqual(['1 of 2', '2 of 3']);
  });

  it('R89 R94 tells several kills in one run apart, and names designs, effects and invariants in words', async () => {
    const { strategies } = await openShippedCampaign();
    const told = strategies.map(({ statement }) => statement);
    expect(told[1]).toMatch(
      /^In 3 valid trials of journal, with idempotency key \(2 with one kill, 1 with 5 kills in its run\), workload "1 model/,
    );
    expect(told[0]).toContain('without idempotency key (one kill each), workload');
    for (const statement of told) {
      expect(statement).toMatch(/of the effect tickets\.create:/);
      expect(statement).not.toMatch(/\/write:|no-duplicate-effect|run-completed/);
    }
  });

  it('R89 a design that is named by an id is told in words, with the id to find it by', () => {
    const named = (engine: string, more: JsonObject): string | undefined => {
      const records = alter(readSample('ticket-incident'), 'trial.started', ({ envelope }) => ({
        ...{ strategy: engine, cell: { effect: '/write:tickets.create#0', points: ['3'] } },
        envelope: { ...(isJsonObject(envelope) ? envelope : {}), ...more },
      }));
      const [campaign] = analyseCampaigns([toTrace('one', records)]);
      return /valid trial of (.*?)one kill\)/.exec(campaign?.strategies[0]?.statement ?? '')?.[1];
    };
    expect(named('restate-idem', { idempotency_key: true })).toBe('Restate, with an idempotency key ("restate-idem", ');
    expect(named('dbos', { idempotency_key: false })).toBe('DBOS, without idempotency key (');
    expect(named('x-27', { idempotency_key: true })).toBe('x-27 (');
  });
});

describe('what was struck, in the sentence that may be quoted', () => {
  const told = (...files: readonly (readonly JsonObject[])[]): string => {
    const [campaign] = analyseCampaigns(files.map((records, at) => toTrace(`file-${String(at)}`, records)));
    return /", with (.*?):/.exec(campaign?.strategies[0]?.statement ?? '')?.[1] ?? '';
  };
  const naive = readSample('campaign/one-ticket-naive-kill-3');
  const another = readSample('campaign/one-ticket-naive-kill-5');

  /** The kill made a fault of another class, after which no process ended. */
  function call(name: string, target: JsonObject, trial = naive): readonly JsonObject[] {
    const calm = trial
      .filter(({ type }) => type !== 'fault.witnessed')
      .map((record) => {
        const { type } = record;
        if (type === 'fault.armed') return { ...record, data: { class: name, target } };
        if (type === 'fault.injected') return { ...record, data: { class: name, target }, causes: [] };
        if (type !== 'worker.exited') return record;
        return {
          ...record,
          data: {
            ...(isJsonObject(record['data'] ?? null) ? (record['data'] as JsonObject) : {}),
            signal: null,
            code: 1,
          },
        };
      });
    return toWhole(calm);
  }

  it('R89 R118 a fault of a call has no boundary: it is told by the calls that met it', () => {
    const hung = call('call-hung', { component: 'ticket-service', path: '/write:tickets.create#0' });
    const late = call('call-late', { path: '/write:tickets.create#0' }, another);
    expect(told(hung)).toBe('call-hung met by calls of the effect tickets.create');
    expect(told(hung, late)).toBe('call-hung, call-late met by calls of the effect tickets.create');
    const model = call('call-hung', { path: '/model:decide#0' });
    expect(told(model)).toBe('call-hung met by calls of the model decide');
  });

  it('R89 R119 a fault of a service is told by the service, and one of nothing by that', () => {
    expect(told(call('expired-credential', { component: 'ticket-service' }))).toBe(
      'expired-credential at ticket-service',
    );
    expect(told(call('call-hung', {}))).toBe('call-hung of which no record says what it was about');
    const both = [call('changed-model', { component: 'model-server' }), another];
    expect(told(...both)).toBe(
      'SIGKILL at point 5 (after the durable result) of the effect tickets.create, and changed-model at model-server',
    );
  });

  it('R89 R122 a kill during a model call is told by the number of its trials, beside the boundaries and alone', () => {
    expect(told(modelKill())).toBe('SIGKILL during a model call in 1 of 1');
    expect(told(modelKill(), another)).toBe(
      'SIGKILL at point 5 (after the durable result) of the effect tickets.create, in 1 of 2 during a model call',
    );
    expect(told(naive)).not.toContain('model call');
  });
});
