/** Rules at the edge of what they say: a small change of the record turns the answer. */
import { describe, expect, it } from 'vitest';
import { type HindcastEvent, parseEvent } from '../model/index.ts';
import { viewToLedger } from '../projections/effects/view-ledger.ts';
import { verdictToText } from '../projections/effects/words.ts';
import { drawView, eventsToView } from '../projections/testing/drawn-view.ts';
import { createReading } from './index.ts';
import { computeFindings } from './registry.ts';
import { ask, clean, data, declared, replaced, sentAgain, ticket, who } from './testing/drawn-runs.ts';
import { findingsOf } from './testing/findings-of.ts';
import { retryAfterWindow } from './rules/retry-after-window.ts';
import { viewToAudit } from './view-audit.ts';

/** Two requests under one key, told by the service in this order. */
function underKey(...told: readonly string[]): string {
  return `${declared('fsync')}
  worker/w/1 agent=support step=17:
    a1 ${ask} key=k ${data} ${who}
    a2 ${ask.replace('attempt=1', 'attempt=2')} key=k ${data} ${who}
  tickets/t/1:
    ${told.join('\n    ')}`;
}

const first = 'r1 effect.requested key=k <- a1:result_of {}';
const second = 'r2 effect.requested key=k <- a2:result_of {}';
const executed = `c2 effect.committed key=k <- a2:result_of ${ticket(8422)}`;

describe('R126 a key in flight', () => {
  const dropped = 'd1 effect.dropped key=k <- a1:result_of {}';
  const refused = 'f1 effect.refused key=k <- a1:result_of {"http_status":503}';

  it('is so until the first outcome of the first request, and no longer', () => {
    expect(findingsOf('in-flight-not-refused', underKey(first, second, dropped, executed))).toHaveLength(1);
    // One outcome before the second request, another one after it: the first was over.
    const late = `c1 effect.committed key=k <- a1:result_of ${ticket(8421)}`;
    expect(findingsOf('in-flight-not-refused', underKey(first, dropped, second, late, executed))).toEqual([]);
  });

  it('is over with a refusal too', () => {
    expect(findingsOf('in-flight-not-refused', underKey(first, second, refused, executed))).toHaveLength(1);
    expect(findingsOf('in-flight-not-refused', underKey(first, refused, second, executed))).toEqual([]);
  });

  it('is told by the order of the service, whichever request the caller sent first', () => {
    const overtaken = underKey(second, first, `c1 effect.committed key=k <- a1:result_of ${ticket(8421)}`, executed);
    const [found, ...rest] = findingsOf('in-flight-not-refused', overtaken);
    expect([found?.evidence, rest]).toEqual([['r2', 'r1', 'c1'], []]);
  });

  it('is not told of a request whose outcome nobody recorded', () => {
    expect(findingsOf('in-flight-not-refused', underKey(first, second, executed))).toEqual([]);
  });
});

describe('R59 one identity or two', () => {
  it.each([
    ['human', 0],
    ['service', 1],
    ['agent', 1],
    [undefined, 1],
  ])('an act under a principal of the kind %s for nobody else lacks %i of them', (kind, count) => {
    const principal = JSON.stringify({ principal: { id: 'p', ...(kind === undefined ? {} : { kind }) } });
    const trace = replaced(clean, `${data} ${who}`, `${data} & ${principal}`);
    const told = findingsOf('acting-identity', trace).filter(({ title }) => title.startsWith('On whose behalf'));
    expect(told).toHaveLength(count);
  });
});

describe('R58 an entry of the access log', () => {
  it.each([
    ['another step', 'step=12', 1],
    ['the step', 'step=17', 0],
    ['no step', '', 0],
  ])('of %s', (_, step, count) => {
    const path = '"privileged_path":"root"';
    const trace = replaced(
      clean,
      `${data} ${who}`,
      `${data} ${who.replace('"customer-7"', `"customer-7",${path}`)}`,
    ).replace(/acc access\.exercised.*/, `acc access.exercised ${step} {"role":"root","authority":"contract"} ${who}`);
    expect(findingsOf('edited-records', trace)).toHaveLength(count);
  });

  it.each([
    ['', 0],
    [' run=2', 1],
  ])('of another run is none of this one (%s)', (run, count) => {
    const trace = `worker/w/1:
    a1 tool_call.dispatched path=/write:p#0 attempt=1 {"tool":"p","effect":"external"} & {"principal":{"id":"ops","kind":"human","privileged_path":"root"}}
  gate/h/1:
    own access.exercised {"role":"reader","authority":"contract"} ${who}
  gate/g/1${run}:
    acc access.exercised {"role":"root","authority":"contract"} ${who}`;
    expect(findingsOf('edited-records', trace).map(({ title }) => title)).toEqual(
      Array.from({ length: count }, () => 'Privileged access "root": no entry in the access log'),
    );
  });
});

describe('R47 a result that a life had recorded', () => {
  const resumed = (
    durable: string,
  ): string => `${clean.replace('delivered=4 durable=durable', `delivered=4 ${durable}`)}
  worker/w/2:
    w2 worker.started <- e1:caused_by {"resume":"journal"}`;

  it.each([
    ['was in memory alone', 'durable=memory', 1],
    ['was durable', 'durable=durable', 0],
    ['does not say where it was', '', 0],
  ])('and that %s', (_, durable, count) => {
    expect(findingsOf('restore-point-lacks-effect', resumed(durable))).toHaveLength(count);
  });
});

describe('R50 a summary that names nothing', () => {
  it('is a gap where commitments came before, and a notice where none did', () => {
    const summary = (before: string): string => `
  worker/w/1:
    h1 history.compacted <- ${before}:caused_by {"summary":"x"}`;
    const severity = (trace: string): readonly string[] =>
      findingsOf('summary-without-commitments', trace).map((finding) => finding.severity);
    expect(severity(clean + summary('end'))).toEqual(['gap']);
    expect(severity(`worker/w/1:\n    s step.started${summary('s')}`)).toEqual(['notice']);
  });
});

describe('R24 an acknowledgement without the effect', () => {
  const answered = (status: number): string => {
    const view = drawView(`${declared('fsync')}
  worker/w/1:
    a1 ${ask} ${data}
    k1 tool_call.acknowledged path=/write:tickets.create#0 attempt=1 <- a1:result_of {"http_status":${String(status)}}
  tickets/t/1:
    q0 effect.requested {"effect":{"kind":"other"}}`);
    const row = createReading(view, [])
      .effects()
      .find(({ tool }) => tool === 'tickets.create');
    return row === undefined ? '' : verdictToText(row);
  };

  it.each([200, 399])('of success (%i) is missing', (status) => {
    expect(answered(status)).toMatch(/missing/);
  });

  it.each([400, 404, 499, 500])('of failure (%i) is none', (status) => {
    expect(answered(status)).toBe('uncertain');
  });
});

it('R78 a key under which a request was sent very many times has a horizon like any other', () => {
  const view = drawView(sentAgain('PT1H', '2026-07-07T13:40:00Z'));
  const ledger = viewToLedger(view);
  const commands = ledger.commands.map((command) => ({
    ...command,
    attempts: command.attempts.map((attempt) => ({
      ...attempt,
      records: {
        ...attempt.records,
        dispatched: attempt.records.dispatched.flatMap((request) => Array.from({ length: 100_000 }, () => request)),
      },
    })),
  }));
  const audit = viewToAudit(view, { ...ledger, commands }, []);
  expect(retryAfterWindow.run(audit).map(({ title }) => title)).toEqual([
    'Key "k-1" used again 1 day later; kept for 1 hour',
  ]);
});

describe('R20 R58 R59 two runs that number alike', () => {
  function runOf(name: string): readonly HindcastEvent[] {
    const run = name.repeat(32);
    const own = {
      v: 1,
      type: 'note.made',
      run,
      branch: 'main',
      source: { component: 'worker', instance: name },
      data: {},
    };
    return [
      { ...own, id: 'worker-1:0', seq: 0 },
      { ...own, id: 'worker-1:1', seq: 1, supersedes: 'worker-1:0', origin: 'supplied', agent: 'support' },
    ].map((event) => {
      const parsed = parseEvent(event);
      if (!parsed.ok) throw new Error(parsed.error.message);
      return parsed.value;
    });
  }

  it.each(['edited-records', 'acting-identity'])('%s names the inserted and the replaced record of one run', (rule) => {
    const view = eventsToView([...runOf('a'), ...runOf('b')]);
    const found = computeFindings(viewToAudit(view, viewToLedger(view), [])).filter((finding) => finding.rule === rule);
    const runs = found.map(({ evidence }) => evidence.map((id) => view.index.run(view.index.find(id)).charAt(0)));
    expect(runs).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
    expect(new Set(found.flatMap(({ evidence }) => evidence)).size).toBe(4);
  });
});
