import { expect, it } from 'vitest';
import { createReading } from '../../audit/index.ts';
import { eventsToView } from '../testing/drawn-view.ts';
import { drawTrace } from '../../model/testing/trace.ts';

const patch = '*** Begin Patch\\n*** Update File: lib/deep/c.ts\\n*** End Patch';
function call(id: string, tool: string, args: object): string {
  return `${id} tool_call.dispatched path=/write:${id}#0 step=1 <- d:selected_by {"tool":"${tool}","effect":"none","args":${JSON.stringify(args)}}`;
}

function answer(id: string, more = ''): string {
  return `${id}2 tool_call.completed <- ${id}:result_of {"result":"ok"${more}}`;
}

const session = `
  w agent=main:
    run run.started {}
    p input.received <- run:caused_by {"name":"prompt","value":"<task>\\nMake it work\\n</task>"}
    m model_call.completed <- p:consumed {"request_model":"finch","output_messages":[{"role":"assistant","parts":[{"type":"text","content":"I look first"}]}]}
    d decision.made step=1 <- m:consumed {"chosen":"look"}
    ${call('a', 'Write', { file_path: '/w/a.ts', content: 'x' })}
    ${answer('a')}
    ${call('b', 'str_replace_editor', { command: 'view', path: '/w/b.ts' })}
    ${answer('b')}
    ${call('c', 'shell', { command: ['apply_patch', patch.replaceAll('\\n', '\n')] })}
    ${answer('c', ',"exit_code":0')}
    ${call('e', 'Edit', { file_path: '/w/e.ts' })}
    e2 tool_call.failed <- e:result_of {"error":{"name":"E","message":"no such file"}}
    ${call('f', 'shell', { command: 'make' })}
    ${answer('f', ',"exit_code":2')}
    n model_call.completed <- f2:consumed {"request_model":"finch","output_messages":[{"role":"assistant","parts":[{"type":"text","content":"It works now"}]}]}
`;

function factsOf(drawing: string): readonly string[] {
  const { facts } = createReading(eventsToView(drawTrace(drawing).events)).headline();
  return facts.map((spans) => spans.map(({ text }) => text).join(''));
}

it('tells of a session what was asked, answered last, failed and changed, and then what was checked', () => {
  const facts = factsOf(session);
  expect(facts.slice(0, 2)).toEqual([
    'Asked: “Make it work”. Last answer: “It works now”.',
    'main asked a model 2 times and called shell (2×), Write, str_replace_editor and 1 more; 1 call failed; 1 command ended with an exit code other than 0; changed a.ts and c.ts.',
  ]);
  expect(facts[2]).toMatch(/^No violation and no gap found/);
});

it('says nothing of a question or an answer that no record has in words', () => {
  const facts = factsOf(session.replace('input.received', 'marker.recorded').replaceAll('"parts"', '"other"'));
  expect(facts.join(' ')).not.toMatch(/Asked|Last answer/);
  expect(
    factsOf(session.replace('"value":"<task>\\nMake it work\\n</task>"', '"value":{"$hole":"h1"}')).join(' '),
  ).not.toContain('Asked');
});

it('takes the input of the run for the question where no prompt is recorded', () => {
  const facts = factsOf(
    'w agent=a:\n r run.started {"input":"Plan a trip"}\n m model_call.completed <- r:consumed {"request_model":"f"}',
  );
  expect(facts[0]).toBe('Asked: “Plan a trip”.');
});

it('tells what an evaluation said, each verdict with its count, and of several runs no last answer', () => {
  const score = (id: string, value: string): string =>
    `s${id} annotation.made <- r${id}:caused_by {"annotator":{"id":"scorer"},"label":"score","body":{"value":"${value}","answer":"long"}}`;
  const sample = (id: string, value: string): string => `
    r${id} run.started run=${id.repeat(32)} {"input":[{"role":"system","content":"Grade"},{"role":"user","content":"Where was it?"}]}
    m${id} model_call.completed run=${id.repeat(32)} <- r${id}:consumed {"request_model":"f","output_messages":[{"role":"assistant","content":"GRADE: C"}]}
    e${id} run.completed run=${id.repeat(32)} <- m${id}:consumed {"result":{"choices":[{"message":{"role":"assistant","content":"In the hall"}}]}}
    ${score(id, value)}`;
  expect(factsOf(`w agent=a:${sample('1', 'C')}`)[0]).toBe(
    'Asked: “Where was it?”. Last answer: “In the hall”. Evaluated: score C.',
  );
  const three = factsOf(`w agent=a:${sample('1', 'C')}${sample('2', 'I')}${sample('3', 'I')}`);
  expect(three[0]).toBe('Asked first: “Where was it?”. Evaluated: score I (2×) and score C.');
});

it('tells who wrote in a record that holds messages alone', () => {
  const facts = factsOf(`
    w:
      r run.started {"input":"Find a class"}
    v agent=Surfer:
      a message.sent <- r:caused_by {"role":"assistant","content":"here"}
    u agent=Coder:
      b message.sent <- a:caused_by {"role":"assistant","content":"done"}
      c annotation.made <- b:caused_by {"annotator":{"id":"x"},"label":"decisive mistake","body":{"agent":"Surfer","step":"1"}}
  `);
  expect(facts.slice(0, 2)).toEqual([
    'Asked: “Find a class”. Last answer: “done”. Evaluated: decisive mistake of Surfer at step 1.',
    'Surfer and Coder wrote 2 messages.',
  ]);
});

it('R5 tells the steps of a workflow, and which failed and why, where nobody asked a model or called a tool', () => {
  const steps = (error: string): string => `
    w:
      r run.started {}
      a step.started <- r:caused_by {"name":"plan"}
      b step.completed <- a:caused_by {"name":"plan"}
      c step.started <- b:caused_by {"name":"pay"}
      d step.completed <- c:caused_by {"name":"pay"${error}}
      e step.started <- d:caused_by {"name":"pay"}
      f step.completed <- e:caused_by {"name":"pay"${error}}
      g run.completed <- f:caused_by {}
  `;
  expect(factsOf(steps(''))[1]).toBe('3 steps ran: pay (2×) and plan.');
  expect(factsOf(steps(',"error":{"name":"Error","message":"declined"}'))[1]).toBe(
    '3 steps ran: pay (2×) and plan; 2 steps failed, the first with: declined.',
  );
});
