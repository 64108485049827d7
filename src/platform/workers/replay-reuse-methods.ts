/**
 * What the replay worker offers for commands without an answer: answers that other recorded runs have to the very same question.
 */
import type { Result } from '../../core/base/result.ts';
import type { JsonValue } from '../../core/base/json.ts';
import type { TraceId } from '../storage/index.ts';
import type { ReplayFailure } from './replay-methods.ts';

/** Never an effect, a timer or a signal: what happened in another run did not happen in this one (replay 3.8). */
export type ReusableKind = 'model' | 'read';

export interface AnswerAsk {
  /** Whose commands wait; its own run is not looked into. */
  readonly run: string;
  readonly traces: readonly { readonly trace: TraceId; readonly name: string }[];
  readonly commands: readonly {
    readonly path: string;
    readonly kind: ReusableKind;
    readonly name: string;
    /** Digest of the arguments: the content address that must be equal. */
    readonly args: string;
  }[];
}

export interface AnswerProgress {
  readonly done: number;
  readonly of: number;
}

export interface FoundAnswer {
  readonly trace: TraceId;
  readonly traceName: string;
  readonly run: string;
  readonly event: string;
  readonly outcome: { readonly value: JsonValue } | { readonly error: JsonValue };
  /** Further records with the same answer. */
  readonly more: number;
}

export interface AnswersFound {
  /** By path of the waiting command: different answers, in the order of the library. */
  readonly byPath: Readonly<Record<string, readonly FoundAnswer[]>>;
  readonly looked: number;
  readonly notRead: readonly string[];
}

export interface ReplayReuseMethods {
  readonly findAnswers: {
    readonly args: readonly [ask: AnswerAsk];
    readonly value: Result<AnswersFound, ReplayFailure>;
    readonly progress: AnswerProgress;
  };
}
