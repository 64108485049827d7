/**
 * What a replay could do with spans and log records: the requests and answers of each model call allow to replay a call, never the
 * program that made them.
 */
import type { ImportSummary } from '../format.ts';
import type { ModelFields } from './fields.ts';
import { countToText } from './notices.ts';
import { valueAt } from './values.ts';

export interface CallWatch {
  readonly see: (fields: ModelFields, failed: boolean) => void;
  readonly grade: () => Pick<ImportSummary, 'replayGrade' | 'missingForReplay'>;
}

export function createCallWatch(): CallWatch {
  let calls = 0;
  let full = 0;
  let system = 0;
  let tools = 0;

  function see({ request, input, output }: ModelFields, failed: boolean): void {
    calls++;
    if (input.length > 0 && (output.length > 0 || failed)) full++;
    const hasSystem = input.some((message) => message['role'] === 'system');
    if (hasSystem || valueAt(request, 'system_instructions') !== undefined) system++;
    if (valueAt(request, 'tool_definitions') !== undefined) tools++;
  }

  function grade(): Pick<ImportSummary, 'replayGrade' | 'missingForReplay'> {
    const missing = ['the control program', 'positions of issues and deliveries'];
    if (calls === 0) return { replayGrade: 'none', missingForReplay: [...missing, 'model calls'] };
    const untold = calls - full;
    if (untold > 0)
      missing.push(`the messages of ${countToText(untold, 'model call')} of ${calls.toLocaleString('en-US')}`);
    if (tools < calls) missing.push('the tools offered to the model');
    if (system < calls) missing.push('the system prompt');
    return { replayGrade: full > 0 ? 'per call' : 'none', missingForReplay: missing };
  }

  return { see, grade };
}
