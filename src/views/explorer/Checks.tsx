/** What was checked: each rule with what it looks for, and what it found; a count leads to its findings, one after the other. */
import type { CheckedRule, Finding } from '../../core/projections/trace-reader.ts';
import { countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { checksToRows, nextFindingOf } from './checks.ts';
import type { Explorer } from './explorer.ts';
import styles from './Checks.module.css';

export interface ChecksProps {
  readonly checked: readonly CheckedRule[];
  readonly findings: readonly Finding[];
  readonly explorer: Explorer;
  /** Called when a finding is shown. */
  readonly onShow?: () => void;
}

export function Checks({ checked, findings, explorer, onShow }: ChecksProps) {
  return (
    <ul className={styles['checks']}>
      {checksToRows(checked, findings).map(({ rule, title, looksFor, found, severity, isOpen }) => (
        <li key={rule} data-severity={severity}>
          <span className={styles['sign']}>
            <Icon
              name={
                severity === undefined
                  ? isOpen === true
                    ? 'minus'
                    : 'check'
                  : severity === 'notice'
                    ? 'info'
                    : 'warning'
              }
              size={14}
            />
          </span>
          <span className={styles['what']}>
            <b>{title}</b>
            <span>
              Looks for: {looksFor} <code>{rule}</code>
            </span>
          </span>
          {found.length === 0 ? (
            <span className={styles['result']}>{isOpen === true ? 'not decidable in this copy' : 'nothing found'}</span>
          ) : (
            <button
              type="button"
              className={styles['result']}
              aria-label={`${countOf(found.length, severity ?? 'finding')} by “${title}”: show`}
              onClick={() => {
                explorer.showFinding(nextFindingOf(found, explorer.finding));
                onShow?.();
              }}
            >
              {countOf(found.length, severity ?? 'finding')}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
