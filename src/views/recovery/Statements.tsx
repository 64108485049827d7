/** The generated sentence of each design: limited to what was tried, with a way to take it along. */
import type { StrategyReport } from '../../core/recovery/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { copyText } from '../../ui/copy-text.ts';
import styles from './Parts.module.css';

export function Statements({ strategies }: { readonly strategies: readonly StrategyReport[] }) {
  return (
    <ul className={styles['statements']}>
      {strategies.map(({ id, name, isNegativeControl, statement, staleText }) => (
        <li key={id}>
          <header>
            <h3>{name}</h3>
            {isNegativeControl ? <Chip>control that must fail</Chip> : undefined}
            {staleText === undefined ? undefined : <Chip tone="warning">stale</Chip>}
            <Button
              kind="quiet"
              icon="copy"
              aria-label={`Copy the statement about ${name}`}
              onPress={() => copyText(statement, 'The statement is in the clipboard.')}
            >
              Copy
            </Button>
          </header>
          {staleText === undefined ? undefined : <p className={styles['stale']}>{staleText}</p>}
          <blockquote>{statement}</blockquote>
        </li>
      ))}
    </ul>
  );
}
