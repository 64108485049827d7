/** Findings, rows and headlines over traces with several services, runs and lives, where a join may cross from one to the other. */
import { describe, expect, it } from 'vitest';
import { hasBit } from '../causal/index.ts';
import { isOutsideEffect } from '../projections/effects/stopped.ts';
import { viewToLedger } from '../projections/effects/view-ledger.ts';
import { verdictToText } from '../projections/effects/words.ts';
import { parseFilter } from '../projections/filter.ts';
import { isInsertionPoint } from '../projections/insertion-point.ts';
import { drawView, viewToProblems } from '../projections/testing/drawn-view.ts';
import type { Finding } from '../projections/trace-reader.ts';
import type { AuditView } from './audit-view.ts';
import { createReading } from './index.ts';
import { computeFindings } from './registry.ts';
import { checkpointCoverage } from './rules/checkpoint-coverage.ts';
import { dispatchWithoutAcknowledgement } from './rules/dispatch-without-acknowledgement.ts';
import { inFlightNotRefused } from './rules/in-flight-not-refused.ts';
import { viewToAudit } from './view-audit.ts';

interface Told {
  readonly findings: readonly Finding[];
  readonly of: (rule: string) => readonly Finding[];
  readonly headline: string;
  /** The last hex digit of the run, the command, the verdict and what was committed, a row a line. */
  readonly rows: readonly string[];
}

function told(drawing: string): Told {
  const view = drawView(drawing);
  const reading = createReading(view, viewToProblems(view));
  const findings = reading.findings();
  return {
    findings,
    of: (rule) => findings.filter((finding) => finding.rule === rule),
    headline: reading
      .headline()
      .facts.map((spans) => spans.map(({ text }) => text).join(''))
      .join(' | '),
    rows: reading
      .effects()
      .map((row) => `${row.run.slice(-1)} ${row.tool} ${verdictToText(row)} ${row.effectIds.join('+')}`.trim()),
  };
}

function attempt(name: string, number: number): string {
  return `${name} tool_call.dispatched path=/write:tickets.create#0 attempt=${String(number)} {"tool":"tickets.create","effect":"external"}`;
}

function committed(name: string, cause: string, kind: string, id: string): string {
  return `${name} effect.committed <- ${cause}:result_of {"effect":{"kind":"${kind}","id":"${id}"}}`;
}

describe('R23 what counts as executed more than once', () => {
  it('one request that left two kinds of things behind was executed once', () => {
    const { headline, rows, of } = told(`
      worker/w/1 agent=a step=1:
        ${attempt('a1', 1)}
      tickets/t/1:
        ${committed('c1', 'a1', 'ticket', '8421')}
        ${committed('c2', 'a1', 'email', 'm-1')}`);
    expect(headline).toContain('Ticket creation executed once: 8421; also committed: m-1.');
    expect(rows).toEqual(['1 tickets.create executed once 8421+m-1']);
    expect(of('executed-twice')).toEqual([]);
  });

  it('two requests with two kinds of things each are two executions, and name one kind', () => {
    const { headline, of } = told(`
      worker/w/1 agent=a step=1:
        ${attempt('a1', 1)}
        ${attempt('a2', 2)}
      tickets/t/1:
        ${committed('c1', 'a1', 'ticket', '8421')}
        ${committed('c2', 'a1', 'email', 'm-1')}
        ${committed('c3', 'a2', 'ticket', '8422')}
        ${committed('c4', 'a2', 'email', 'm-2')}`);
    const [finding, ...rest] = of('executed-twice');
    expect(rest).toEqual([]);
    expect(finding?.title).toBe('Ticket creation executed twice: 8421 and 8422');
    expect(finding?.text).toContain('2 executions of one command');
    expect(finding?.known).toContain('Committed as well, of another kind: m-1 and m-2.');
    expect(headline).toContain('Ticket creation executed twice: 8421 and 8422; also committed: m-1 and m-2.');
  });

  it('three executions are called so in the table, the finding and the headline', () => {
    const { headline, rows, of } = told(`
      worker/w/1 agent=a step=1:
        ${[1, 2, 3].map((n) => attempt(`a${String(n)}`, n)).join('\n        ')}
      tickets/t/1:
        ${[1, 2, 3].map((n) => committed(`c${String(n)}`, `a${String(n)}`, 'ticket', String(n))).join('\n        ')}`);
    expect(rows).toEqual(['1 tickets.create executed 3 times 1+2+3']);
    expect(of('executed-twice').map(({ title }) => title)).toEqual(['Ticket creation executed 3 times: 1, 2 and 3']);
    expect(headline).toContain('Ticket creation executed 3 times: 1, 2 and 3.');
  });
});

describe('R24 joins never cross, and never choose', () => {
  const paid = '{"tool":"pay","effect":"external"}';
  const mailed = '{"tool":"mail","effect":"external"}';
  const two = `
      worker/w/1 agent=a step=1:
        a1 tool_call.dispatched path=/write:pay#0 attempt=1 key=order-7 ${paid}
        a2 tool_call.dispatched path=/write:mail#0 attempt=1 key=order-7 ${mailed}
        z1 tool_call.completed path=/write:pay#0 attempt=1 delivered=1 <- a1:result_of {"result":1}
        z2 tool_call.completed path=/write:mail#0 attempt=1 delivered=2 <- a2:result_of {"result":1}
      mailer/m/1:
        c2 effect.committed key=order-7 {"effect":{"id":"m-1"}}
        EXTRA
      payments/p/1:
        c1 effect.committed key=order-7 {"effect":{"id":"p-1"}}`;

  it('one key at two services: each commitment goes to the tool its service is declared for', () => {
    const declared = `
      lab/l/1:
        d stream.declared {"tools":[{"name":"pay","service":"payments"},{"name":"mail","service":"mailer"}]}${two}`;
    const { rows, of } = told(declared.replace('EXTRA', ''));
    expect(rows).toEqual(['1 pay executed once p-1', '1 mail executed once m-1']);
    expect(of('effect-without-request')).toEqual([]);
  });

  it('one key at two services: a recorded cause elsewhere tells which service answers for which tool', () => {
    const mail = `${two.replace('EXTRA', 'c3 effect.committed <- a3:result_of {"effect":{"id":"m-0"}}')}
      worker/w/1 agent=a step=1:
        a3 tool_call.dispatched path=/write:mail#1 attempt=1 ${mailed}`;
    const { rows } = told(mail);
    expect(rows).toContain('1 mail executed once m-1');
    expect(rows).toContain('1 pay executed once p-1');
  });

  it('one key at two services, and nothing says which answers for what: neither is joined, and that is said', () => {
    const { rows, of } = told(two.replace('EXTRA', ''));
    // Neither are the two services one: a key is a service's own.
    expect([...of('second-commitment-under-key'), ...of('missing-effect')]).toEqual([]);
    expect(rows).toContain('1 pay answered; executed as its caller tells');
    expect(rows).toContain('1 mail answered; executed as its caller tells');
    const [finding] = of('effect-without-request');
    expect(of('effect-without-request')).toHaveLength(2);
    expect(finding?.text).toContain('nothing tells which of them it answers');
    expect(finding?.known).toContain('Requests under its key: /write:pay#0 and /write:mail#0.');
  });

  it('records of a service that name only the command stand at no attempt of two', () => {
    const { rows, of, headline } = told(`
      worker/w/1 agent=a step=1:
        a1 tool_call.dispatched path=/write:t#0 attempt=1 {"tool":"t","effect":"external"}
        a2 tool_call.dispatched path=/write:t#0 attempt=2 {"tool":"t","effect":"external"}
      t/t/1:
        c1 effect.committed path=/write:t#0 {"effect":{"id":"9"}}
        c2 effect.committed path=/write:t#0 {"effect":{"id":"10"}}`);
    expect(rows).toEqual(['1 t executed twice 9+10']);
    expect(of('executed-twice')[0]?.text).toContain(
      '9 for one of the attempts, not told which and 10 for one of the attempts, not told which',
    );
    expect(of('commitment-without-acknowledgement')).toEqual([]);
    const gaps = of('dispatch-without-acknowledgement');
    expect(gaps.map(({ evidence }) => evidence[0])).toEqual(['a1', 'a2']);
    for (const { unknown } of gaps)
      expect(unknown).toContain(
        'Whether this request was executed: the records of the service do not say which attempt they are about.',
      );
    expect(headline).not.toContain('the caller dispatched');
  });

  it.each([
    ['a number that no attempt has', 'c1 effect.committed path=/write:t#0 attempt=3 {"effect":{"id":"9"}}'],
    ['a number that two lives have', 'c1 effect.committed path=/write:t#0 attempt=1 {"effect":{"id":"9"}}'],
    ['a key that both carry', 'c1 effect.committed key=k {"effect":{"id":"9"}}'],
  ])('%s tells no attempt', (_, line) => {
    const view = drawView(`
      worker/w/1 agent=a step=1:
        a1 tool_call.dispatched path=/write:t#0 attempt=1 key=k {"tool":"t","effect":"external"}
      worker/w/2 agent=a step=1:
        a2 tool_call.dispatched path=/write:t#0 attempt=1 key=k {"tool":"t","effect":"external"}
      t/t/1:
        ${line}`);
    const [row] = createReading(view).effects();
    // One of the two was executed; whether the other was too, no record says.
    expect([row?.verdict, row?.times]).toEqual(['uncertain', 1]);
    expect(row?.attempts.map(({ isUnassigned, committed: made }) => [isUnassigned === true, made.length])).toEqual([
      [false, 0],
      [false, 0],
      [true, 1],
    ]);
  });

  it('an answer that names only the command is not told as missing twice', () => {
    const answers = (lines: string): Told =>
      told(`
      worker/w/1 agent=a step=1:
        a1 tool_call.dispatched path=/write:t#0 attempt=1 {"tool":"t","effect":"external"}
        a2 tool_call.dispatched path=/write:t#0 attempt=2 {"tool":"t","effect":"external"}
        ${lines}`);
    const one = 'z1 tool_call.completed path=/write:t#0 delivered=1 {"result":1}';
    expect(answers(one).of('dispatch-without-acknowledgement')).toHaveLength(2);
    const both = `${one}\n        z2 tool_call.completed path=/write:t#0 delivered=2 {"result":1}`;
    expect(answers(both).of('dispatch-without-acknowledgement')).toEqual([]);
  });
});

describe('R31 R95 the records of one run say nothing of another', () => {
  it('a run without the records of its service is told by its caller alone', () => {
    const { rows, of } = told(`
      worker/w/1 agent=a step=1:
        a1 tool_call.dispatched path=/write:pay#0 attempt=1 {"tool":"pay","effect":"external"}
        z1 tool_call.completed path=/write:pay#0 attempt=1 delivered=1 <- a1:result_of {"result":1}
      payments/p/1:
        c1 effect.committed <- a1:result_of {"effect":{"id":"p-1"}}
      worker/w9/1 run=2 agent=a step=1:
        b1 tool_call.dispatched path=/write:pay#0 attempt=1 {"tool":"pay","effect":"external"}
        y1 tool_call.completed path=/write:pay#0 attempt=1 delivered=1 <- b1:result_of {"result":1}`);
    expect(rows).toEqual(['1 pay executed once p-1', '2 pay answered; executed as its caller tells']);
    expect(of('missing-effect')).toEqual([]);
    const [finding] = of('no-service-records');
    expect(finding?.evidence).toEqual(['b1']);
    expect(finding?.text).toContain('those of other runs say nothing of this one');
  });
});

describe('R24 R5 answers of outside calls without a recorded request', () => {
  it('stand in the ledger as commands, and are findings', () => {
    const { rows, of, headline } = told(`
      worker/w/1 agent=a step=1:
        z1 tool_call.completed path=/write:pay#0 attempt=1 delivered=2 {"tool":"pay","effect":"external","result":{"id":9}}
        k2 tool_call.acknowledged path=/write:mail#0 attempt=1 & {"command":{"path":"/write:mail#0","kind":"write","attempt":1}}
        y2 tool_call.completed path=/write:mail#0 attempt=1 {"result":1} & {"command":{"path":"/write:mail#0","kind":"write","attempt":1}}
        r1 tool_call.completed path=/read:look#0 attempt=1 {"tool":"look","effect":"none","result":1}`);
    expect(rows).toEqual([
      '1 pay answered; executed as its caller tells',
      '1 tool not recorded answered; executed as its caller tells',
    ]);
    expect(of('effect-without-request').map(({ evidence }) => evidence)).toEqual([['z1'], ['k2']]);
    expect(headline).not.toContain('No request with an outside effect is recorded');
    expect(of('no-service-records')).toEqual([]);
  });

  it('an answer whose dispatch says that the call stays inside, by path or by call id, is no such answer', () => {
    const { rows, of } = told(`
      worker/w/1 agent=a step=1:
        a1 tool_call.dispatched path=/x:look#0 attempt=1 {"tool":"look","effect":"none"}
        z1 tool_call.completed path=/x:look#0 {"tool":"look","effect":"external","result":1}
        a2 tool_call.dispatched {"tool":"look","effect":"none","call_id":"c"}
        z2 tool_call.completed {"tool":"look","effect":"external","call_id":"c","result":1}`);
    expect(rows).toEqual([]);
    expect(of('effect-without-request')).toEqual([]);
  });
});

describe('R26 calls without an end', () => {
  it('a call and its end that share a call id are one call, as they are in the ledger', () => {
    const { of } = told(`
      worker/w/1 agent=a step=1:
        a1 tool_call.dispatched {"tool":"look","effect":"none","call_id":"c1"}
        z1 tool_call.completed {"tool":"look","call_id":"c1","result":1}
        a2 tool_call.dispatched {"tool":"look","effect":"none","call_id":"c2"}
        a3 tool_call.dispatched {"tool":"look","effect":"none","call_id":"c3"}
      worker/w/2 agent=a step=1:
        b3 tool_call.dispatched {"tool":"look","effect":"none","call_id":"c3"}
        y3 tool_call.failed {"tool":"look","call_id":"c3","error":{"name":"E","message":"no"}}
      worker/w9/1 run=2 agent=a step=1:
        x2 tool_call.completed {"tool":"look","call_id":"c2","result":1}`);
    expect(of('call-without-end').map(({ evidence }) => evidence[0])).toEqual(['a2', 'a3']);
  });

  it('a second record of one outside call is no second request', () => {
    const { rows, of } = told(`
      worker/w/1 agent=a step=1:
        a1 tool_call.dispatched {"tool":"send","effect":"external"}
        a1 tool_call.dispatched {"tool":"send","effect":"external","args":1}
        z1 tool_call.completed <- a1:result_of {"result":1}`);
    expect(rows).toEqual(['1 send answered; executed as its caller tells']);
    expect(of('dispatch-without-acknowledgement')).toEqual([]);
    expect(of('recorded-twice')).toHaveLength(1);
  });

  it('a second record of one call is no second call without an end', () => {
    const { of } = told(`
      worker/w/1 agent=a step=1:
        m1 model_call.requested path=/model:p#0 attempt=1 {"args":1}
        m1 model_call.requested path=/model:p#0 attempt=1 {"args":2}
        m2 model_call.completed path=/model:p#0 attempt=1 delivered=1 {"result":1}`);
    expect(of('call-without-end')).toEqual([]);
  });
});

describe('R58 R59 records put in on the original', () => {
  it.each([
    'message.sent',
    'state.transitioned',
    'tool_call.dispatched',
    'effect.committed',
    'artifact.produced',
    'my.own',
  ])('%s is an edit like any other', (type) => {
    const { of } = told(`
      worker/w/1 agent=planner:
        x1 ${type} origin=supplied {"name":"x"}`);
    expect(of('edited-records').map(({ evidence }) => evidence)).toEqual([['x1']]);
    expect(of('acting-identity').filter(({ severity }) => severity === 'violation')).toHaveLength(1);
  });
});

describe('G18 R53 what clocks alone suggest is no evidence', () => {
  it('for a decision, for authority, for a late answer and for a selecting step', () => {
    const { of } = told(`
      worker/w/1 agent=a:
        d1 decision.made noseq <- m1:informed_by? {"chosen":"x"}
        m1 message.sent noseq {"content":"x"}
        a1 tool_call.dispatched path=/write:x#0 attempt=1 noseq <- d1:selected_by?, m1:authorized_by? {"tool":"x","effect":"external"}
        a2 tool_call.dispatched path=/write:x#0 attempt=2 noseq step=1 <- d1:selected_by {"tool":"x","effect":"external"}
      pay/p/1:
        c1 effect.committed noseq <- a1:result_of, a2:caused_by? {"effect":{"id":"1"}}`);
    expect(of('decision-evidence').map(({ evidence }) => evidence)).toEqual([['d1'], ['a1']]);
    expect(of('late-answer')).toEqual([]);
    expect(of('identity-not-recorded').filter(({ title }) => title.startsWith('Selecting'))[0]?.evidence).toEqual([
      'a1',
    ]);
  });
});

describe('R127 keys', () => {
  const asked = (first: string, second: string, service = ''): Told =>
    told(`
      worker/w/1 agent=a:
        a1 tool_call.dispatched path=/write:pay#0 attempt=1 ${first} {"tool":"pay","effect":"external"}
        a2 tool_call.dispatched path=/write:pay#0 attempt=2 ${second} {"tool":"pay","effect":"external"}
      payments/p/1:
        q0 effect.requested {}
        ${service}`);

  it('a key that only the service told is a key', () => {
    const { of } = asked(
      '',
      'key=k-1',
      'c1 effect.committed key=k-1 <- a1:result_of {"effect":{"id":"p-1"}}\n        c2 effect.deduplicated key=k-1 <- a2:result_of {"effect":{"id":"p-1"}}',
    );
    expect(of('unstable-key')).toEqual([]);
    expect(of('answered-from-key')[0]?.text).toContain('with the idempotency key "k-1"');
  });

  it('another key told by the service is another key', () => {
    const { of } = asked('', 'key=k-1', 'c1 effect.committed key=k-0 <- a1:result_of {"effect":{"id":"p-1"}}');
    expect(of('unstable-key').map(({ severity, text }) => [severity, text])).toEqual([
      ['violation', 'Attempts of one command used different keys: "k-0" and "k-1".'],
    ]);
  });

  it('a key that is not recorded is not said to be none', () => {
    const { of } = asked('', 'key=k-1');
    const [finding] = of('unstable-key');
    expect([finding?.severity, finding?.unknown]).toEqual([
      'notice',
      ['Whether an attempt without a recorded key was sent with one.'],
    ]);
    expect(finding?.known[0]).toBe('worker dispatched it without a recorded idempotency key');
  });

  it('two long keys with one beginning are two findings with ids of their own', () => {
    const { of } = told(`
      worker/w/1 agent=a:
        a1 tool_call.dispatched path=/write:x#0 attempt=1 key=${'k'.repeat(299)}1 {"tool":"x","effect":"external"}
        a2 tool_call.dispatched path=/write:x#1 attempt=1 key=${'k'.repeat(299)}2 {"tool":"x","effect":"external"}`);
    expect(new Set(of('unstable-key').map(({ id }) => id)).size).toBe(2);
  });
});

describe('R22 R57 authority', () => {
  const call = (lines: string): Told =>
    told(`
      worker/w/1 agent=a step=1:
        q1 approval.requested {"name":"refund"}
        ${lines}
        a1 tool_call.dispatched <- q1:authorized_by {"tool":"refund","effect":"external"}
        z1 tool_call.completed <- a1:result_of {"result":1}`);

  it('an approval that was asked for and not answered is a gap, and authorises nothing', () => {
    const { of } = call('');
    expect(of('unauthorised-call').map(({ severity, unknown }) => [severity, unknown])).toEqual([
      ['gap', ['Whether the approval was given.']],
    ]);
    expect(of('decision-evidence').map(({ title }) => title)).toEqual([
      'Policy or approval not recorded for 1 outside effect',
    ]);
  });

  it('one that was granted authorises, one that was denied does not', () => {
    const granted = call('g1 approval.granted <- q1:result_of {}');
    expect([...granted.of('unauthorised-call'), ...granted.of('decision-evidence')]).toEqual([]);
    const denied = call('g1 approval.denied <- q1:result_of {}');
    expect(denied.of('unauthorised-call').map(({ severity }) => severity)).toEqual(['violation']);
    expect(denied.of('decision-evidence')).toHaveLength(1);
  });

  it.each([
    ['', '', 1],
    [' & {"imported":{"format":"langfuse"}}', '', 0],
    [' & {"imported":{"format":"recovery-lab"}}', 's1 step.started step=1 {}', 1],
  ])('a call in another step than its decision, told%s%s, makes %i findings', (imported, started, count) => {
    const { of } = told(`
      worker/w/1 agent=a step=2:
        ${started}
        d1 decision.made path=/decide:act#0 step=1 {"result":"q"}${imported}
        a1 tool_call.dispatched <- d1:selected_by {"tool":"q","effect":"none"}${imported}
        ${started === '' ? '' : 's2 step.started {}'}`);
    expect(of('unauthorised-call')).toHaveLength(count);
  });

  it.each([
    [false, ['the decision d1 chose not to do it']],
    [true, []],
  ])('a decision that chose %s selects what it chose, and nothing that it chose not to do', (chosen, reasons) => {
    const { of } = told(`
      worker/w/1 agent=a step=1:
        d1 decision.made path=/decide:act#0 {"args":{"chosen":${String(chosen)}},"result":${String(chosen)}}
        a1 tool_call.dispatched <- d1:selected_by {"tool":"q","effect":"none"}`);
    expect(of('unauthorised-call').map(({ text }) => /the decision d1 .*?do it/.exec(text)?.[0])).toEqual(reasons);
  });

  it.each([
    ['"blocked"', true],
    ['"failed"', true],
    ['"Rejected"', true],
    ['"violated"', true],
    ['false', true],
    ['true', false],
    ['"allow"', false],
  ])('a policy with the verdict %s refuses: %s; its row and the rule agree', (verdict, isRefused) => {
    const drawing = `
      worker/w/1 agent=a step=1:
        p1 policy.evaluated {"policy":"p","verdict":${verdict}}
        a1 tool_call.dispatched <- p1:authorized_by {"tool":"q","effect":"none"}`;
    const view = drawView(drawing);
    expect(told(drawing).of('unauthorised-call')).toHaveLength(isRefused ? 1 : 0);
    expect(view.index.has(view.index.find('p1'), 'failed')).toBe(isRefused);
  });
});

describe('R29 late answers', () => {
  it('a mark of the producer is told as its mark', () => {
    const [finding] = told(`
      worker/w/1 agent=a:
        a1 tool_call.dispatched path=/write:pay#0 attempt=1 {"tool":"pay","effect":"external"}
        z1 tool_call.completed path=/write:pay#0 attempt=1 delivered=1 <- a1:result_of {"result":1,"late":true}`).of(
      'late-answer',
    );
    expect(finding?.known).toEqual(['Marked late by its producer: z1.']);
    expect(finding?.text).toContain('is marked late by its producer; no recorded order shows it');
    expect(finding?.unknown).toHaveLength(1);
  });
});

describe('R147 a call that is outside only by the declaration of its tool', () => {
  it('is marked as one in its row, in filters, and where somebody could have stepped in', () => {
    const view = drawView(`
      lab/l/1:
        d stream.declared {"tools":[{"name":"pay","effect":"external"},{"name":"look","effect":"none"}]}
      worker/w/1 agent=a:
        a1 tool_call.dispatched {"tool":"pay","call_id":"c"}
        a2 tool_call.dispatched {"tool":"look","call_id":"e"}
        a3 tool_call.dispatched {"tool":"pay","effect":"none","call_id":"f"}
        a4 tool_call.dispatched {"tool":"pay","effect":"external","call_id":"g"}
        n4 approval.denied <- a4:caused_by {"granted":false}
        a5 tool_call.dispatched {"tool":"pay","call_id":"h"}
        r5 tool_call.completed <- a5:result_of {"result":1,"call_id":"h"}`);
    const marked = [...view.positions].filter((position) => isOutsideEffect(view, position));
    expect(marked.map(view.index.id)).toEqual(['a1', 'a5']);
    // Of what was answered nothing is left to step in to.
    const open = [...view.positions].filter((position) => isInsertionPoint(view, position));
    expect(open.map(view.index.id)).toEqual(['a1']);
    const filter = parseFilter('status:effect');
    if (!filter.ok) throw new Error(filter.error.message);
    const shown = view.matching(filter.value);
    expect([...view.positions].filter((position) => hasBit(shown, position))).toEqual(marked);
    const attempts = createReading(view)
      .effects()
      .flatMap((row) => row.attempts);
    expect(attempts.map(({ canStepIn }) => canStepIn)).toEqual([true, undefined, undefined]);
  });
});

describe('words of counts', () => {
  it('are plural where there are several', () => {
    const { of } = told(`
      worker/w/1:
        d1 decision.made path=/decide:a#0 issued=1 {"result":1}
        d2 decision.made path=/decide:b#0 issued=2 {"result":1}
        t1 state.transitioned {"name":"x","to":1}
        t2 state.transitioned {"name":"x","to":2}`);
    expect(of('insufficient-for-invalidation')[0]?.text).toContain(
      '2 commands or decisions without any recorded cause; 2 transitions without the version they consumed; 2 transitions without a digest of the new state.',
    );
  });

  it('say that no identity is recorded where none is', () => {
    const { of } = told(`
      worker/w/1:
        a1 tool_call.dispatched path=/write:pay#0 attempt=1 {"tool":"pay","effect":"external"}`);
    expect(of('acting-identity')[0]?.text).toBe(
      'For 1 consequential act no identity is recorded; missing: who acted and under whose authority.',
    );
  });
});

describe('R146 many records of one kind', () => {
  const many = (count: number, line: (n: number) => string): string =>
    Array.from({ length: count }, (_, n) => line(n)).join('\n    ');

  function audited(drawing: string): {
    readonly audit: AuditView;
    readonly walks: () => number;
    readonly bodies: () => number;
  } {
    const view = drawView(drawing);
    let bodies = 0;
    let walks = 0;
    const counting = {
      ...view,
      event: (position: number) => {
        bodies++;
        return view.event(position);
      },
    };
    const audit = viewToAudit(counting, viewToLedger(view), []);
    const precedes: AuditView['precedes'] = (a, b) => {
      walks++;
      return audit.precedes(a, b);
    };
    return { audit: { ...audit, precedes }, walks: () => walks, bodies: () => bodies };
  }

  it('a command tried forty times under one key asks for no walk over the graph', () => {
    const { audit, walks } = audited(`
  worker/w/1:
    ${many(40, (n) => `d${String(n)} tool_call.dispatched path=/write:p#0 attempt=${String(n + 1)} key=k {"tool":"p","effect":"external"}`)}
  pay/p/1:
    ${many(40, (n) => `q${String(n)} effect.requested <- d${String(n)}:result_of {}`)}
    c1 effect.committed <- d1:result_of {"effect":{"id":"1"}}
    c0 effect.committed <- d0:result_of {"effect":{"id":"0"}}`);
    expect(inFlightNotRefused.run(audit)).toHaveLength(1);
    expect(walks()).toBe(0);
    const [gap] = dispatchWithoutAcknowledgement.run(audit);
    expect(gap?.known.at(-1)).toBe('Later: 29 more attempts of the command.');
  });

  it('effects and checkpoints are compared in one pass', () => {
    const { audit, walks } = audited(`
  worker/w/1:
    ${many(20, (n) => `d${String(n)} tool_call.dispatched path=/write:p#${String(n)} attempt=1 {"tool":"p","effect":"external"}\n    z${String(n)} tool_call.completed path=/write:p#${String(n)} attempt=1 delivered=${String(n)} <- c${String(n)}:caused_by {"result":1}\n    k${String(n)} checkpoint.written {}`)}
  pay/p/1:
    ${many(20, (n) => `c${String(n)} effect.committed <- d${String(n)}:result_of {"effect":{"id":"${String(n)}"}}`)}
    last effect.committed <- d1:result_of {"effect":{"id":"late"}}`);
    const [finding] = checkpointCoverage.run(audit);
    expect(finding?.evidence).toEqual(['last']);
    expect(walks()).toBe(0);
  });

  it('the ends of many runs are read once', () => {
    const { audit, bodies } = audited(
      many(
        60,
        (n) => `worker/w${String(n)}/1 run=${String(n + 1)}:
      d${String(n)} tool_call.dispatched path=/write:p#0 attempt=1 {"tool":"p","effect":"external"}
      z${String(n)} tool_call.completed path=/write:p#0 attempt=1 delivered=1 durable=durable <- d${String(n)}:result_of {"result":1}
      r${String(n)} run.completed {"result":1}`,
      ),
    );
    expect(computeFindings(audit).filter(({ severity }) => severity !== 'notice')).toEqual([]);
    expect(bodies()).toBeLessThan(60 * 3 * 10);
  });

  it('a finding about a command of one run is not one about the same command of another', () => {
    const view = drawView(`
      worker/w/1 run=1:
        a1 tool_call.dispatched path=/write:p#0 attempt=1 {"tool":"p","effect":"external"}
      worker/w/2 run=2:
        b1 tool_call.dispatched path=/write:p#0 attempt=1 {"tool":"p","effect":"external"}`);
    const reading = createReading(view);
    const gaps = reading.findings().filter(({ rule }) => rule === 'dispatch-without-acknowledgement');
    const told = reading
      .effects()
      .map((row) => gaps.filter(({ id }) => row.findings.includes(id)).map(({ evidence }) => evidence[0]));
    expect(told).toEqual([['a1'], ['b1']]);
  });
});
