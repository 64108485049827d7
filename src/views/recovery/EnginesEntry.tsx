/** The way to engines' own tables, below the campaigns: how many runs they hold, and how many were executed more often than they show. */
import type { EngineReport } from '../../core/recovery/index.ts';
import { countOf } from '../../ui/format.ts';
import styles from './TrialList.module.css';

export interface EnginesEntryProps {
  readonly runs: readonly EngineReport[];
  readonly isShown: boolean;
  readonly onShow: () => void;
}

export function EnginesEntry({ runs, isShown, onShow }: EnginesEntryProps) {
  const doubled = runs.filter(({ duplicates }) => (duplicates ?? 0) > 0).length;
  const open = runs.filter(({ duplicates }) => duplicates === undefined).length;
  return (
    <button type="button" className={styles['campaign']} aria-current={isShown ? 'page' : undefined} onClick={onShow}>
      <b>Engines’ own tables</b>
      <span>
        {countOf(runs.length, 'run')}
        {open === 0 ? '' : `, ${open} without a ledger`}
        {doubled === 0 ? '' : `, ${doubled} executed more than once`}
      </span>
    </button>
  );
}
