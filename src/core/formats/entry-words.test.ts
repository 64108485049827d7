import { expect, it } from 'vitest';
import type { JsonValue } from '../base/json.ts';
import { listTraces } from './import.ts';
import { textToSource } from './testing/opening.ts';

async function entriesOf(value: JsonValue): Promise<readonly (readonly [string | undefined, string | undefined])[]> {
  const listed = await listTraces([textToSource('log.json', JSON.stringify(value))]);
  if (!listed.ok) throw new Error(listed.error.message);
  return listed.value.flatMap(({ traces }) => traces.map(({ about, verdict }) => [about, verdict] as const));
}

function message(role: string, content: JsonValue): JsonValue {
  return { role, content };
}

it('samples of an Inspect log are listed with the first words of their question and their scores', async () => {
  const sample = (id: number, input: JsonValue, value: JsonValue): JsonValue => ({
    id,
    epoch: 1,
    input,
    target: 'x',
    events: [{ event: 'score', uuid: `s${String(id)}`, span_id: 'a', score: { value, explanation: 'long' } }],
  });
  const log = {
    eval: { task: 't', run_id: 'r' },
    samples: [
      sample(1, [message('system', 'Be brief'), message('user', 'Where is\n the \u202eball?')], 'C'),
      sample(2, `Add ${'many '.repeat(100)}`, 0.5),
      sample(3, [message('user', [{ type: 'text', text: 'In parts' }])], { $hole: 'h' }),
    ],
  };
  const entries = await entriesOf(log);
  expect(entries.map(([about, verdict]) => [about?.slice(0, 24), verdict])).toEqual([
    ['Where is the \\u202eball?', 'score C'],
    ['Add many many many many ', 'score 0.5'],
    ['In parts', undefined],
  ]);
  expect(entries[1]?.[0]).toHaveLength(140);
});

it('results of tau-bench are listed with what the customer asked and their reward', async () => {
  const result = (task: number, reward: number): JsonValue => ({
    task_id: task,
    trial: 0,
    reward,
    info: {},
    traj: [message('system', 'policy'), message('user', `Please cancel ${String(task)}`), message('assistant', 'No.')],
  });
  expect(await entriesOf([result(1, 1), result(2, 0)])).toEqual([
    ['Please cancel 1', 'reward 1'],
    ['Please cancel 2', 'reward 0'],
  ]);
});
