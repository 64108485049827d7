/**
 * Panes side by side that are resized and folded away, or one below the other, each of a height to read in; a folded one leaves a bar
 * that brings it back.
 *
 * Invariant: at least one pane is open. Sizes and folds are remembered on this machine.
 */
import { type ReactNode, createContext, use } from 'react';
import { setFolded, setSplit, usePreferences } from '../../state/preferences.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icons.tsx';
import { Split } from '../../ui/Split.tsx';
import styles from './FoldablePanes.module.css';

export type PaneId = 'left' | 'transcript' | 'inspector';

export interface Pane {
  readonly id: PaneId;
  readonly label: string;
  readonly node: ReactNode;
}

interface SplitChoice {
  readonly name: string;
  readonly label: string;
  readonly share: number;
}

export interface FoldablePanesProps {
  readonly panes: readonly Pane[];
  readonly direction: 'columns' | 'rows';
  /** Of columns; one fewer than panes. */
  readonly splits: readonly SplitChoice[];
}

/** Whether the pane around a button is the only one open. */
const LastOpen = createContext(false);

export function paneToFold(id: PaneId): string {
  return `pane.${id}`;
}

export function FoldButton({ pane, label }: { readonly pane: PaneId; readonly label: string }) {
  const isLast = use(LastOpen);
  return (
    <span className={styles['fold']}>
      <IconButton
        icon={pane === 'inspector' ? 'chevron-right' : 'chevron-left'}
        label={label}
        isDisabled={isLast}
        onPress={() => setFolded(paneToFold(pane), true)}
      />
    </span>
  );
}

export function FoldablePanes({ panes, direction, splits }: FoldablePanesProps) {
  const folded = usePreferences((preferences) => preferences.folded);
  const shares = usePreferences((preferences) => preferences.splits);
  const isFolded = ({ id }: Pane): boolean => folded[paneToFold(id)] === true;
  // All folded in another layout: the first opens.
  const open = panes.filter((pane) => !isFolded(pane));
  const groups = groupByOpen(panes, open.length === 0 ? panes.slice(0, 1) : open);
  const nodes = groups.map(({ pane, before, after }) => (
    <LastOpen key={pane.id} value={groups.length === 1}>
      <div className={styles['group']} data-direction={direction}>
        {before.map((one) => (
          <Bar key={one.id} pane={one} />
        ))}
        <div className={styles['open']}>{pane.node}</div>
        {after.map((one) => (
          <Bar key={one.id} pane={one} />
        ))}
      </div>
    </LastOpen>
  ));
  const [first, second, third] = nodes;
  // Where the first pane is folded, the bar between the other two is the second.
  const chosen = groups[0]?.pane === panes[0] ? splits : splits.slice(-1);
  const split = (choice: SplitChoice | undefined, a: ReactNode, b: ReactNode): ReactNode =>
    choice === undefined ? (
      a
    ) : (
      <Split
        label={choice.label}
        share={shares[choice.name] ?? choice.share}
        onShare={(share) => setSplit(choice.name, share)}
      >
        {a}
        {b}
      </Split>
    );
  if (second === undefined) return first;
  // One column is as long as its panes together, and the page scrolls: there is no height to divide.
  if (direction === 'rows') return <>{nodes}</>;
  return split(chosen[0], first, third === undefined ? second : split(chosen[1], second, third));
}

interface Group {
  readonly pane: Pane;
  readonly before: readonly Pane[];
  readonly after: readonly Pane[];
}

/** Each open pane with the folded ones beside it: those before the first open pane stand before it, all others after. */
function groupByOpen(panes: readonly Pane[], open: readonly Pane[]): readonly Group[] {
  const starts = open.map((pane) => panes.indexOf(pane));
  return open.map((pane, at) => ({
    pane,
    before: at === 0 ? panes.slice(0, starts[0]) : [],
    after: panes.slice((starts[at] ?? 0) + 1, starts[at + 1] ?? panes.length),
  }));
}

function Bar({ pane }: { readonly pane: Pane }) {
  return (
    <button
      type="button"
      className={styles['bar']}
      aria-expanded={false}
      aria-label={`Unfold ${pane.label}`}
      onClick={() => setFolded(paneToFold(pane.id), false)}
    >
      <Icon name="chevron-right" size={12} />
      <span>{pane.label}</span>
    </button>
  );
}
