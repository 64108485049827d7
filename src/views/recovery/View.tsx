/**
 * Recovery: whether a trial was what it says, what was struck, what happened, and what a number of it means.
 *
 * The analysis runs in the library worker over the traces the address names, or over every trace that holds a trial. Nothing here
 * judges, and no value combines the sections. Loaded when first shown.
 */
import type { RecoveryLocation } from '../../state/location.ts';
import { useNavigation } from '../../state/location.ts';
import { useTitle } from '../../ui/use-title.ts';
import { Page, type PageWayIn } from './Page.tsx';

export interface ViewProps {
  readonly location: RecoveryLocation;
  readonly wayIn: PageWayIn;
}

export function View({ location, wayIn }: ViewProps) {
  useTitle('Recovery');
  const { go } = useNavigation();
  return (
    <Page
      chosen={location.traces}
      wayIn={wayIn}
      shown={location.extra}
      onShow={(extra, how = 'push') => go({ ...location, extra }, how)}
      onAll={() => go({ kind: 'recovery', traces: [], extra: {} })}
    />
  );
}
