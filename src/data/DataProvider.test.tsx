/**
 * Hooks over fake workers: what is asked, how often, and what a view gets to see.
 */
import { openShare, passphraseToKey, sealShare, sealWithPassphrase } from '../platform/crypto/index.ts';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { err, ok } from '../core/base/result.ts';
import { branchId, eventId, mainBranch } from '../core/model/index.ts';
import { traceId } from '../platform/storage/index.ts';
import type {
  CallOptions,
  ImportMethods,
  ImportProgress,
  LibraryMethods,
  ReplayMethods,
} from '../platform/workers/index.ts';
import { DataProvider } from './DataProvider.tsx';
import { useGoldenActs } from './replay-goldens.ts';
import {
  DataError,
  type Services,
  createQueryClient,
  useContent,
  useDebugger,
  useDeleteTrace,
  useImport,
  useInspection,
  useInspections,
  useReplay,
  useSummary,
  useTraces,
  useTracesAnew,
} from './index.ts';
import { useAskModel, useKillSweep } from './replay-view.ts';

const trace = traceId('t-1');

/** Every call of every worker, in order: `method arg …`. */
interface Recorded {
  readonly calls: string[];
  readonly services: Services;
  readonly otherTab: () => void;
}

type Answer = (args: readonly unknown[], options?: CallOptions<never>) => unknown;

type Answers<M> = { readonly [K in keyof M]?: Answer };

interface World {
  readonly library?: Answers<LibraryMethods>;
  readonly importer?: Answers<ImportMethods>;
  readonly replayer?: Answers<ReplayMethods>;
  readonly ask?: (method: string) => unknown;
}

function createWorld({ library = {}, importer = {}, replayer = {}, ask = () => undefined }: World): Recorded {
  const calls: string[] = [];
  const listeners = new Set<() => void>();
  function clientOf(answers: Readonly<Record<string, Answer | undefined>>) {
    const call = async (method: string, args: readonly unknown[], options?: CallOptions<never>): Promise<never> => {
      calls.push([method, ...args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg)))].join(' '));
      const answer = answers[method];
      if (answer === undefined) throw new Error(`this test does not expect "${method}"`);
      // Cast: the test's answer stands for whatever the method returns.
      return (await answer(args, options)) as never;
    };
    return { call };
  }
  const services: Services = {
    library: clientOf(library),
    importer: clientOf(importer),
    replayer: clientOf(replayer),
    reader: {
      // Cast: the test's answer stands for whatever the method returns.
      ask: async (id, method, args) => {
        calls.push(['ask', id, method, ...args.map((arg) => JSON.stringify(arg))].join(' '));
        return Promise.resolve(ask(method) as never);
      },
    },
    foreign: {
      fetch: () => Promise.resolve(err({ code: 'refused', message: 'No.' })),
      post: () => Promise.resolve(err({ code: 'refused', message: 'No.' })),
    },
    // No test of this file seals or opens a share.
    cipher: { sealShare, sealWithPassphrase, openShare, passphraseToKey },
    changes: {
      announce: () => calls.push('announce'),
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    fetchOwn: () => Promise.reject(new Error('nothing is fetched in this test')),
    askToPersist: () => Promise.resolve(undefined),
  };
  return { calls, services, otherTab: () => listeners.forEach((listener) => listener()) };
}

function render<T>({ services }: Recorded, hook: () => T, client = createQueryClient()) {
  return renderHook(hook, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <DataProvider services={services} client={client}>
        {children}
      </DataProvider>
    ),
  });
}

describe('a question to a trace', () => {
  it('is asked once, however many components need the answer', async () => {
    const world = createWorld({ ask: () => ({ notices: 2 }) });
    const { result, rerender } = render(world, () => [useSummary(trace), useSummary(trace)] as const);
    await waitFor(() => expect(result.current[0].data).toEqual({ notices: 2 }));
    rerender();
    expect(result.current[1].data).toEqual({ notices: 2 });
    expect(world.calls).toEqual(['ask t-1 summary']);
  });

  it('may have no answer, and that is an answer', async () => {
    const { result } = render(createWorld({}), () => useContent(trace, 'sha256:0'));
    await waitFor(() => expect(result.current.isSuccess).toBe(true));
    expect(result.current.data).toBeUndefined();
  });

  it('about nothing selected is not asked', () => {
    const world = createWorld({});
    const { result } = render(world, () => useInspection(trace, mainBranch, undefined));
    expect(result.current.fetchStatus).toBe('idle');
    expect(world.calls).toEqual([]);
  });

  it('that fails shows the sentence', async () => {
    const world = createWorld({
      ask: () => {
        throw new DataError('not-found', 'This library has no trace t-1.');
      },
    });
    const { result } = render(world, () => useInspection(trace, mainBranch, eventId('e')));
    await waitFor(() => expect(result.current.error?.message).toBe('This library has no trace t-1.'));
    expect(world.calls).toHaveLength(1);
  });
});

describe('several questions at once', () => {
  it('tell the one that failed, and wait no more', async () => {
    const answers = [
      () => ({ causes: [] }),
      () => {
        throw new DataError('not-found', 'The disk is gone.');
      },
    ];
    const world = createWorld({ ask: () => answers.shift()?.() });
    const events = ['a', 'b'].map(eventId);
    const { result } = render(world, () => useInspections(trace, mainBranch, events));
    expect(result.current).toEqual({ answers: [undefined, undefined], isPending: true, error: null });
    await waitFor(() => expect(result.current.isPending).toBe(false));
    expect(result.current.answers).toEqual([{ causes: [] }, undefined]);
    expect(result.current.error?.message).toBe('The disk is gone.');
  });
});

describe('the library', () => {
  it('is read again when another tab changed it', async () => {
    let traces = ['one'];
    const world = createWorld({ library: { traces: () => traces } });
    const { result } = render(world, () => useTraces());
    await waitFor(() => expect(result.current.data).toEqual(['one']));
    traces = ['one', 'two'];
    act(() => world.otherTab());
    await waitFor(() => expect(result.current.data).toEqual(['one', 'two']));
  });

  it('is asked again by each view of it that comes up: what was removed beside the page is listed no more', async () => {
    let traces = ['one'];
    const world = createWorld({ library: { traces: () => traces } });
    const client = createQueryClient();
    const first = render(world, () => useTracesAnew(), client);
    await waitFor(() => expect(first.result.current.data).toEqual(['one']));
    first.unmount();
    traces = [];
    const second = render(world, () => useTracesAnew(), client);
    expect(second.result.current.data).toEqual(['one']);
    await waitFor(() => expect(second.result.current.data).toEqual([]));
  });

  it('R79: tells why a delete is refused, and the other tabs when it is done', async () => {
    const refusal = { code: 'before-floor', message: 'It must be kept until 2026-07-01.' } as const;
    const world = createWorld({
      library: { remove: ([, override]) => (override === undefined ? err(refusal) : ok(undefined)) },
    });
    const { result } = render(world, () => useDeleteTrace());
    await act(async () => {
      await expect(result.current.mutateAsync({ trace })).rejects.toMatchObject(refusal);
    });
    expect(world.calls).not.toContain('announce');
    await act(async () => {
      await result.current.mutateAsync({ trace, override: 'court order' });
    });
    expect(world.calls).toContain('announce');
  });
});

const request = { files: [], origin: 'opened' } as const;
const half: ImportProgress = { phase: 'reading', bytesRead: 5, bytesTotal: 10, events: 1, problems: 0 };
const outcome = { trace, name: 'incident', alreadyThere: false, events: 2, problems: 0 };

describe('an import', () => {
  it('shows its progress, keeps the first rows, and ends with its outcome', async () => {
    const seen: string[] = [];
    const world = createWorld({
      importer: {
        import: (_args, options) => {
          const tell = options?.onProgress as ((progress: ImportProgress) => void) | undefined;
          tell?.({ ...half, firstRows: [{ id: 'e', type: 'run.started' }] });
          tell?.({ ...half, bytesRead: 10 });
          return ok(outcome);
        },
      },
    });
    const { result } = render(world, () => {
      const control = useImport();
      if (control.state.status === 'running')
        seen.push(`${control.state.progress.bytesRead} ${control.state.progress.firstRows?.length ?? 0}`);
      return control;
    });
    await act(async () => {
      expect(await result.current.start(request)).toEqual(outcome);
    });
    expect(result.current.state).toEqual({ status: 'done', outcome });
    expect(seen.at(-1)).toBe('10 1');
    expect(world.calls).toContain('announce');
    act(() => result.current.dismiss());
    expect(result.current.state).toEqual({ status: 'idle' });
  });

  it('is over when the worker says that nothing is left, not when the button is pressed', async () => {
    let settle: (value: unknown) => void = () => undefined;
    const world = createWorld({
      importer: {
        import: (_args, options) =>
          new Promise((resolve) => {
            settle = resolve;
            expect(options?.cancel).toBe('when-answered');
          }),
      },
    });
    const { result } = render(world, () => useImport());
    let started: Promise<unknown> = Promise.resolve();
    await act(async () => {
      started = result.current.start(request);
      await Promise.resolve();
    });
    act(() => result.current.cancel());
    expect(result.current.state.status).toBe('stopping');
    await act(async () => {
      settle(err({ code: 'cancelled', message: 'Cancelled.' }));
      expect(await started).toBeUndefined();
    });
    expect(result.current.state.status).toBe('idle');
  });

  it('that fails keeps the sentence and what was asked; so does one whose worker died', async () => {
    const failure = { code: 'quota', message: 'No more space.' } as const;
    const answers = [
      () => err(failure),
      () => {
        throw new Error('A background worker stopped.');
      },
    ];
    const world = createWorld({ importer: { import: () => answers.shift()?.() } });
    const { result } = render(world, () => useImport());
    await act(async () => {
      await result.current.start(request);
    });
    expect(result.current.state).toEqual({ status: 'failed', request, failure });
    await act(async () => {
      await result.current.start(request);
    });
    expect(result.current.state).toMatchObject({ failure: { message: 'A background worker stopped.' } });
  });

  it('waits for the one before it', async () => {
    const order: string[] = [];
    const world = createWorld({
      importer: {
        import: async ([asked]: readonly { readonly name?: string }[]) => {
          const name = asked?.name ?? '';
          order.push(`begin ${name}`);
          await Promise.resolve();
          order.push(`end ${name}`);
          return ok(outcome);
        },
      } as Answers<ImportMethods>,
    });
    const { result } = render(world, () => useImport());
    await act(async () => {
      await Promise.all([
        result.current.start({ ...request, name: 'a' }),
        result.current.start({ ...request, name: 'b' }),
      ]);
    });
    expect(order).toEqual(['begin a', 'end a', 'begin b', 'end b']);
  });
});

describe('a replay', () => {
  const replayRequest = { trace, base: mainBranch, edits: [], supply: [] };

  it('asks everything about its trace anew, because a branch was added', async () => {
    const world = createWorld({
      ask: () => ({ notices: 0 }),
      replayer: { replay: () => ok({ result: 'complete', branch: branchId('b-1') }) },
    });
    const { result } = render(world, () => ({
      replay: useReplay(),
      summary: useSummary(trace),
      other: useSummary(traceId('t-2')),
    }));
    await waitFor(() => expect(result.current.other.isSuccess && result.current.summary.isSuccess).toBe(true));
    await act(async () => {
      expect(await result.current.replay.run(replayRequest)).toMatchObject({ result: 'complete' });
    });
    await waitFor(() => expect(world.calls.filter((call) => call === 'ask t-1 summary')).toHaveLength(2));
    expect(world.calls.filter((call) => call === 'ask t-2 summary')).toHaveLength(1);
    expect(result.current.replay.state.status).toBe('done');
  });

  it('that is cancelled is forgotten, whatever it still says', async () => {
    const world = createWorld({
      replayer: {
        replay: (_args, options) =>
          new Promise((_resolve, reject) =>
            options?.signal?.addEventListener('abort', () => reject(new Error('Cancelled.'))),
          ),
      },
    });
    const { result } = render(world, () => useReplay());
    let run: Promise<unknown> = Promise.resolve();
    act(() => {
      run = result.current.run(replayRequest);
    });
    expect(result.current.state.status).toBe('running');
    act(() => result.current.cancel());
    expect(result.current.state.status).toBe('idle');
    await act(async () => {
      expect(await run).toBeUndefined();
    });
    expect(result.current.state.status).toBe('idle');
  });
});

describe('a long job of the replay worker', () => {
  const ask = { trace, modelVaries: false };

  it('tells its progress, and its answer stays', async () => {
    const told: unknown[] = [];
    let finish: (answer: unknown) => void = () => undefined;
    const killSweep: Answer = (_args, options) => {
      // Cast: the progress of this method.
      options?.onProgress?.({ done: 1, of: 2 } as never);
      return new Promise((resolve) => (finish = resolve));
    };
    const { result } = render(createWorld({ replayer: { killSweep } }), () => {
      const job = useKillSweep();
      told.push(job.state.status === 'running' ? job.state.progress : job.state.status);
      return job;
    });
    let ended: Promise<unknown> = Promise.resolve();
    act(() => {
      ended = result.current.start(ask);
    });
    await waitFor(() => expect(told).toContainEqual({ done: 1, of: 2 }));
    await act(async () => {
      finish(ok({ trials: [] }));
      await ended;
    });
    expect(result.current.state).toMatchObject({ status: 'done', answer: { trials: [] } });
  });

  it('that is cancelled ends its call and leaves nothing; one that fails says why', async () => {
    let signal: AbortSignal | undefined;
    const killSweep: Answer = (_args, options) =>
      new Promise((_resolve, reject) => {
        signal = options?.signal;
        options?.signal?.addEventListener('abort', () => reject(new Error('Cancelled.')));
      });
    const { result } = render(createWorld({ replayer: { killSweep } }), () => useKillSweep());
    await act(async () => {
      const started = result.current.start(ask);
      result.current.cancel();
      expect(await started).toBeUndefined();
    });
    expect(signal?.aborted).toBe(true);
    expect(result.current.state).toEqual({ status: 'idle' });

    const refused = createWorld({ replayer: { killSweep: () => err({ code: 'refused', message: 'No write.' }) } });
    const failing = render(refused, () => useKillSweep());
    await act(async () => {
      await failing.result.current.start(ask);
    });
    expect(failing.result.current.state).toMatchObject({ status: 'failed', message: 'No write.' });
  });
});

describe('the preparation of the debugger', () => {
  it('is cancelled by a person, says so, and can be begun again', async () => {
    let isSlow = true;
    const overview = { length: 3, marks: [], program: '', sentence: '', result: 'identical' };
    const debugOpen: Answer = (_args, options) =>
      isSlow
        ? new Promise((_resolve, reject) => {
            options?.signal?.addEventListener('abort', () => reject(new Error('Cancelled.')));
          })
        : ok(overview);
    const request = { trace, base: mainBranch, edits: [], supply: [] };
    const { result } = render(createWorld({ replayer: { debugOpen } }), () => useDebugger(request));
    expect(result.current).toMatchObject({ overview: undefined, isCancelled: false });
    act(() => result.current.cancel());
    await waitFor(() => expect(result.current).toMatchObject({ isCancelled: true, problem: undefined }));
    isSlow = false;
    act(() => result.current.again());
    await waitFor(() => expect(result.current.overview).toEqual(overview));
  });
});

describe('a live model call', () => {
  it('is in the access log before anything is sent, without its key and what it says', async () => {
    const world = createWorld({ library: { record: () => undefined } });
    const { result } = render(world, () => useAskModel());
    const endpoint = { api: 'messages', base: 'https://api.example/v1', model: 'm-1', maxTokens: 10 } as const;
    const messages = [{ role: 'user', content: 'private words' }] as const;
    const asked = result.current(
      { trace, path: '/model:a#0', endpoint, messages, key: 'secret-key' },
      new AbortController().signal,
    );
    await expect(asked).rejects.toThrow('No.');
    expect(world.calls).toHaveLength(1);
    expect(world.calls[0]).toMatch(/^record .*Asked m-1 at https:\/\/api\.example after confirmation, for \/model:a#0/);
    expect(world.calls[0]).not.toMatch(/secret-key|private words/);
  });
});

describe('golden cases from files', () => {
  it('that came before one that fails are told to the list and to other tabs', async () => {
    const cases = ['first', 'second'].map((name) => ({ golden: { name }, stream: new Blob([name]) }));
    let made = 0;
    const world = createWorld({
      replayer: { goldenRead: () => ok(cases), goldenAdd: () => ({ name: 'first' }) },
      importer: {
        import: () =>
          ++made === 1 ? ok({ trace: traceId('t-1') }) : err({ code: 'quota', message: 'The disk is full.' }),
      },
    });
    const { result } = render(world, () => useGoldenActs());
    await expect(result.current.bring([])).rejects.toThrow('The disk is full.');
    expect(world.calls.filter((call) => call === 'announce')).toHaveLength(1);
  });
});
