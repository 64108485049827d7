/**
 * The trial of an opened trace, judged beside the other trials of the library: a control and the control that must fail stand in
 * traces of their own.
 */
import type { TraceId } from '../../data/index.ts';
import { recoveryLocation, type TraceViewProps, useNavigation } from '../../state/location.ts';
import { Page } from './Page.tsx';

export interface TraceRecoveryProps extends TraceViewProps {
  readonly trace: TraceId;
}

export function TraceView({ trace, location, change }: TraceRecoveryProps) {
  const { go } = useNavigation();
  return (
    <Page
      chosen={[]}
      home={trace}
      shown={location.extra}
      onShow={(extra, how = 'push') => {
        const gone = Object.fromEntries(Object.keys(location.extra).map((key) => [key, undefined]));
        change({ extra: { ...gone, ...extra } }, how);
      }}
      onAll={() => go(recoveryLocation())}
    />
  );
}
