/** A request sent again under its key after the time for which the service declares to remember keys (R78). */
import type { Declarations } from '../../model/index.ts';
import { timeToMillis } from '../../base/time.ts';
import { attemptEvents } from '../../projections/effects/attempt.ts';
import { attemptToKnown } from '../attempt-words.ts';
import { durationToMillis, millisToText } from '../duration.ts';
import { type KeyUse, computeKeyGroups } from '../keys.ts';
import { type Rule, createFinding } from '../rule.ts';

export const retryAfterWindow: Rule = {
  id: 'retry-after-window',
  title: 'Repeated requests within the declared life of their key',
  severity: 'notice',
  establishes:
    'A request was sent again under its key later than the service declares to remember keys, by the recorded times of the requests.',
  leavesOpen: 'Whether the service still knew the key, unless it says so itself.',
  requirements: ['R78'],
  run: ({ ledger }) =>
    computeKeyGroups(ledger).flatMap(({ key, service, uses }) => {
      const window = usesToWindow(uses, ledger.declarations);
      const horizon = usesToHorizon(uses);
      if (window === undefined || horizon === undefined || horizon <= window.millis) return [];
      return [
        createFinding(retryAfterWindow, {
          subject: `${service}:${key}`,
          title: `Key "${key}" used again ${millisToText(horizon)} later; kept for ${window.text}`,
          text: `The last request under the idempotency key "${key}" was sent ${millisToText(horizon)} after the first, and ${service} declares to remember a key for ${window.text}: it may have taken the request for a new one.`,
          evidence: uses.flatMap(({ attempt }) => attemptEvents(attempt)),
          known: [
            `Declared window of the key: ${window.text}.`,
            ...uses.flatMap(({ attempt }) => attemptToKnown(attempt)),
          ],
          unknown: ['Whether the key was still known when the request came again.'],
          command: uses[0]?.command.path,
        }),
      ];
    }),
};

function usesToWindow(
  uses: readonly KeyUse[],
  { tools }: Declarations,
): { readonly millis: number; readonly text: string } | undefined {
  for (const { command } of uses) {
    const text = tools.get(command.tool)?.idempotency?.window;
    const millis = typeof text === 'string' ? durationToMillis(text) : undefined;
    if (millis !== undefined) return { millis, text: millisToText(millis) };
  }
  return undefined;
}

/** From the first request to the last, where all were read from one recorded clock: others may be apart by anything. */
function usesToHorizon(uses: readonly KeyUse[]): number | undefined {
  const sent = uses.flatMap(({ attempt }) => attempt.records.dispatched);
  const clock = sent[0]?.clock;
  if (clock === undefined || sent.some((request) => request.clock !== clock)) return undefined;
  const times = sent.flatMap(({ time }) => (time === undefined ? [] : [timeToMillis(time) ?? Number.NaN]));
  if (times.length < 2 || times.some(Number.isNaN)) return undefined;
  let [first, last] = [Infinity, -Infinity];
  for (const time of times) {
    first = Math.min(first, time);
    last = Math.max(last, time);
  }
  return last - first;
}
