/** The page of recovery with the way in of the library: what is opened there is judged here at once. */
import type { Navigation, RecoveryLocation } from '../state/location.ts';
import { useWayIn } from '../views/library/use-way-in.tsx';
import { View } from '../views/recovery/View.tsx';

export interface RecoveryPageProps {
  readonly location: RecoveryLocation;
  readonly navigation: Navigation;
}

export function RecoveryPage({ location, navigation }: RecoveryPageProps) {
  const wayIn = useWayIn(navigation, (opened) => {
    const { traces } = location;
    // A selection grows by what was opened; the whole library has it already.
    if (traces.length > 0) navigation.go({ ...location, traces: [...new Set([...traces, ...opened])] }, 'replace');
  });
  return <View location={location} wayIn={wayIn} />;
}
