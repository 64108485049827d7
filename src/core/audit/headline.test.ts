/** The headline over whole readings: what it says where no sample shows the case. */
import { describe, expect, it } from 'vitest';
import { eventId } from '../model/index.ts';
import { drawView, viewToProblems } from '../projections/testing/drawn-view.ts';
import { createReading } from './index.ts';

const ask = 'tool_call.dispatched path=/write:mail.send#0 attempt=1 <- start:selected_by';
const data = '{"tool":"mail.send","effect":"external"}';

function factsOf(drawing: string): string[] {
  return createReading(drawView(drawing))
    .headline()
    .facts.map((spans) => spans.map(({ text }) => text).join(''));
}

function trace(...lines: string[]): string {
  return `
  worker/w/1 step=3:
    start run.started {"input":1}
    a1 ${ask} ${data}
    ${lines.join('\n    ')}`;
}

describe('the headline', () => {
  it('says what was looked at where nothing was found, and that no service confirms it', () => {
    expect(factsOf(trace('e1 tool_call.completed <- a1:result_of {"result":1}', 'end run.completed {}'))[0]).toMatch(
      /^No violation and no gap found in \d+ checks\. 1 outside effect, told by the caller alone: no records of the services are in this trace\.$/,
    );
    expect(factsOf('worker:\n start run.started {}\n end run.completed {}')[0]).toContain(
      'No request with an outside effect is recorded.',
    );
  });

  it('R35 missing parents are a gap, counted in full, and the story of the agent comes first', () => {
    const lines = Array.from({ length: 7 }, (_, n) => `h${n} step.started <- gone${n}:caused_by {"name":"GET"}`);
    const view = drawView(`
  worker/w/1 agent=helm:
    start run.started {}
    m1 model_call.requested <- start:caused_by {}
    c1 model_call.completed <- m1:result_of {}
    m2 model_call.requested <- start:caused_by {}
    c2 model_call.completed <- m2:result_of {}
    a1 tool_call.dispatched <- m1:caused_by {"tool":"list","effect":"none"}
    e1 tool_call.completed <- a1:result_of {"result":1}
    end run.completed {}
    ${lines.join('\n    ')}`);
    const reading = createReading(view, viewToProblems(view));
    const { facts, violations, gaps } = reading.headline();
    expect(facts.map((spans) => spans.map(({ text }) => text).join(''))).toEqual([
      'helm asked a model 2 times and called list; the run completed.',
      'Causes that are not in this trace: 7.',
    ]);
    expect([violations, gaps]).toEqual([0, 1]);
    const [found] = reading.findings().filter(({ rule }) => rule === 'order-problems');
    expect(found?.known).toHaveLength(6);
    expect(found?.known.at(-1)).toContain('2 more places');
  });

  it('R35 tells every kind of problem of the graph in words, never by its code', () => {
    const view = drawView('worker:\n start run.started {}');
    const found = (code: string): readonly string[] => {
      const problem = { code, message: 'It is odd.', severity: 'problem', events: [eventId('start')] } as const;
      const findings = createReading(view, [problem]).findings();
      return findings.filter(({ rule }) => rule === 'order-problems').map(({ title }) => title);
    };
    expect(found('branch-without-record')).toEqual(['Branches without a record of how they began: 1']);
    expect(found('not-yet-known')).toEqual(['Records that do not fit together: 1']);
  });

  it('R35 the number in a title is of what the title names, not of the problems that tell of it', () => {
    const lines = Array.from({ length: 61 }, (_, i) => `h${String(i)} step.started seq=${String(i * 2)}`);
    const view = drawView(`worker:\n  ${lines.join('\n  ')}\nother:\n  x step.started <- p, q, r, s, t`);
    const reading = createReading(view, viewToProblems(view));
    const found = reading.findings().filter(({ rule }) => rule === 'order-problems');
    expect(found.map(({ title }) => title)).toEqual([
      'Causes that are not in this trace: 5',
      'Holes in the numbering of a log: 60',
    ]);
    expect(found[1]?.text).toMatch(/^60 places /);
    expect(found[1]?.known.at(-1)).toContain('55 more places');
  });

  it('R28 a refused call is told as refused, and counts nowhere as an outside effect', () => {
    const drawing = trace(
      'e1 tool_call.failed <- a1:result_of {"executed":false,"refused":true}',
      'end run.completed {}',
    );
    expect(factsOf(drawing)[0]).toMatch(
      /^No violation and no gap found in \d+ checks\. No request with an outside effect is recorded\. 1 request was refused before it ran\.$/,
    );
    const reading = createReading(drawView(drawing));
    expect(reading.effects().map(({ verdict, stopped }) => [verdict, stopped])).toEqual([
      ['not executed', 'refused before it ran'],
    ]);
    const rules = reading.findings().map(({ rule }) => rule);
    for (const rule of [
      'no-service-records',
      'acting-identity',
      'dispatch-without-acknowledgement',
      'uncertain-effect',
    ])
      expect(rules).not.toContain(rule);
  });

  it('names the first event worth reading: evidence, else a decision, a model call, the beginning', () => {
    const startOf = (drawing: string): string | undefined => {
      const view = drawView(drawing);
      return createReading(view, viewToProblems(view)).headline().start;
    };
    const http = 'h step.started <- gone:caused_by {"name":"GET /"}';
    const asked = 'm model_call.requested {"request_model":"x"}\n  n model_call.completed <- m:result_of {}';
    expect(
      startOf(`worker:\n  ${http}\n  r run.started {}\n  ${asked}\n  d decision.made <- n:consumed {"chosen":1}`),
    ).toBe('d');
    expect(startOf(`worker:\n  ${http}\n  r run.started {}\n  ${asked}`)).toBe('m');
    expect(startOf(`worker:\n  ${http}\n  r run.started {}`)).toBe('r');
    expect(startOf(`worker:\n  ${http}`)).toBeUndefined();
    expect(startOf(trace('x step.completed {}'))).toBe('a1');
    expect(startOf(trace('e1 tool_call.completed <- a1:result_of {"result":1}', 'end run.completed {}'))).toBe('a1');
  });

  it('opens at the event its first fact names, also where the finding is but a notice, and at what was asked', () => {
    const openedAt = (drawing: string) => {
      const { facts, start } = createReading(drawView(drawing)).headline();
      return { start, named: facts.flat().find(({ event }) => event !== undefined)?.event };
    };
    const old = trace(
      'e1 tool_call.completed <- a1:result_of {"result":1}',
      'l1 tool_call.completed time=2026-07-06T13:40:00Z {"tool":"lookup","result":{"as_of":"2025-01-09T03:00:00Z"}}',
      'end run.completed {}',
    );
    expect(openedAt(old)).toEqual({ start: 'l1', named: 'l1' });
    const session = trace(
      'u1 input.received {"value":"Mend the door"}',
      'm1 model_call.requested <- u1:caused_by {}',
      'm2 model_call.completed <- m1:result_of {"result":"Done"}',
      'e1 tool_call.completed <- a1:result_of {"result":1}',
      'end run.completed {}',
    );
    expect(openedAt(session)).toEqual({ start: 'u1', named: 'u1' });
  });

  it('names no command in place of an agent that is not recorded', () => {
    const told = factsOf(`
  worker:
    start run.started {}
    m1 model_call.requested path=/model:plan#0 attempt=1 <- start:caused_by {}
    m2 model_call.completed path=/model:plan#0 attempt=1 <- m1:result_of {"result":1}
    end run.completed {}`);
    expect(told.join(' ')).toContain('An agent not named asked a model once');
  });

  it('says that the end of a run is not recorded, and that a run failed', () => {
    expect(factsOf('worker:\n start run.started {}').join(' ')).toContain('The end of the run is not recorded.');
    const failed = factsOf(
      'worker:\n start run.started {}\n end run.failed {"error":{"name":"E","message":"no stock"}}',
    );
    expect(failed[0]).toBe('The run failed: no stock.');
  });

  it('counts the runs of which one failed, and says of its reason only what its end does', () => {
    const told = factsOf(`
  worker run=${'1'.repeat(32)}:
    s1 run.started {}
    e1 run.completed {}
  worker run=${'2'.repeat(32)}:
    s2 run.started {}
    e2 run.failed {}`);
    expect(told[0]).toBe('1 of 2 runs failed; the record of its end gives no reason.');
  });

  it('R28 R29 tells a time-out and what followed it', () => {
    const [fact] = factsOf(
      `${trace('t1 tool_call.timed_out <- a1:result_of {}', `a2 ${ask.replace('attempt=1', 'attempt=2')} ${data}`, 'e2 tool_call.completed <- a2:result_of {"result":1}', 'end run.completed {}')}
  mail/m/1:
    c1 effect.committed <- a1:result_of {"effect":{"kind":"mail","id":"m-1"}}
    c2 effect.committed <- a2:result_of {"effect":{"kind":"mail","id":"m-2"}}`,
    );
    expect(fact).toBe(
      'Mail sending executed twice: m-1 and m-2. Worker recorded a time-out; worker dispatched the mail sending again without a key. Chosen by step 3.',
    );
  });

  it('a step that is only an id is told by the answer that it is the id of', () => {
    const chosen = (causes: string): string | undefined =>
      factsOf(`
  worker/w/1 step=msg_01TqDZoU6FcpxB4u2AmpgWfZ:
    start run.started {}
    said  model_call.completed <- start {"response_model":"finch"}
    pick  decision.made <- ${causes} {"chosen":"mail.send"}
    a1 ${ask.replace('start:', 'pick:')} ${data}`)[0]?.match(/Chosen by .*/)?.[0];
    expect(chosen('said:consumed')).toBe('Chosen by an answer of finch (step msg_01TqDZoU).');
    expect(chosen('start')).toBe('Chosen by step msg_01TqDZoU.');
  });

  it('R28 says uncertain, and not more', () => {
    const [fact] = factsOf(trace('x step.completed {}'));
    expect(fact).toBe(
      'Mail sending: whether it was executed is uncertain, and no records of the service are in this trace. No acknowledgement of worker is recorded. Chosen by step 3.',
    );
  });

  it('R35 keeps the counts of damaged order apart, and names what it leaves out', () => {
    const view = drawView(`
  worker:
    start run.started {}
    x1 step.started <- x2 {"name":"x"}
    x2 step.completed <- x1 {"name":"x"}
    y1 step.started <- y2 {"name":"y"}
    y2 step.completed {"name":"y"}
    z1 step.started <- gone {"name":"z"}
    end run.completed {}`);
    const { facts } = createReading(view, viewToProblems(view)).headline();
    const told = facts.flatMap((spans) => spans.map(({ text }) => text).join(''));
    expect(told.join(' | ')).toBe(
      '3 steps ran: x, y and z; the run completed. | Events recorded as causes of each other: 2; Effects numbered before their causes: 2; 1 more finding of this kind.',
    );
    const more = facts.flat().find(({ text }) => text.startsWith('1 more'));
    expect(more?.finding).toBeDefined();
  });

  it('tells a violation that is about no effect, and counts what it does not tell', () => {
    const many = Array.from(
      { length: 8 },
      (_, i) =>
        `b${String(i)} tool_call.dispatched path=/write:x.send#${String(i)} attempt=1 {"tool":"x.send","effect":"external"}`,
    );
    const facts = factsOf(trace(...many));
    expect(facts).toHaveLength(6);
    expect(facts.at(-1)).toMatch(/^\d+ more facts in the findings\.$/);
    const unauthorised = factsOf(
      'worker:\n d decision.made step=1 {"chosen":1}\n a tool_call.dispatched step=2 <- d:selected_by {"tool":"look","effect":"none"}\n e tool_call.completed <- a:result_of {"result":1}',
    );
    expect(unauthorised[0]).toBe('Call of "look" not authorised by what it names.');
  });
});
