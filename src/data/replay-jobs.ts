/**
 * Long jobs of the replay worker: started, told of while they run, cancelled, and their answer kept until the next one.
 *
 * Invariant: a cancelled job leaves nothing behind, because its worker ends; a job that failed says why in a sentence.
 */
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Result } from '../core/base/result.ts';
import type {
  AnswerAsk,
  AnswerProgress,
  AnswersFound,
  CallOptions,
  GoldenRunAnswer,
  GoldenRunAsk,
  GoldenRunProgress,
  KillAsk,
  KillProgress,
  RunSetAnswer,
  RunSetAsk,
  RunSetProgressed,
  TracePrograms,
} from '../platform/workers/index.ts';
import { libraryChanged } from './traces.ts';
import type { TraceId } from '../platform/storage/index.ts';
import type { SimulatedSweep } from '../core/simulate/index.ts';
import { keys } from './keys.ts';
import { useServices } from './services.ts';

type JobState<Ask, Progress, Answer> =
  | { readonly status: 'idle' }
  | { readonly status: 'running'; readonly ask: Ask; readonly progress: Progress | undefined }
  | { readonly status: 'done'; readonly ask: Ask; readonly answer: Answer }
  | { readonly status: 'failed'; readonly ask: Ask; readonly message: string };

export interface Job<Ask, Progress, Answer> {
  readonly state: JobState<Ask, Progress, Answer>;
  /** Ends the one that runs. Resolves with the answer, or undefined when it failed or was cancelled. */
  readonly start: (ask: Ask) => Promise<Answer | undefined>;
  readonly cancel: () => void;
  /** Back to the beginning, after the answer was read. */
  readonly clear: () => void;
}

type Call<Ask, Progress, Answer> = (
  ask: Ask,
  options: CallOptions<Progress>,
) => Promise<Result<Answer, { readonly message: string }>>;

function useJob<Ask, Progress, Answer>(call: Call<Ask, Progress, Answer>): Job<Ask, Progress, Answer> {
  const [state, setState] = useState<JobState<Ask, Progress, Answer>>({ status: 'idle' });
  const running = useRef<AbortController>(undefined);
  // Ends the programs in the sandbox when the view goes away.
  useEffect(() => () => running.current?.abort(), []);
  const start = useCallback(
    async (ask: Ask) => {
      running.current?.abort();
      const own = new AbortController();
      running.current = own;
      setState({ status: 'running', ask, progress: undefined });
      const onProgress = (progress: Progress): void => {
        if (!own.signal.aborted) setState({ status: 'running', ask, progress });
      };
      const next = await callToState(call, ask, { signal: own.signal, onProgress });
      if (own.signal.aborted) return undefined;
      setState(next);
      return next.status === 'done' ? next.answer : undefined;
    },
    [call],
  );
  const cancel = useCallback(() => {
    running.current?.abort();
    setState({ status: 'idle' });
  }, []);
  const clear = useCallback(() => setState((now) => (now.status === 'running' ? now : { status: 'idle' })), []);
  return { state, start, cancel, clear };
}

async function callToState<Ask, Progress, Answer>(
  call: Call<Ask, Progress, Answer>,
  ask: Ask,
  options: CallOptions<Progress>,
): Promise<JobState<Ask, Progress, Answer>> {
  try {
    const result = await call(ask, options);
    return result.ok
      ? { status: 'done', ask, answer: result.value }
      : { status: 'failed', ask, message: result.error.message };
  } catch (error) {
    return { status: 'failed', ask, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Which program each of these traces ran; a trace never changes the one it recorded. */
export function useRunPrograms(traces: readonly TraceId[]): UseQueryResult<readonly TracePrograms[]> {
  const { replayer } = useServices();
  return useQuery({
    queryKey: keys.runPrograms(traces),
    queryFn: () => replayer.call('runPrograms', [traces]),
    staleTime: Infinity,
  });
}

/** A changed program over a set of recorded runs. */
export function useRunSet(): Job<RunSetAsk, RunSetProgressed, RunSetAnswer> {
  const { replayer } = useServices();
  const client = useQueryClient();
  return useJob(
    useCallback(
      async (ask: RunSetAsk, options: CallOptions<RunSetProgressed>) => {
        const result = await replayer.call('replaySet', [ask], options);
        await client.invalidateQueries({ queryKey: keys.log });
        return result;
      },
      [replayer, client],
    ),
  );
}

/** Golden cases against a program. The branches that produced the results are in the library when it resolves. */
export function useGoldenRun(): Job<GoldenRunAsk, GoldenRunProgress, GoldenRunAnswer> {
  const services = useServices();
  const client = useQueryClient();
  return useJob(
    useCallback(
      async (ask: GoldenRunAsk, options: CallOptions<GoldenRunProgress>) => {
        const result = await services.replayer.call('goldenRun', [ask], options);
        for (const { trace } of ask.cases) await client.invalidateQueries({ queryKey: keys.asked(trace) });
        await libraryChanged(client, services);
        return result;
      },
      [services, client],
    ),
  );
}

/** Simulated kills of the worker over a recorded run. */
export function useKillSweep(): Job<KillAsk, KillProgress, SimulatedSweep> {
  const { replayer } = useServices();
  return useJob(
    useCallback(
      (ask: KillAsk, options: CallOptions<KillProgress>) => replayer.call('killSweep', [ask], options),
      [replayer],
    ),
  );
}

/** Answers of other recorded runs to commands that wait. */
export function useFindAnswers(): Job<AnswerAsk, AnswerProgress, AnswersFound> {
  const { replayer } = useServices();
  return useJob(
    useCallback(
      (ask: AnswerAsk, options: CallOptions<AnswerProgress>) => replayer.call('findAnswers', [ask], options),
      [replayer],
    ),
  );
}
