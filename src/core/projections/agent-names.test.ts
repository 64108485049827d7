import { describe, expect, it } from 'vitest';
import { mainBranch } from '../model/index.ts';
import { agentName, viewToTitle } from './agent-names.ts';
import { emptyFilter } from './matching.ts';
import { drawReader } from './testing/drawn-reader.ts';
import { drawView } from './testing/drawn-view.ts';

const uuid = '6690d10e-f521-4ac0-800d-e5eb7a2d8072';
const session = `
  w agent=main:
    run    run.started {}
    spawn  agent.spawned <- run {"tool":"Task","to":"ae52dab","from":"main","args":{"description":"Find the handlers","prompt":"Look for them","subagent_type":"Explore"}}
    other  agent.spawned <- run {"tool":"Task","to":"a775a67","args":{"subagent_type":"Explore"}}
    asks   agent.spawned <- run {"to":"019fbcd0-1111-7000-8000-000000000001","args":{"message":"# Explore\\n the parser"}}
    named  agent.spawned <- run {"to":"billing","args":{"description":"Look at the bill"}}
  w agent=ae52dab:
    look   tool_call.dispatched <- spawn {"tool":"Grep"}
  w agent=sidechain:${uuid}:
    said   message.sent {"role":"user","content":[{"type":"text","text":"<system-reminder>Be kind.</system-reminder>"},{"type":"text","text":"Run the tests\\nof all parts"}]}
  w agent=billing:
    bill   tool_call.dispatched <- named {"tool":"Read"}
`;

describe('agents that have only an id', () => {
  const view = drawView(session);

  it('R15 are called by what they were started for, with their id behind it', () => {
    const agents = ['ae52dab', 'a775a67', '019fbcd0-1111-7000-8000-000000000001', `sidechain:${uuid}`];
    expect(agents.map((agent) => agentName(view, agent))).toEqual([
      'Find the handlers (ae52dab)',
      'Explore (a775a67)',
      'Explore (019fbcd0)',
      'Run the tests (6690d10e)',
    ]);
    expect(['billing', 'main', 'facade'].map((agent) => agentName(view, agent))).toEqual(['billing', 'main', 'facade']);
  });

  it('are called so in rows, lanes and transcript, and keep the id they are recorded under', () => {
    const reader = drawReader(session);
    const { rows } = reader.rows(mainBranch, emptyFilter, 0, 99);
    expect(rows.find(({ id }) => id === 'look')).toMatchObject({
      agent: 'ae52dab',
      agentName: 'Find the handlers (ae52dab)',
      title: 'Find the handlers (ae52dab) dispatched Grep',
    });
    expect(rows.find(({ id }) => id === 'spawn')?.title).toBe('main started Find the handlers (ae52dab)');
    expect(rows.find(({ id }) => id === 'said')?.title).toBe('user said: Run the tests');
    expect(rows.find(({ id }) => id === 'bill')).not.toHaveProperty('agentName');
    const lanes = reader.overview(mainBranch, emptyFilter, 4).lanes.map(({ label }) => label);
    expect(lanes).toEqual(['Find the handlers (ae52dab)', 'Run the tests (6690d10e)', 'billing', 'main']);
  });
});

it('a record about a worker that names none, as in a redacted copy, is of the life its causes lead to', () => {
  const view = drawView(`
    harness-a/h/1:
      spawn   worker.spawned {}
    component-z259/i/1:
      start   worker.started <- spawn {}
      ask     tool_call.dispatched path=/w#0 {"tool":"t"}
    harness-a/h/1:
      exit    worker.exited <- spawn {"signal":"SIGKILL"}
      again   worker.spawned <- exit {}
    component-z259/i/2:
      second  worker.started <- again {}
    harness-a/h/1:
      named   worker.exited {"code":0,"worker":{"incarnation":"9"}}
  `);
  const titles = new Map(
    [...view.positions].map((position) => [view.index.id(position) as string, viewToTitle(view, position)]),
  );
  expect(['spawn', 'exit', 'again', 'named'].map((id) => titles.get(id))).toEqual([
    'component-z259 1 spawned',
    'component-z259 1 exited by SIGKILL',
    'component-z259 2 spawned',
    'worker 9 exited with code 0',
  ]);
});
