/** Cells of the matrix of simulated kills, in words. */
import type { SimulatedTrial } from '../../core/simulate/index.ts';
import { countOf } from '../../ui/format.ts';

export type CellTone = 'ok' | 'danger' | 'warning' | 'none';

export function trialToTone(trial: SimulatedTrial): CellTone {
  if (trial.kill !== undefined && !trial.reached) return 'none';
  if (trial.duplicates > 0 || trial.losses.length > 0) return 'danger';
  return trial.completed ? 'ok' : 'warning';
}

/** The few words of a cell: the struck effect, then what else is not as meant. */
export function trialToWords(trial: SimulatedTrial): readonly string[] {
  const { kill, reached, committed, duplicates, losses, deduplicated, refused, extraModelCalls, completed } = trial;
  if (kill !== undefined && !reached) return ['never came there'];
  const others = duplicates - Math.max(0, committed - 1);
  return [
    committed === 0
      ? 'never made'
      : committed === 1
        ? 'once'
        : committed === 2
          ? 'twice'
          : `${String(committed)} times`,
    ...(kill !== undefined && others > 0 ? [`${String(others)} other doubled`] : []),
    ...(losses.length > 0 ? [`${String(losses.length)} lost`] : []),
    ...(deduplicated > 0 ? ['answered from key'] : []),
    ...(refused > 0 ? ['refused'] : []),
    ...(extraModelCalls > 0 ? [countOf(extraModelCalls, 'model call again', 'model calls again')] : []),
    ...(completed ? [] : ['not completed']),
  ];
}
