/**
 * How far an import is: bytes, rate, time left, told a few times a second and not more.
 */
import type { ImportBatch } from '../../core/formats/format.ts';
import type { CountedSource } from './blob-source.ts';
import type { EarlyRow, ImportProgress } from './import-methods.ts';

export interface ImportMeter {
  batch(batch: ImportBatch): void;
  /** Begins a phase and tells of it. */
  phase(phase: ImportProgress['phase']): void;
  /** For work that gives no batch for long. */
  step(): void;
}

/** Milliseconds between two reports. */
const interval = 100;
/** How many events are sent ahead for the first look. */
export const earlyRows = 60;

export function createImportMeter(
  sources: readonly CountedSource[],
  ticks: () => number,
  report: (progress: ImportProgress) => void,
): ImportMeter {
  const started = ticks();
  const bytesTotal = sources.reduce((sum, { size = 0 }) => sum + size, 0);
  let last = -Infinity;
  let events = 0;
  let problems = 0;
  let phase: ImportProgress['phase'] = 'reading';

  function tell(rows?: readonly EarlyRow[]): void {
    last = ticks();
    const bytesRead = sources.reduce((sum, source) => sum + source.bytesRead(), 0);
    const seconds = (last - started) / 1000;
    const rate = seconds > 0 && bytesRead > 0 ? bytesRead / seconds : undefined;
    const secondsLeft = rate === undefined ? undefined : Math.max(0, bytesTotal - bytesRead) / rate;
    report({
      phase,
      bytesRead,
      bytesTotal,
      events,
      problems,
      ...(rate === undefined ? {} : { rate, secondsLeft }),
      ...(rows === undefined ? {} : { firstRows: rows }),
    });
  }

  function step(): void {
    if (ticks() - last >= interval) tell();
  }

  return {
    batch(batch) {
      const wasEmpty = events === 0;
      events += batch.events.length;
      problems += batch.problems.filter(({ severity }) => severity === 'problem').length;
      if (wasEmpty && events > 0) {
        const first = batch.events
          .slice(0, earlyRows)
          .map(({ event: { id, type, agent, time } }) => ({ id, type, agent, time }));
        tell(first);
      } else step();
    },
    phase(next) {
      phase = next;
      tell();
    },
    step,
  };
}
