/**
 * What stands on either side of a death, for each boundary that a write passes: the one table of names, for measured kills and for
 * simulated ones, in titles of events, on every page and in the command line.
 */

/** In the order in which a write passes them; `2late` is 2 with a commitment after the worker is dead. */
export const killBoundaries = ['1', '2', '2late', '3', '4', '5'] as const;
export type KillBoundary = (typeof killBoundaries)[number];

export const boundaryWords: Readonly<Record<KillBoundary, string>> = {
  1: 'before dispatch',
  2: 'dispatched, not committed',
  '2late': 'committed after the death',
  3: 'committed, not acknowledged',
  4: 'acknowledged, not durable',
  5: 'after the durable result',
};

export const boundaryLabels: Readonly<Record<KillBoundary, string>> = {
  1: '1',
  2: '2',
  '2late': '2 late',
  3: '3',
  4: '4',
  5: '5',
};

/** “3 (committed, not acknowledged)”, from a label as harnesses write it (4, "4", "2-late"); any other label as it is. */
export function killPointToText(label: string): string {
  const plain = label.toLowerCase().replace(/[\s_-]/g, '');
  const known = killBoundaries.find((boundary) => boundary === plain);
  return known === undefined ? label : `${boundaryLabels[known]} (${boundaryWords[known]})`;
}
