/** The head of the debugger: where one is, the slider with its marks, and the ways to go. */
import type { DebugOverview } from '../../data/index.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { countOf, countToText } from '../../ui/format.ts';
import type { IconName } from '../../ui/Icons.tsx';
import type { Walk } from './debugger-walk.ts';
import styles from './Debugger.module.css';

interface Way {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  /** The command that goes to the one before. */
  readonly back?: { readonly id: string; readonly label: string };
}

const ways: readonly Way[] = [
  { id: 'back', icon: 'chevron-left', label: 'Back' },
  { id: 'forward', icon: 'chevron-right', label: 'Forward' },
  {
    id: 'difference',
    icon: 'warning',
    label: 'Next difference',
    back: { id: 'difference-back', label: 'Previous difference' },
  },
  { id: 'pending', icon: 'info', label: 'Next pending', back: { id: 'pending-back', label: 'Previous pending' } },
  {
    id: 'breakpoint',
    icon: 'target',
    label: 'To breakpoint',
    back: { id: 'breakpoint-back', label: 'Previous breakpoint' },
  },
  { id: 'selection', icon: 'effect', label: 'To selection' },
];

export interface DebuggerBarProps {
  readonly walk: Walk;
  readonly overview: DebugOverview;
  /** What is being walked. */
  readonly what: string;
}

export function DebuggerBar({ walk, overview, what }: DebuggerBarProps) {
  const { position, last, goTo, commands, note } = walk;
  const differences = overview.marks.filter(({ kind }) => kind === 'divergence').length;
  const pending = overview.marks.length - differences;
  return (
    <header className={styles['bar']}>
      <div className={styles['where']}>
        <h2>
          Step {countToText(position)} of {countToText(last)}
        </h2>
        <p>
          Walking {what}: {countOf(differences, 'difference')}, {countToText(pending)} pending.
        </p>
      </div>
      <div className={styles['slider']}>
        <div className={styles['marks']} aria-hidden="true">
          {overview.marks.map(({ kind, path, position: at }, n) => (
            <span
              key={`${kind} ${path} ${n}`}
              data-kind={kind}
              style={{ left: `${last === 0 ? 0 : (at / last) * 100}%` }}
            />
          ))}
        </div>
        <input
          type="range"
          aria-label="Position in the replay"
          aria-valuetext={`Step ${countToText(position)} of ${countToText(last)}`}
          min={0}
          max={last}
          step={1}
          value={position}
          onChange={(event) => goTo(Number(event.target.value))}
        />
      </div>
      <div className={styles['buttons']} role="toolbar" aria-label="Walk the replay">
        {ways.map(({ id, icon, label, back }) => {
          const on = commands.get(id);
          if (on === undefined) return undefined;
          const before = back === undefined ? undefined : commands.get(back.id);
          return (
            <span key={id} className={styles['pair']}>
              {back === undefined || before === undefined ? undefined : (
                <IconButton
                  icon="chevron-left"
                  label={back.label}
                  shortcut={before.keys?.[0]}
                  isDisabled={before.unavailable !== undefined}
                  onPress={before.run}
                />
              )}
              <Button icon={icon} shortcut={on.keys?.[0]} isDisabled={on.unavailable !== undefined} onPress={on.run}>
                {label}
              </Button>
            </span>
          );
        })}
      </div>
      {note === undefined ? undefined : <p className={styles['note']}>{note}</p>}
    </header>
  );
}
