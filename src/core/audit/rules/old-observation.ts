/** An answer that says of itself that it is older than what it answers (R53). */
import { isHole, isJsonObject, type JsonValue } from '../../base/json.ts';
import { lineToShown } from '../../base/shown-text.ts';
import { timeToMillis } from '../../base/time.ts';
import { countToText } from '../../projections/effects/words.ts';
import { type Rule, createFinding } from '../rule.ts';

export const oldObservation: Rule = {
  id: 'old-observation',
  title: 'Answers that say how old they are',
  severity: 'notice',
  establishes: 'The answer of a tool states the time it is of, and that time lies more than a day before the answer.',
  leavesOpen: 'Whether anything had changed since, and whether the clocks of the two agree.',
  requirements: ['R53'],
  isOpenIn: (audit) => audit.events('tool_call.completed').some(({ data }) => mayState(data.result)),
  run: (audit) =>
    audit.events('tool_call.completed').flatMap((event) => {
      const stated = statedTime(event.data.result);
      const of = stated === undefined ? undefined : timeToMillis(stated);
      const answered = event.time === undefined ? undefined : timeToMillis(event.time);
      if (stated === undefined || of === undefined || answered === undefined) return [];
      const days = Math.floor((answered - of) / day);
      if (days < 1) return [];
      const tool = lineToShown(event.data.tool ?? event.command?.name ?? 'a tool');
      const age = countToText(days, 'day');
      return [
        createFinding(oldObservation, {
          subject: event.id,
          title: `${tool} answered with what stood ${age} before`,
          text: `The answer of ${tool} says that it is as of ${stated.slice(0, 10)}; it was recorded ${age} later.`,
          evidence: [event.id],
          known: [`As of ${stated}, by the answer itself. Recorded at ${event.time ?? ''}.`],
          unknown: ['Whether what it tells had changed in between.'],
          command: event.command?.path,
        }),
      ];
    }),
};

const day = 86_400_000;

/** Members in which an answer states the time of what it tells; when something was last changed is no such statement. */
const names = ['as_of', 'asOf', 'snapshot_at', 'snapshotAt', 'snapshot_time'] as const;

function statedTime(result: JsonValue | undefined): string | undefined {
  if (!isJsonObject(result)) return undefined;
  for (const name of names) {
    const value = result[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** A statement that is withheld, or one that a copy, which may have moved its own times, cannot hold against them. */
function mayState(result: JsonValue | undefined): boolean {
  if (isHole(result) || statedTime(result) !== undefined) return true;
  return isJsonObject(result) && names.some((name) => isHole(result[name]));
}
