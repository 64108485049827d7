/** Recorded runs for tests: streams of real workers, and the tables that real kills gave. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLossless } from '../../base/lossless.ts';
import { type HindcastEvent, parseEvent } from '../../model/index.ts';
import type { SimulatedSweep, SimulatedTrial, Strategy } from '../types.ts';

const root = join(import.meta.dirname, '../../../..');

/** Relative to the root of the project. */
export function readEvents(file: string): readonly HindcastEvent[] {
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const value = parseLossless(line);
      const event = value.ok ? parseEvent(value.value) : undefined;
      if (event?.ok !== true) throw new Error(`${file} has a line that is no event.`);
      return event.value;
    });
}

/** The smallest run, recorded by a real worker: one model call, one ticket, one state. */
export const smallestRun = 'fixtures/versions/v1/minimal.hindcast.jsonl';

/** As the published tables write a cell: commitments of the struck effect, `d`, `m2` for models asked again, `X` never completed. */
export function toCell({ committed, deduplicated, extraModelCalls, completed }: SimulatedTrial): string {
  const marks = [
    String(committed),
    deduplicated > 0 ? 'd' : '',
    extraModelCalls > 0 ? ' m2' : '',
    completed ? '' : ' X',
  ];
  return marks.join('');
}

/** Control, then the boundaries in their order, of one effect. */
export function toRow(sweep: SimulatedSweep, strategy: Strategy, path = sweep.effects[0]): readonly string[] {
  const mine = [...sweep.controls, ...sweep.trials.filter((trial) => trial.kill?.path === path)];
  return mine.filter((trial) => trial.strategy === strategy).map(toCell);
}
