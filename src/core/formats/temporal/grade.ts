/**
 * What a replay of these executions could do, and what they lack for it.
 *
 * A history holds everything that workflow code was given, but never the code. For the loop of an agent a reference program can take its
 * place; other workflows need a port of their own code.
 */
import type { ImportSummary } from '../format.ts';
import type { Execution } from './executions.ts';
import { fieldAt, nameField } from './fields.ts';
import { isModelActivity } from './model-activity.ts';
import { payloadsToValues, valuesToArgs } from './payload.ts';

export type Grade = Pick<ImportSummary, 'replayGrade' | 'missingForReplay'>;

export interface Lacks {
  /** Payloads that cannot be read, by encoding. */
  readonly unreadable: ReadonlyMap<string, number>;
  /** Numbers that are in no file, as ranges. */
  readonly holes: readonly string[];
  readonly withoutStart: number;
}

const outsideTypes: ReadonlySet<string> = new Set([
  'WorkflowExecutionSignaled',
  'WorkflowExecutionUpdateAccepted',
  'WorkflowExecutionCancelRequested',
]);

export function gradeOf(executions: readonly Execution[], lacks: Lacks): Grade {
  const missing: string[] = [];
  if (lacks.withoutStart > 0) missing.push('the first event of an execution, with its input');
  for (const range of lacks.holes) missing.push(`events ${range}`);
  for (const [encoding, count] of lacks.unreadable) missing.push(`values in ${count} payloads of encoding ${encoding}`);
  const blocked = missing.length > 0;
  const isAgent = executions.some(hasModelCalls);
  const waits = executions.some(({ records }) => records.some(({ type }) => outsideTypes.has(type)));
  missing.push('the workflow code (histories never hold it)');
  if (waits) missing.push('where the code awaited its signals and updates');
  if (blocked) return { replayGrade: 'none', missingForReplay: missing };
  if (!isAgent) return { replayGrade: 'original code only', missingForReplay: missing };
  return { replayGrade: waits ? 'mostly' : 'needs its program', missingForReplay: missing };
}

function hasModelCalls({ records }: Execution): boolean {
  return records.some(({ type, attributes }) => {
    if (type !== 'ActivityTaskScheduled') return false;
    const args = valuesToArgs(payloadsToValues(fieldAt(attributes, 'input')));
    return isModelActivity(nameField(attributes, 'activityType') ?? '', args);
  });
}
