/** What the original has for a command: the arguments it was issued with, and what control code received. */
import type { JsonValue } from '../../core/base/json.ts';
import type { EventId } from '../../core/model/index.ts';
import { useInspection } from '../../data/index.ts';
import { memberAt } from './facts.ts';
import type { ReplaySession } from './session.ts';

export interface RecordedCall {
  readonly isLoading: boolean;
  readonly args: JsonValue | undefined;
  readonly value: JsonValue | undefined;
  readonly error: JsonValue | undefined;
}

/** `event` is the final record of the command, or its only one. */
export function useRecordedCall(
  { trace, branch }: Pick<ReplaySession, 'trace' | 'branch'>,
  event: EventId | undefined,
): RecordedCall {
  const final = useInspection(trace, branch, event);
  const request = final.data?.causes.listed.find(({ as }) => as === 'result_of')?.row.id;
  const issue = useInspection(trace, branch, request);
  const source = request === undefined ? final.data : issue.data;
  const error = memberAt(final.data?.event, 'data', 'error');
  return {
    isLoading: event !== undefined && (final.isPending || (request !== undefined && issue.isPending)),
    args: memberAt(source?.event, 'data', 'args') ?? memberAt(source?.event, 'data', 'input'),
    value:
      error === undefined ? (final.data?.editable?.value ?? memberAt(final.data?.event, 'data', 'value')) : undefined,
    error,
  };
}
