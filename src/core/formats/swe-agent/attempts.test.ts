/** A task that SWE-agent tried several times: `{attempts: [ … ]}`, and the chosen one told again beside them. */
import { describe, expect, it } from 'vitest';
import { openFiles, textToSource } from '../testing/opening.ts';
import { byType, edges, expectNoNewEdges, expectSound, openValue } from '../testing/platforms.ts';

function step(n: number): object {
  return {
    action: 'ls',
    observation: `a${n}.py`,
    response: `look ${n}`,
    thought: 'look',
    execution_time: 0.1,
    state: '{}',
  };
}

function attempt(n: number): object {
  const message = { agent: 'main', message_type: 'observation' };
  return {
    environment: 'swe_main',
    trajectory: [step(n), step(n + 1)],
    history: [
      { role: 'system', content: 'rules', ...message },
      { role: 'user', content: 'the issue', ...message },
      { role: 'assistant', content: `look ${n}`, ...message, message_type: 'action' },
    ],
    info: { exit_status: n === 0 ? 'exit_cost' : 'submitted', submission: 'diff' },
  };
}

const info = { best_attempt_idx: 1, exit_status: 'submitted', submission: 'diff' };
const attempts = [attempt(0), attempt(10)];

describe('attempts of SWE-agent (R6)', () => {
  it('each attempt is a run with its own end; what stands around them is kept with the chosen one', async () => {
    const opened = await openValue({ attempts, info });
    expectSound(opened);
    expect(opened.counts).toEqual({ input: 13, mapped: 11, merged: 2, problems: 0 });
    expect(byType(opened, 'run.started')).toHaveLength(2);
    expect(byType(opened, 'run.failed')[0]?.data).toMatchObject({ error: { name: 'exit_cost' } });
    const [chosen] = byType(opened, 'run.completed');
    expect(chosen?.data).toMatchObject({ result: 'diff' });
    const answers = byType(opened, 'model_call.completed');
    expect(answers.map(({ run }) => run === chosen?.run)).toEqual([false, false, true, true]);
    expect(byType(opened, 'tool_call.completed').map(({ data }) => data?.['result'])).toEqual([
      'a0.py',
      'a1.py',
      'a10.py',
      'a11.py',
    ]);
    expect(byType(opened, 'swe_agent.attempts')[0]?.run).toBe(chosen?.run);
  });

  it('the chosen one, told again beside the attempts, adds nothing', async () => {
    const alone = await openValue({ attempts, info });
    const opened = await openValue({ attempts, ...attempt(10), info });
    expect(opened.counts).toEqual({ input: 18, mapped: 11, merged: 7, problems: 0 });
    expect(edges(opened).length).toBe(edges(alone).length);
  });

  it('without a number of the chosen one, what stands beside the attempts is a run of its own', async () => {
    const opened = await openValue({ attempts, ...attempt(20), info: {} });
    expect(new Set(byType(opened, 'model_call.completed').map(({ run }) => run)).size).toBe(3);
  });

  it('R67 a file that was cut in an attempt keeps the attempts before it, and the steps of that one', async () => {
    const text = JSON.stringify({ attempts, info });
    const whole = await openFiles([textToSource('x', text)]);
    const cut = await openFiles([textToSource('x', text.slice(0, text.indexOf('look 11') + 3))]);
    expect(cut.counts.problems).toBeGreaterThan(0);
    expect(byType(cut, 'tool_call.completed').map(({ data }) => data?.['result'])).toEqual([
      'a0.py',
      'a1.py',
      'a10.py',
    ]);
    const first = byType(whole, 'run.failed')[0]?.run ?? '';
    const ofFirst = ({ events, ...rest }: typeof cut) => ({
      ...rest,
      events: events.filter(({ event }) => event.run === first),
    });
    expectNoNewEdges(ofFirst(cut), ofFirst(whole));
    expect(edges(ofFirst(cut))).toEqual(edges(ofFirst(whole)));
  });
});
