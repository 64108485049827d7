/**
 * Why an unedited replay differs (3.9, R51): the program itself, other code, or a gap in the record.
 *
 * Two passes with the same seed under different conditions of the host: if they disagree, the program sees something it
 * must not, and the first command in which they differ is named.
 */
import { outcomeDigest } from './journal.ts';
import type { PassResult, ReplayCommand } from './pass-types.ts';
import type { DivergenceCause } from './report-types.ts';
import type { HostConditions } from './sandbox-port.ts';
import { type SegmentRequest, runOnce } from './segment-run.ts';

const conditions: readonly [HostConditions, HostConditions] = [
  { clock: 1_000_000, timeZone: 'UTC', locale: 'en-US', random: 0.25, heapPadding: 0 },
  { clock: 1_700_000_000_000, timeZone: 'Asia/Kolkata', locale: 'tr-TR', random: 0.75, heapPadding: 1_048_576 },
];

export async function explainDivergence(
  request: SegmentRequest,
  program: 'recorded' | 'other' | 'brought',
): Promise<DivergenceCause> {
  const [left, right] = [
    await runOnce(request, new Set(), conditions[0]),
    await runOnce(request, new Set(), conditions[1]),
  ];
  const differing = firstDifference(left, right);
  if (differing !== undefined) {
    return {
      kind: 'nondeterministic',
      path: differing,
      message: `The program is not deterministic: with the same seed and the same observations, ${differing === '' ? 'its outcome' : differing} differed between two runs.`,
    };
  }
  if (program === 'recorded') {
    return {
      kind: 'record-gap',
      message: 'The program is the recorded one and repeats itself exactly; the record lacks something it depended on.',
    };
  }
  if (program === 'brought') {
    return {
      kind: 'no-program',
      message:
        'The program repeats itself exactly, and the trace carries none to compare it with: it is not the program that ran, or the record lacks something.',
    };
  }
  return {
    kind: 'code-change',
    message: 'The program repeats itself exactly and is not the recorded one; the difference is in the code.',
  };
}

function firstDifference(left: PassResult, right: PassResult): string | undefined {
  for (let n = 0; n < Math.max(left.commands.length, right.commands.length); n++) {
    const a = left.commands[n];
    const b = right.commands[n];
    if (a === undefined || b === undefined) return (a ?? b)?.path;
    if (!isSame(a, b)) return a.path;
  }
  return JSON.stringify(left.settled) === JSON.stringify(right.settled) ? undefined : '';
}

function isSame(a: ReplayCommand, b: ReplayCommand): boolean {
  if (a.path !== b.path || a.kind !== b.kind || a.argsDigest !== b.argsDigest) return false;
  if (a.delivery?.act !== b.delivery?.act) return false;
  return (
    a.delivery === undefined ||
    b.delivery === undefined ||
    outcomeDigest(a.delivery.observation) === outcomeDigest(b.delivery.observation)
  );
}
