/** What can be done with the traces that are ticked in the list: compare two, replay one program over them, judge them, delete them. */
import type { TraceId } from '../../data/index.ts';
import { recoveryLocation, useNavigation } from '../../state/location.ts';
import { Button } from '../../ui/Button.tsx';
import { countOf } from '../../ui/format.ts';
import { comparedLocation, runSetLocation } from './chosen-places.ts';
import styles from './TraceTable.module.css';

export interface ChosenActsProps {
  /** In the order in which they were ticked: the first is compared with the second. */
  readonly chosen: readonly [TraceId, ...(readonly TraceId[])];
  /** The page of recovery can say something about one of them. */
  readonly mayHoldTrials: boolean;
  readonly onDelete: () => void;
}

export function ChosenActs({ chosen, mayHoldTrials, onDelete }: ChosenActsProps) {
  const { go } = useNavigation();
  const [first, second, ...more] = chosen;
  return (
    <div className={styles['chosen']} role="group" aria-label="Acts on the chosen traces">
      <span>{countOf(chosen.length, 'trace')} chosen:</span>
      {second === undefined || more.length > 0 ? undefined : (
        <Button icon="branch" onPress={() => go(comparedLocation(first, second))}>
          Compare
        </Button>
      )}
      {second === undefined ? undefined : (
        <Button icon="replay" onPress={() => go(runSetLocation(chosen))}>
          Run set
        </Button>
      )}
      {mayHoldTrials ? (
        <Button icon="drill" onPress={() => go(recoveryLocation(chosen))}>
          {chosen.length === 1 ? 'Judge as a recovery trial' : 'Judge as recovery trials'}
        </Button>
      ) : undefined}
      <Button kind="quiet" icon="trash" onPress={onDelete}>
        Delete
      </Button>
    </div>
  );
}
