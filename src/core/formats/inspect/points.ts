/**
 * Events of Inspect that are moments: changes of state, scores, approvals, input of people, limits, errors, logs.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { memberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';

interface Point {
  readonly name: string;
  readonly as?: { readonly type: string; readonly data: JsonObject } | undefined;
  readonly input?: JsonValue | undefined;
  readonly extra?: JsonObject | undefined;
}

const common: ReadonlySet<string> = new Set(['event', 'uuid', 'span_id', 'timestamp']);

export function pointOf(event: JsonObject, kind: string): Point {
  const made = typed(event, kind);
  if (made === undefined) return { name: kind, input: restOf(event, common) };
  return { name: kind, as: made, extra: restOf(event, new Set([...common, 'changes', 'score', 'input'])) };
}

function typed(event: JsonObject, kind: string): Point['as'] {
  switch (kind) {
    case 'state':
    case 'store':
      return {
        type: 'state.transitioned',
        data: withoutUndefined({ name: kind === 'state' ? 'task_state' : 'store', patch: memberAt(event, 'changes') }),
      };
    case 'score':
      return {
        type: 'annotation.made',
        data: withoutUndefined({
          annotator: { id: 'scorer', kind: 'service' },
          label: 'score',
          body: memberAt(event, 'score') ?? null,
        }),
      };
    case 'input':
      return { type: 'input.received', data: withoutUndefined({ name: 'input', value: memberAt(event, 'input') }) };
    case 'approval': {
      const decision = textAt(event, 'decision') ?? '';
      const granted = decision === 'approve' || decision === 'modify';
      return {
        type: granted ? 'approval.granted' : 'approval.denied',
        data: withoutUndefined({
          name: textAt(objectAt(event, 'call'), 'function'),
          granted,
          by: textAt(event, 'approver'),
          reason: textAt(event, 'explanation'),
          value: decision,
        }),
      };
    }
    default:
      return undefined;
  }
}
