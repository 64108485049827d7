import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTable } from '../base/table.ts';
import { drawTrace } from '../model/testing/trace.ts';
import type { Finding } from '../projections/trace-reader.ts';
import { viewToLedger } from '../projections/effects/view-ledger.ts';
import { drawView, viewToProblems } from '../projections/testing/drawn-view.ts';
import { computeFindings, rules } from './registry.ts';
import {
  ask,
  branched,
  clean,
  data,
  declared,
  inFlight,
  incident,
  killed,
  observedAsOf,
  once,
  replaced,
  resumed,
  sentAgain,
  ticket,
  twice,
  who,
  without,
} from './testing/drawn-runs.ts';
import { drawnChildren } from './testing/drawn-children.ts';
import { viewToAudit } from './view-audit.ts';

function findingsOf(drawing: string, branch = 'main'): Finding[] {
  const view = drawView(drawing, branch);
  return computeFindings(viewToAudit(view, viewToLedger(view), viewToProblems(view)));
}

/** For each rule: a trace in which it speaks, one like it in which it is silent, and how many findings it gives. */
const cases = createTable<
  readonly { readonly name: string; readonly trace: string; readonly count: number; readonly branch?: string }[]
>({
  'executed-twice': [
    { name: 'two lives, two commitments', trace: twice, count: 1 },
    { name: 'a saved answer', trace: once, count: 0 },
  ],
  'old-observation': [
    { name: 'as of a year before', trace: observedAsOf('2025-01-09T03:00:00Z'), count: 1 },
    { name: 'as of an hour before', trace: observedAsOf('2026-07-06T12:40:00Z'), count: 0 },
    { name: 'as of what is no time', trace: observedAsOf('yesterday'), count: 0 },
  ],
  'recorded-twice': [
    {
      name: 'one effect id, two records',
      trace: `${clean}\n  tickets/t/1:\n    c9 effect.committed <- a1:result_of ${ticket(8421)}`,
      count: 1,
    },
    { name: 'two executions', trace: twice, count: 0 },
  ],
  'missing-effect': [
    {
      name: 'a result the service knows nothing of',
      trace: without(replaced(clean, ', c1:consumed', ''), 'c1'),
      count: 1,
    },
    {
      name: 'a result without any service in the trace',
      trace: without(replaced(replaced(clean, ', c1:consumed', ''), /"tools":\[.*\]/, '"conventions":1'), 'c1', 'q1'),
      count: 0,
    },
  ],
  'unauthorised-call': [
    {
      name: 'attributed to another step',
      trace: replaced(clean, `${ask} issued`, `${ask.replace('step=17', 'step=12')} issued`),
      count: 1,
    },
    {
      name: 'selected by a decision for another tool',
      trace: replaced(
        replaced(clean, '"result":"create-ticket"', '"result":"mail.send"'),
        '"tools":[',
        '"tools":[{"name":"mail.send"},',
      ),
      count: 1,
    },
    {
      name: 'selected by an effect',
      trace: replaced(clean, 'plan:selected_by', 'acc0:selected_by').replace(
        'start run.started',
        'acc0 artifact.used {}\n    start run.started',
      ),
      count: 1,
    },
    { name: 'authorised by a denial', trace: replaced(clean, '"verdict":"allow"', '"verdict":"deny"'), count: 1 },
    {
      name: 'a step within the step',
      trace: replaced(clean, `${ask} issued`, `${ask.replace('step=17', 'step=17/2')} issued`),
      count: 0,
    },
  ],
  'second-commitment-under-key': [
    {
      name: 'two ids under one key',
      trace: incident('key=k-1', `effect.committed key=k-1 <- a2:result_of ${ticket(8422)}`),
      count: 1,
    },
    { name: 'two ids without a key', trace: twice, count: 0 },
  ],
  'answered-from-key': [
    { name: 'a saved answer', trace: once, count: 1 },
    { name: 'two executions', trace: twice, count: 0 },
  ],
  'retry-after-window': [
    { name: 'a day later under a key kept for an hour', trace: sentAgain('PT1H', '2026-07-07T13:40:00Z'), count: 1 },
    { name: 'within the window', trace: sentAgain('P7D', '2026-07-07T13:40:00Z'), count: 0 },
    { name: 'no window declared', trace: sentAgain('', '2026-07-07T13:40:00Z'), count: 0 },
    {
      name: 'by two clocks, which may be apart by anything',
      trace: sentAgain('PT1H', '2026-07-07T13:40:00Z', ['c', 'other']),
      count: 0,
    },
    {
      name: 'by clocks that are not recorded, which may be any',
      trace: sentAgain('PT1H', '2026-07-07T13:40:00Z', [undefined, undefined]),
      count: 0,
    },
    {
      name: 'by a clock and one that is not recorded',
      trace: sentAgain('PT1H', '2026-07-07T13:40:00Z', ['c', undefined]),
      count: 0,
    },
  ],
  'in-flight-not-refused': [
    {
      name: 'second request before the first outcome, executed',
      trace: inFlight(`c2 effect.committed <- a2:result_of ${ticket(8422)}`),
      count: 1,
    },
    {
      name: 'second request refused with a conflict',
      trace: inFlight('c2 effect.refused <- a2:result_of {"http_status":409}'),
      count: 0,
    },
  ],
  'unstable-key': [
    {
      name: 'another key in the second attempt',
      trace: replaced(
        incident('key=k-1', `effect.committed <- a2:result_of ${ticket(8422)}`),
        /(a2 .*)key=k-1/,
        '$1key=k-2',
      ),
      count: 1,
    },
    {
      name: 'one key on two commands',
      trace: `${replaced(clean, `${ask} issued`, `${ask} key=k issued`)}\n  worker/w/1:\n    b1 tool_call.dispatched path=/write:tickets.create#1 attempt=1 key=k ${data}`,
      count: 1,
    },
    {
      name: 'a key of 256 characters',
      trace: replaced(clean, `${ask} issued`, `${ask} key=${'k'.repeat(256)} issued`),
      count: 1,
    },
    {
      name: 'a key of 255 characters',
      trace: replaced(clean, `${ask} issued`, `${ask} key=${'k'.repeat(255)} issued`),
      count: 0,
    },
    { name: 'the same key in both attempts', trace: once, count: 0 },
  ],
  'key-with-other-body': [
    {
      name: 'refused for another body',
      trace: incident('key=k-1', 'effect.refused <- a2:result_of {"request_digest":"d2","http_status":422}').replace(
        ticket(8421),
        '{"effect":{"kind":"ticket","id":"8421"},"request_digest":"d1"}',
      ),
      count: 1,
    },
    {
      name: 'the same body',
      trace: incident('key=k-1', 'effect.deduplicated <- a2:result_of {"request_digest":"d1"}').replace(
        ticket(8421),
        '{"effect":{"kind":"ticket","id":"8421"},"request_digest":"d1"}',
      ),
      count: 0,
    },
  ],
  'edited-records': [
    {
      name: 'a replacement without a person',
      trace: `${clean}\n  editor/e/1:\n    x1 tool_call.completed supersedes=e1 path=/write:tickets.create#0 {"result":2}`,
      count: 1,
    },
    {
      name: 'a replacement by a person with authority',
      trace: `${clean}\n  editor/e/1:\n    x1 tool_call.completed supersedes=e1 path=/write:tickets.create#0 {"result":2} & {"principal":{"id":"ann","kind":"human","privileged_path":"admin"}}`,
      count: 0,
    },
    {
      name: 'a privileged call without an entry',
      trace: replaced(clean, '"on_behalf_of":"customer-7"', '"on_behalf_of":"customer-7","privileged_path":"root"')
        .replace('acc access.exercised <- a1:caused_by', 'acc access.exercised <- m1:caused_by')
        .replace(
          '"role":"r","authority":"contract"} & {"principal":{"id":"svc-support","kind":"service","on_behalf_of":"customer-7","privileged_path":"root"}}',
          '"role":"r","authority":"contract"}',
        ),
      count: 1,
    },
  ],
  'acting-identity': [
    {
      name: 'an inserted record under an agent',
      trace: `${clean}\n  editor/e/1:\n    x1 tool_call.completed origin=supplied agent=support path=/write:tickets.create#0 {"result":2} & {"principal":{"id":"ann","kind":"human","privileged_path":"admin"}}`,
      count: 1,
    },
    {
      name: 'an inserted record under the person',
      trace: `${clean}\n  editor/e/1:\n    x1 tool_call.completed origin=supplied path=/write:tickets.create#0 {"result":2} & {"principal":{"id":"ann","kind":"human","privileged_path":"admin"}}`,
      count: 0,
    },
    { name: 'an outside effect without a principal', trace: replaced(clean, ` ${who}\n    k1`, '\n    k1'), count: 1 },
  ],
  'order-problems': [
    {
      name: 'a cycle, against the numbers of its log',
      trace: replaced(
        clean,
        'm1 model_call.requested path=/model:plan#0 attempt=1 issued=0',
        'm1 model_call.requested path=/model:plan#0 attempt=1 issued=0 <- end:caused_by',
      ),
      count: 2,
    },
    {
      name: 'a dangling cause and a hole',
      trace: replaced(
        without(clean, 'q1'),
        'c1 effect.committed',
        'c0 effect.requested seq=3 <- nobody:result_of {}\n    c1 effect.committed',
      ),
      count: 1,
    },
    {
      name: 'a hole in the numbers of a log',
      trace: replaced(clean, 'c1 effect.committed', 'c1 effect.committed seq=3'),
      count: 1,
    },
  ],
  'dispatch-without-acknowledgement': [
    {
      name: 'nothing after the dispatch',
      trace: `${declared('fsync')}\n  worker/w/1:\n    a1 ${ask} ${data}${killed('a1')}`,
      count: 1,
    },
    {
      name: 'a refused connection',
      trace: `${declared('fsync')}\n  worker/w/1:\n    a1 ${ask} ${data}\n    f1 tool_call.failed <- a1:result_of {"executed":false}`,
      count: 0,
    },
  ],
  'commitment-without-acknowledgement': [
    { name: 'killed before the answer', trace: twice, count: 1 },
    { name: 'killed before the answer, answered later from the key', trace: once, count: 1 },
  ],
  'acknowledgement-without-result': [
    { name: 'answered, then killed', trace: `${without(clean, 'e1', 's1', 'end')}${killed('k1')}`, count: 1 },
    { name: 'answered and kept', trace: `${without(clean, 's1', 'end')}${killed('e1')}`, count: 0 },
  ],
  'result-without-transition': [
    { name: 'kept, then killed', trace: `${without(clean, 's1', 'end')}${killed('e1')}`, count: 1 },
    { name: 'kept, no end of the run', trace: without(clean, 's1', 'end'), count: 1 },
    {
      name: 'kept, and another life made the transition',
      trace: `${replaced(without(clean, 's1', 'end'), 'tickets/t/1:', 'worker/w/2:\n    s9 state.transitioned <- e1:consumed {"from":0,"to":1}\n    end9 run.completed {}\n  tickets/t/1:')}${killed('e1')}`,
      count: 1,
    },
    {
      name: 'kept, and the life went on',
      trace: `${replaced(without(clean, 'end'), 's1 state.transitioned', 's0 step.started {}\n    s1 state.transitioned')}${killed('s1')}`,
      count: 0,
    },
    {
      name: 'no transition was due',
      trace: without(replaced(clean, '<- s1:caused_by', '<- e1:caused_by'), 's1'),
      count: 0,
    },
  ],
  'uncertain-effect': [
    {
      name: 'a lost response',
      trace: `${declared('fsync')}\n  worker/w/1:\n    a1 ${ask} ${data}\n    f1 tool_call.failed <- a1:result_of {"error":{"name":"E","message":"socket hang up"}}`,
      count: 1,
    },
    {
      name: 'a refused connection',
      trace: `${declared('fsync')}\n  worker/w/1:\n    a1 ${ask} ${data}\n    f1 tool_call.failed <- a1:result_of {"executed":false}`,
      count: 0,
    },
    {
      name: 'two answers, no service',
      trace: `worker/w/1:\n    a1 ${ask} ${data}\n    e1 tool_call.completed <- a1:result_of {"result":1}\n  worker/w/2:\n    a2 ${ask} ${data}\n    e2 tool_call.completed <- a2:result_of {"result":2}`,
      count: 1,
    },
  ],
  'effect-without-request': [
    {
      name: 'a commitment nobody asked for',
      trace: `${clean}\n  tickets/t/1:\n    c9 effect.committed ${ticket(9)}`,
      count: 1,
    },
    { name: 'a commitment that names its request', trace: clean, count: 0 },
  ],
  'restore-point-lacks-effect': [
    { name: 'the journal lacks the ticket', trace: twice, count: 1 },
    { name: 'the journal has the ticket', trace: resumed('journal'), count: 0 },
    { name: 'work begins again and the ticket exists', trace: resumed('none'), count: 1 },
    {
      name: 'a branch without the request',
      trace: branched(['a1', 'k1', 'e1', 's1', 'end', 'c1', 'q1']),
      count: 1,
      branch: 'b-1',
    },
    { name: 'a branch with the request', trace: branched(['e1', 's1', 'end']), count: 0, branch: 'b-1' },
  ],
  'summary-without-commitments': [
    {
      name: 'a summary that names nothing',
      trace: `${clean}\n  worker/w/1:\n    h1 history.compacted <- end:caused_by {"summary":"x"}`,
      count: 1,
    },
    {
      name: 'a summary that names its records',
      trace: `${clean}\n  worker/w/1:\n    h1 history.compacted <- end:caused_by {"summary":"x","stands_for":["c1"]}`,
      count: 0,
    },
  ],
  'call-without-end': [
    {
      name: 'a model call without an end',
      trace: without(
        replaced(replaced(clean, /<- m2:consumed \{"policy/, '{"policy'), /m2:consumed/g, 'm1:consumed'),
        'm2',
      ),
      count: 1,
    },
    {
      name: 'a read that ended behind its acknowledgement',
      trace: `${clean}\n  worker/w/1:\n    r1 tool_call.dispatched path=/read:x#0 step=17 agent=a <- m2:consumed {"effect":"none"}\n    r2 tool_call.acknowledged <- r1:result_of {}\n    r3 tool_call.failed <- r2:caused_by {"error":{"name":"E","message":"no"}}`,
      count: 0,
    },
  ],
  'late-answer': [
    {
      name: 'an answer after its time-out',
      trace: replaced(
        clean,
        'k1 tool_call.acknowledged',
        't1 tool_call.timed_out <- a1:result_of {}\n    k1 tool_call.acknowledged',
      ),
      count: 1,
    },
    { name: 'answers in time', trace: twice, count: 0 },
  ],
  'no-service-records': [
    {
      name: 'no service in the trace',
      trace: `worker/w/1:\n    a1 ${ask} ${data}\n    e1 tool_call.completed <- a1:result_of {"result":1}`,
      count: 1,
    },
    { name: 'the service is there', trace: clean, count: 0 },
  ],
  'buffered-producer-killed': [
    {
      name: 'killed with buffered records',
      trace: incident('', `effect.committed <- a2:result_of ${ticket(8422)}`, 'batch'),
      count: 1,
    },
    { name: 'killed, every record written through', trace: twice, count: 0 },
  ],
  'claims-compared': [
    {
      name: 'a duplicate claimed and not shown',
      trace: `${clean}\n  tickets/t/1:\n    d1 duplicate.detected <- c1:caused_by {}`,
      count: 1,
    },
    {
      name: 'a duplicate claimed and shown',
      trace: `${twice}\n  tickets/t/1:\n    d1 duplicate.detected <- c2:caused_by {}`,
      count: 0,
    },
  ],
  'agent-without-records': drawnChildren,
  'privileged-access-log': [
    { name: 'no access log', trace: without(clean, 'acc'), count: 1 },
    {
      name: 'a call that names its privileged path, and no access log',
      trace: replaced(
        without(clean, 'acc'),
        '"on_behalf_of":"customer-7"',
        '"on_behalf_of":"customer-7","privileged_path":"root"',
      ),
      count: 1,
    },
    { name: 'an access log', trace: clean, count: 0 },
  ],
  'insufficient-for-invalidation': [
    {
      name: 'a decision without causes',
      trace: replaced(clean, ' <- m2:consumed {"result":"create-ticket"}', ' {"result":"create-ticket"}'),
      count: 1,
    },
    {
      name: 'of two that name no use, one has no cause either',
      trace: `worker/w/1 agent=a:
        s1 step.started {"name":"x"}
        a1 tool_call.dispatched path=/read:x#0 issued=1 {"effect":"none"}
        a2 tool_call.dispatched path=/read:x#1 issued=2 <- s1:caused_by {"effect":"none"}`,
      count: 1,
    },
    { name: 'everything names its causes', trace: clean, count: 0 },
  ],
  'identity-not-recorded': [
    { name: 'no agent', trace: replaced(clean, 'agent=support step=17', 'step=17'), count: 1 },
    { name: 'agent, step and session', trace: clean, count: 0 },
  ],
  'decision-evidence': [
    { name: 'an effect without policy or approval', trace: replaced(clean, ', pol:authorized_by', ''), count: 1 },
    { name: 'evidence and policy', trace: clean, count: 0 },
  ],
  'checkpoint-coverage': [
    {
      name: 'no checkpoint after the effect',
      trace: replaced(clean, 'a1 tool', 'cp checkpoint.written {}\n    a1 tool'),
      count: 1,
    },
    {
      name: 'a checkpoint after the effect',
      trace: replaced(clean, 'end run', 'cp checkpoint.written <- s1:caused_by {}\n    end run'),
      count: 0,
    },
  ],
  'state-version-not-recorded': [
    { name: 'a transition without its version', trace: replaced(clean, '"from":0,', ''), count: 1 },
    { name: 'a transition with both versions', trace: clean, count: 0 },
  ],
});

/** What each requirement of the audit asks for: the rule that answers it, and what that rule says of a trace drawn for it. */
const answered = [
  ['R22', 'unauthorised-call', 'names an authority that does not cover it: the policy "p" gave the verdict "deny"'],
  ['R23', 'executed-twice', '2 executions of one command, not one execution recorded twice'],
  ['R23', 'recorded-twice', 'They are counted once'],
  ['R26', 'dispatch-without-acknowledgement', 'Acknowledgement of worker: absent'],
  ['R26', 'commitment-without-acknowledgement', 'Acknowledgement of worker 1: absent'],
  ['R26', 'acknowledgement-without-result', 'Persisted result of worker: absent'],
  ['R26', 'result-without-transition', 'State transition of worker 1: absent'],
  ['R27', 'dispatch-without-acknowledgement', 'was dispatched by worker. Acknowledgement of worker: absent'],
  ['R28', 'uncertain-effect', 'Nothing recorded says whether it was executed'],
  ['R29', 'late-answer', 'came after its request had been given up or dispatched again'],
  ['R30', 'buffered-producer-killed', 'what is missing from it reads "absent or lost"'],
  ['R31', 'agent-without-records', '1 sub-agent was started; its records are not in this trace.'],
  ['R31', 'no-service-records', 'no record of the service that received it is in this trace'],
  ['R35', 'order-problems', 'Events recorded as causes of each other'],
  ['R35', 'order-problems', 'Effects numbered before their causes'],
  ['R35', 'order-problems', 'Causes that are not in this trace'],
  ['R35', 'order-problems', 'Holes in the numbering of a log'],
  ['R45', 'insufficient-for-invalidation', '1 command or decision without any recorded cause'],
  ['R45', 'insufficient-for-invalidation', '; 1 command or decision of an agent of which nothing says what it used.'],
  ['R47', 'restore-point-lacks-effect', 'This branch lacks 8421, which exists outside'],
  ['R58', 'edited-records', 'does not say who made it and by which authority'],
  ['R59', 'acting-identity', 'carries the agent "support" as if that agent had made it'],
  ['R59', 'acting-identity', 'missing: under whose authority the agent acted'],
  ['R60', 'privileged-access-log', 'Use of privileged access not recorded'],
  ['R125', 'second-commitment-under-key', 'committed 8421 and 8422 under the one idempotency key'],
  ['R125', 'answered-from-key', 'the service returned the saved answer for 8421 and executed nothing'],
  ['R126', 'in-flight-not-refused', 'took a second request under the key "k" before the first had an outcome'],
  ['R127', 'unstable-key', 'Attempts of one command used different keys'],
  ['R127', 'unstable-key', 'Different commands sent the one idempotency key'],
  ['R127', 'unstable-key', 'the common form allows 255'],
  ['R128', 'key-with-other-body', 'had 2 different bodies'],
] as const;

describe('the registry', () => {
  it('has one id a rule, each documented with what it establishes, what it leaves open, and its requirements', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const rule of rules) {
      expect(rule.id).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
      expect(rule.title).toMatch(/^[A-Z].{10,}$/);
      expect(rule.establishes).toMatch(/^[A-Z].{30,}\.$/s);
      expect(rule.leavesOpen).toMatch(/^[A-Z].{15,}\.$/s);
      for (const requirement of rule.requirements) expect(requirement).toMatch(/^R\d+$/);
    }
  });

  it('stands in README.md, one row a rule, in the order in which rules run', () => {
    const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
    const rows = [...readme.matchAll(/^\| `([a-z-]+)` *\| (\w+) *\| ([^|]+?) *\| (.+?) *\|$/gm)].map((row) =>
      row.slice(1),
    );
    expect(rows).toEqual(
      rules.map(({ id, severity, requirements, title }) => [id, severity, requirements.join(', '), title]),
    );
  });

  it.each(answered)('%s is answered by %s: %s', (requirement, id, words) => {
    expect(rules.find((rule) => rule.id === id)?.requirements).toContain(requirement);
    const told = (cases[id] ?? []).flatMap(({ trace, branch }) =>
      findingsOf(trace, branch).flatMap(({ rule, title, text }) => (rule === id ? [`${title}. ${text}`] : [])),
    );
    expect(told.filter((text) => text.includes(words)).length, told.join('\n')).toBeGreaterThan(0);
  });

  it('has for every rule a trace in which it speaks and one in which it is silent', () => {
    for (const { id } of rules) {
      expect(
        cases[id]?.some(({ count }) => count > 0),
        `${id} speaks`,
      ).toBe(true);
      const isSilent =
        cases[id]?.some(({ count }) => count === 0) === true || !findingsOf(clean).some(({ rule }) => rule === id);
      expect(isSilent, `${id} is silent`).toBe(true);
    }
  });
});

describe('a whole and clean run', () => {
  it('has no finding at all', () => {
    expect(findingsOf(clean)).toEqual([]);
  });
});

describe.each(rules)('$id ($requirements)', ({ id, severity }) => {
  it.each(cases[id] ?? [])('$name: $count', ({ trace, count, branch }) => {
    const found = findingsOf(trace, branch).filter(({ rule }) => rule === id);
    expect(found.map(({ title }) => title)).toHaveLength(count);
    const order = ['violation', 'gap', 'notice'];
    for (const finding of found)
      expect(order.indexOf(finding.severity)).toBeGreaterThanOrEqual(order.indexOf(severity));
  });
});

describe('findings', () => {
  const all = Object.values(cases).flatMap((list) => list.flatMap(({ trace, branch }) => findingsOf(trace, branch)));

  it('have ids of their own, and evidence or a reason in words', () => {
    for (const [, list] of Object.entries(cases)) {
      for (const { trace, branch } of list) {
        const found = findingsOf(trace, branch);
        expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
      }
    }
    for (const finding of all) expect(finding.evidence.length + finding.unknown.length).toBeGreaterThan(0);
  });

  it.each(rules)('$id names events of the trace as its evidence', ({ id }) => {
    const found = (cases[id] ?? []).flatMap(({ trace, branch }) => {
      const drawn = new Set(drawTrace(trace).events.map((event) => event.id));
      return findingsOf(trace, branch).flatMap(({ rule, evidence }) => (rule === id ? [{ evidence, drawn }] : []));
    });
    expect(found.some(({ evidence }) => evidence.length > 0)).toBe(true);
    for (const { evidence, drawn } of found) expect(evidence.filter((event) => !drawn.has(event))).toEqual([]);
  });

  it('R27 every gap names its interval, what is known and what is not', () => {
    for (const finding of all.filter(({ severity }) => severity === 'gap')) {
      expect(finding.interval, finding.id).toBeDefined();
      expect(finding.known, finding.id).not.toEqual([]);
      expect(finding.unknown, finding.id).not.toEqual([]);
    }
  });

  it('R148 R27 give no advice, no blame and no certainty of their own', () => {
    for (const finding of all) {
      const text = [finding.title, finding.text, ...finding.known, ...finding.unknown].join(' ');
      expect(text, finding.id).not.toMatch(
        /\b(?:retry|retries|should|must|fault of|blame|safe to|probably|certainly|obviously)\b|!/i,
      );
      expect(text, finding.id).not.toContain('undefined');
    }
  });

  it('R30 absent reads absent or lost where a buffered producer was killed', () => {
    const wording = (flush: string): string[] =>
      findingsOf(incident('', `effect.committed <- a2:result_of ${ticket(8422)}`, flush))
        .filter(({ rule }) => rule === 'commitment-without-acknowledgement')
        .map(({ title }) => title);
    expect(wording('fsync')).toEqual(['Ticket creation: acknowledgement absent']);
    expect(wording('batch')).toEqual(['Ticket creation: acknowledgement absent or lost']);
  });
});
