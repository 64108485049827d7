import { expect, it } from 'vitest';
import type { LabRecord } from './record.ts';
import { createSurvey } from './survey.ts';

const run = 'ae85a090a2a48da66087807d5eaeeb6e';

it('the life of a process id that many processes had is found without looking at the others', () => {
  const survey = createSurvey();
  const count = 1000;
  let looked = 0;
  const record = (n: number, more: Partial<LabRecord>): LabRecord => {
    const value = { eid: `e${n}` };
    const place = { file: 'a', offset: 0 };
    const base = { run, seq: n, step: undefined, cmd: undefined, attempt: undefined, causes: [], data: {} };
    return {
      ...base,
      id: `e${n}`,
      type: 'worker_started',
      component: 'harness',
      instance: 'h1',
      boot: 'h',
      pid: 1,
      raw: value,
      source: { value, text: '{}', place },
      ...more,
    };
  };
  for (let n = 0; n < count; n++) {
    const life = record(n, { component: 'worker' });
    survey.add(
      Object.defineProperty(life, 'boot', {
        get: () => {
          looked++;
          return `b${n}`;
        },
      }),
    );
    survey.add(record(n, { type: 'worker_spawned', data: { pid: 1, worker_boot: `b${n}` } }));
  }
  const whileAdding = looked;
  const found = Array.from({ length: count }, (_, n) => survey.lifeOfPid(record(n + 1, {}), 1));
  expect(looked).toBe(whileAdding);
  expect(found.map((life) => life?.boot)).toEqual(Array.from({ length: count }, (_, n) => `b${n}`));
});
