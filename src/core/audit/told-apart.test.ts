/** Conditions of rules, one record at a time: what a rule counts, and what is like it and does not count. */
import { describe, expect, it } from 'vitest';
import { viewToLedger } from '../projections/effects/view-ledger.ts';
import { drawView } from '../projections/testing/drawn-view.ts';
import type { AuditView } from './audit-view.ts';
import { keyWithOtherBody } from './rules/key-with-other-body.ts';
import { oldObservation } from './rules/old-observation.ts';
import { ask, clean, data, declared, observedAsOf, replaced, sentAgain, ticket, who } from './testing/drawn-runs.ts';
import { findingsOf } from './testing/findings-of.ts';
import { viewToAudit } from './view-audit.ts';

function auditOf(drawing: string): AuditView {
  const view = drawView(drawing);
  return viewToAudit(view, viewToLedger(view), []);
}

describe('R137 a claim of a duplicate is held against', () => {
  const bought = (run: number, tool: string, service: string, ...made: readonly string[]): string => `
  worker/w/1 run=${String(run)}:
    a${tool} tool_call.dispatched path=/write:${tool}#0 attempt=1 {"tool":"${tool}","effect":"external"}
  ${service}/s/1 run=${String(run)}:
    ${made.map((effect, n) => `c${tool}${String(n)} effect.committed <- a${tool}:result_of {"effect":${effect}}`).join('\n    ')}`;
  const claim = (by: string, more = ''): string =>
    `\n  ${by}/k/1:\n    claim duplicate.detected {"effects":["7"]${more}}`;
  const isConfirmed = (trace: string): boolean => findingsOf('claims-compared', trace).length === 0;

  it('the effects of its own run', () => {
    const once = bought(1, 'buy', 'shop', '{"id":"7"}');
    const twice = bought(2, 'pay', 'shop', '{"id":"7"}', '{"id":"8"}');
    expect(isConfirmed(twice.replaceAll('run=2', 'run=1') + claim('checker'))).toBe(true);
    expect(isConfirmed(once + twice + claim('checker'))).toBe(false);
  });

  it('those of the service that makes the claim, where it is one', () => {
    const trace = bought(1, 'buy', 'shop', '{"id":"7"}') + bought(1, 'pay', 'bank', '{"id":"7"}', '{"id":"8"}');
    expect([claim('shop'), claim('bank'), claim('checker')].map((one) => isConfirmed(trace + one))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('those of the kind that it names, and those that tell no kind', () => {
    const trace =
      bought(1, 'buy', 'shop', '{"id":"7","kind":"order"}') + bought(1, 'pay', 'shop', '{"id":"7"}', '{"id":"8"}');
    expect(isConfirmed(trace + claim('checker', ',"kind":"order"'))).toBe(true);
    const other = trace
      .replaceAll('{"id":"8"}', '{"id":"8","kind":"fee"}')
      .replace('"id":"7"}}', '"id":"7","kind":"fee"}}');
    expect(isConfirmed(other + claim('checker', ',"kind":"order"'))).toBe(false);
  });
});

it('R78 a key is still kept at the end of its window', () => {
  expect(findingsOf('retry-after-window', sentAgain('P1D', '2026-07-07T13:40:00Z'))).toEqual([]);
  expect(findingsOf('retry-after-window', sentAgain('P1D', '2026-07-07T13:40:01Z'))).toHaveLength(1);
});

it('R127 a request that a replay only simulated changes no key', () => {
  const asked = (origin: string): string => `worker/w/1:
    a1 ${ask} key=k ${data}
    a2 ${ask.replace('attempt=1', 'attempt=2')} key=other ${origin} ${data}`;
  expect(findingsOf('unstable-key', asked(''))).toHaveLength(1);
  expect(findingsOf('unstable-key', asked('origin=replayed'))).toEqual([]);
});

it('R128 one request whose body is withheld leaves nothing open; two of them do', () => {
  const requests = (...attempts: readonly number[]): string =>
    `worker/w/1:\n    ${attempts
      .map(
        (n) =>
          `a${String(n)} ${ask.replace('attempt=1', `attempt=${String(n)}`)} key=k {"tool":"t","effect":"external","args":{"$hole":"h1"}}`,
      )
      .join('\n    ')}`;
  expect(keyWithOtherBody.isOpenIn?.(auditOf(requests(1)))).toBe(false);
  expect(keyWithOtherBody.isOpenIn?.(auditOf(requests(1, 2)))).toBe(true);
});

it('R26 an end that names no request ends the call of its call id; one that names another request does not', () => {
  const ended = (cause: string): string => `worker/w/1:
    s1 step.started {}
    b1 tool_call.dispatched {"tool":"q","effect":"none","call_id":"c-2"}
    a1 tool_call.dispatched {"tool":"q","effect":"none","call_id":"c-1"}
    e1 tool_call.completed <- ${cause} {"call_id":"c-1"}`;
  const open = (cause: string) => findingsOf('call-without-end', ended(cause)).map(({ evidence }) => evidence[0]);
  expect(open('s1:caused_by')).toEqual(['b1']);
  expect(open('b1:result_of')).toEqual(['a1']);
});

describe('R31 a sub-agent without records', () => {
  const started = (...lines: readonly string[]): readonly string[] =>
    findingsOf(
      'agent-without-records',
      `worker/w/1:\n    sp agent.spawned {"to":"helper"}\n    ${lines.join('\n    ')}`,
    ).map(({ title }) => title);
  const one = '1 sub-agent was started; its records are not in this trace';

  it('is counted once, however often its start is recorded', () => {
    expect(started('s1 step.started {}')).toEqual([one]);
    expect(started('sp agent.spawned seq=0 noseq {"to":"helper"}')).toEqual([one]);
  });

  it('may have joined without telling a result: only a copy withholds what it told', () => {
    const joined = 'j1 agent.joined <- sp:result_of {}';
    expect(started(joined)).toEqual([one]);
    expect(started(joined, 'share share.declared {"policy":{},"holes":[]}')).toEqual([]);
  });

  it('has records where something names its start, and not where clocks alone suggest it', () => {
    expect(started('s1 step.started <- sp:caused_by {}')).toEqual([]);
    expect(started('s1 step.started <- sp:caused_by? {}')).toEqual([one]);
  });
});

it('R12 a wait that a recovering runtime tells again is no further wait', () => {
  const waits = (word: string) =>
    findingsOf('checkpoint-coverage', `worker/w/1:\n    t1 timer.started ${word} {}\n    cp checkpoint.written {}`)
      .length;
  expect([waits(''), waits('replayed')]).toEqual([1, 0]);
});

it('R53 an answer is old from one whole day on, and a withheld one leaves that open', () => {
  expect(findingsOf('old-observation', observedAsOf('2026-07-05T13:40:00Z'))).toHaveLength(1);
  expect(findingsOf('old-observation', observedAsOf('2026-07-05T13:40:01Z'))).toEqual([]);
  const answered = (result: string) =>
    oldObservation.isOpenIn?.(auditOf(`worker/w/1:\n    b1 tool_call.completed {"result":${result}}`));
  expect([answered('{"$hole":"h1"}'), answered('{"as_of":{"$hole":"h1"}}'), answered('{"a":1}')]).toEqual([
    true,
    true,
    false,
  ]);
});

it('R50 a summary stands for what came before it by recorded order, and not for all that was committed', () => {
  const severity = findingsOf('summary-without-commitments', `${clean}\n  planner/p/1:\n    h1 history.compacted {}`);
  expect(severity.map((finding) => finding.severity)).toEqual(['notice']);
});

it('R15 a decision that selected a call stands for the step, and nothing that clocks suggest', () => {
  const fields = (cause: string) =>
    findingsOf(
      'identity-not-recorded',
      `worker/w/1 agent=a:\n    d1 decision.made {"result":"q"}\n    a1 tool_call.dispatched <- ${cause} {"tool":"q"}`,
    ).map(({ title }) => title);
  expect(fields('d1:selected_by')).toEqual([]);
  expect(fields('d1:caused_by')).toEqual(['Selecting step not recorded on 1 act']);
});

it('R30 R95 an effect is lost only where the service itself may have lost records', () => {
  const missing = (killed: string): readonly string[] =>
    findingsOf(
      'missing-effect',
      `${declared('fsync').replace('"tickets","flush":"fsync"', '"tickets","flush":"none"').replace('"worker","flush":"fsync"', '"worker","flush":"none"')}
  worker/w/1:
    a1 ${ask} ${data}
    e1 tool_call.completed path=/write:tickets.create#0 attempt=1 <- a1:result_of {"result":1}
  tickets/t/1:
    q1 effect.requested <- a1:result_of {}
  harness/h/1:
    gone worker.exited <- a1:informed_by {"signal":"SIGKILL","worker":{"component":"${killed}","incarnation":"1"}}`,
    ).map(({ severity }) => severity);
  expect(missing('worker')).toEqual(['violation']);
  expect(missing('tickets')).toEqual(['gap']);
});

describe('R22 a decision authorises', () => {
  const call = (result: string, cause: string): number =>
    findingsOf(
      'unauthorised-call',
      `worker/w/1:
    d1 decision.made {"result":${result}}
    b1 tool_call.dispatched {"tool":"r","effect":"none"}
    a1 tool_call.dispatched <- d1:${cause} {"tool":"q","effect":"none"}`,
    ).length;

  it('nothing that a rule alone joined to it', () => {
    expect([call('false', 'selected_by'), call('false', 'selected_by~some-rule')]).toEqual([1, 0]);
  });

  it('what it chose, where all that it chose are tools', () => {
    expect([call('["r"]', 'selected_by'), call('["r","q"]', 'selected_by')]).toEqual([1, 0]);
    expect(call('["r","call the customer"]', 'selected_by')).toBe(0);
  });
});

it('R59 a whole and clean run names whose authority every act is under', () => {
  expect(findingsOf('acting-identity', clean)).toEqual([]);
  expect(findingsOf('acting-identity', replaced(clean, ` ${who}\n    k1`, '\n    k1'))).toHaveLength(1);
  expect(
    findingsOf('executed-twice', `${clean}\n  tickets/t/1:\n    c2 effect.committed <- a1:result_of ${ticket(9)}`),
  ).toHaveLength(1);
});
