/**
 * The common form of formats that record operations with a beginning, an end and a parent: what `events.ts` turns into events.
 *
 * A format reads its records into operations and nothing else; edges, decisions and sub-agents follow from here for all of them.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ChatMessage } from '../chat/messages.ts';
import type { InputPlace } from '../format.ts';

export type OperationKind = 'model' | 'tool' | 'agent' | 'handoff' | 'policy' | 'step' | 'point';

export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly data?: JsonValue | undefined;
}

export interface ModelDetails {
  readonly provider?: string | undefined;
  readonly requestModel?: string | undefined;
  readonly responseModel?: string | undefined;
  readonly responseId?: string | undefined;
  readonly parameters?: JsonObject | undefined;
  readonly system?: JsonValue | undefined;
  readonly tools?: JsonValue | undefined;
  readonly asked: readonly ChatMessage[];
  readonly answered: readonly ChatMessage[];
  readonly usage?: JsonObject | undefined;
  readonly cost?: JsonObject | undefined;
  readonly finishReasons?: readonly string[] | undefined;
}

export interface Operation {
  /** Unique in its trace. */
  readonly id: string;
  readonly parent?: string | undefined;
  /** The rule that found the parent, where no field names it. */
  readonly parentRule?: string | undefined;
  readonly kind: OperationKind;
  readonly name: string;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** False where no ending was recorded. */
  readonly ended: boolean;
  readonly input?: JsonValue | undefined;
  readonly output?: JsonValue | undefined;
  readonly error?: Failure | undefined;
  readonly model?: ModelDetails | undefined;
  /** The provider's id of the tool call. */
  readonly callId?: string | undefined;
  readonly effect?: 'none' | 'external' | undefined;
  /** Of a hand-off. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly session?: string | undefined;
  readonly version?: string | undefined;
  readonly place: InputPlace;
  readonly extra?: JsonObject | undefined;
  /** Extra fields of the record that told the beginning, where two records tell one operation. */
  readonly startExtra?: JsonObject | undefined;
  /** Of a point: the event it is, where the model has a type for it. */
  readonly as?: { readonly type: string; readonly data: JsonObject } | undefined;
  /** The zone of its times is assumed. */
  readonly zoneAssumed?: boolean | undefined;
}

export interface Trace {
  /** Id in the format's words; what `ImportOptions.trace` takes. */
  readonly key: string;
  readonly run: string;
  readonly name?: string | undefined;
  readonly session?: string | undefined;
  readonly input?: JsonValue | undefined;
  readonly output?: JsonValue | undefined;
  readonly start?: string | undefined;
  readonly version?: string | undefined;
  readonly principal?: JsonObject | undefined;
  /** What the record of the trace says of its end. */
  readonly outcome?:
    | {
        readonly time?: string | undefined;
        readonly result?: JsonValue | undefined;
        readonly error?: Failure | undefined;
      }
    | undefined;
  /** Where a record of the trace itself stands; absent: its beginning is derived. */
  readonly place?: InputPlace | undefined;
  readonly extra?: JsonObject | undefined;
  readonly operations: readonly Operation[];
}
