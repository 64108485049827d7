/** Where the acts on chosen traces lead, as addresses the replay view reads. */
import { mainBranch } from '../../core/model/ids.ts';
import type { TraceId } from '../../data/index.ts';
import { type TraceLocation, traceLocation } from '../../state/location.ts';

/** The first on the left, the second on the right (`views/replay/compare-places.ts` reads the sides). */
export function comparedLocation(first: TraceId, second: TraceId): TraceLocation {
  const extra = { show: 'compare', there: mainBranch, here: `${second}/${mainBranch}` };
  return { ...traceLocation(first), view: 'replay', extra };
}

/** The program of the first over all of them (`views/replay/set-session.ts` reads the choice). */
export function runSetLocation([first, ...others]: readonly [TraceId, ...(readonly TraceId[])]): TraceLocation {
  return { ...traceLocation(first), view: 'replay', extra: { show: 'set', runs: [first, ...others].join(' ') } };
}
