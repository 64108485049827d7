import { expect, it } from 'vitest';
import { mainBranch } from '../core/model/index.ts';
import { drawTrace, drawnRun } from '../core/model/testing/trace.ts';
import { eventsToReader } from '../core/projections/testing/drawn-reader.ts';
import { typesToFilter } from './events-of.ts';

it('asks for the start of the run that is shown, however many runs the trace holds', () => {
  const runs = Array.from({ length: 150 }, (_, n) => `s${n} run.started run=${n + 1} {"input":${n}}`);
  const reader = eventsToReader(drawTrace(['w:', ...runs.map((line) => `  ${line}`)].join('\n')).events);
  const rowsOf = (run: string | undefined) => reader.rows(mainBranch, typesToFilter(['run.started'], run), 0, 100);
  expect(rowsOf(drawnRun(150)).rows.map(({ id }) => id)).toEqual(['s149']);
  expect(rowsOf(undefined).rows[0]?.id).toBe('s0');
});
