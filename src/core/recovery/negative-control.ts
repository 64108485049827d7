/**
 * The control that must fail (R115, R116): a strategy that starts over from the first step, without reconciling, has to execute an
 * effect twice at every point after its commitment. Where it does not, the whole campaign is suspect.
 */
import { verifiedPoints } from './kills.ts';
import { pointsAfterCommitment } from './placement.ts';
import type { KillPoint, NegativeControlReport, TrialReport } from './report.ts';

const causes = [
  'the fault did not strike where it seems to: the effect was not committed, or the kill came to nothing',
  'the ledger cannot show a duplicate: it is not that of the external system, or its records are not joined to the command',
  'the control is not naive: it reconciles, or the service refuses or answers a repeated request by itself',
] as const;

export function judgeNegativeControl(trials: readonly TrialReport[]): NegativeControlReport {
  const arms = trials.filter(({ arm }) => arm === 'negative-control');
  const [first] = arms;
  const none = { passing: [], failing: [], causes: [] } as const;
  if (first === undefined) {
    const text = 'No control that must fail is among the trials: that duplicates would have been seen is not shown.';
    return { status: 'absent', basis: undefined, text, ...none };
  }
  const basis = first.armBasis === 'recorded' ? 'recorded' : 'naive-by-name';
  const struck = arms
    .filter(({ validity }) => validity === 'valid')
    .map((trial) => ({ trial, points: pointsOf(trial) }))
    .filter(({ points }) => points.length > 0);
  if (struck.length === 0) {
    const text = 'The control that must fail was not struck after a commitment in any valid trial.';
    return { status: 'not struck after a commitment', basis, text, ...none };
  }
  const passing = struck.filter(
    ({ trial }) => trial.outcome.duplicates === 0 || trial.outcome.duplicates === undefined,
  );
  const failing = struck.filter((one) => !passing.includes(one)).map(({ trial }) => trial.id);
  const told = passing.map(({ trial, points }) => ({ trial: trial.id, points }));
  if (told.length > 0) {
    const text = `The control that must fail passed in ${told.length} of ${struck.length} valid trials struck after a commitment. Every verdict of this campaign is suspect until the cause is known.`;
    return { status: 'passes', basis, passing: told, failing, causes, text };
  }
  const text = `The control that must fail executed effects twice in ${struck.length === 1 ? 'the one valid trial' : `all ${struck.length} valid trials`} struck after a commitment. That it passes at other points is expected, and is no proof of sensitivity to subtler faults.`;
  return { status: 'fails as it must', basis, passing: [], failing, causes: [], text };
}

function pointsOf({ placements }: TrialReport): readonly KillPoint[] {
  return verifiedPoints(placements).filter((point) => pointsAfterCommitment.has(point));
}
