/**
 * The library worker's methods over the storage service, and the opened traces.
 *
 * Owns the order at the start: what dead imports left and what is due for purge goes before anything is answered.
 */
import { ok } from '../../core/base/result.ts';
import type { TraceReader } from '../../core/projections/trace-reader.ts';
import {
  deleteBranch,
  deleteTrace,
  findTrace,
  type LibraryContext,
  listBranches,
  listBranchNames,
  listRuns,
  listTraces,
  purgeDue,
  purgeTraces,
  readAccessLog,
  readSettings,
  readStorageState,
  recordAct,
  renameBranch,
  renameTrace,
  saveSettings,
  setRetention,
  sweepImports,
} from '../storage/index.ts';
import type { LibraryMethods, ReaderMethod, SearchTold } from './library-methods.ts';
import type { RecoveryMethods } from './recovery-methods.ts';
import type { ShareMethods } from './share-methods.ts';
import type { AuditedReaders } from './audited-readers.ts';
import { createKeptAnswers } from './kept-answers.ts';
import type { OpenedTrace, Opener } from './open-traces.ts';
import type { Handlers } from './server.ts';

/** Turns for which a search waits, so that it ends also where questions never do. */
const patience = 200;

export function createLibraryHandlers(
  library: LibraryContext,
  opener: Opener,
  readers: AuditedReaders,
  build = '',
): Omit<Handlers<LibraryMethods>, keyof ShareMethods | keyof RecoveryMethods> {
  const kept = createKeptAnswers(library, readers, build, pause);
  /** Questions that are being answered; one that waits for a search is not. */
  let answering = 0;
  /** A search goes on when they are answered: each takes several turns of this worker, and would wait for the search at each. */
  const letOthers = async (): Promise<void> => {
    let turns = 0;
    do await pause();
    while (answering > 0 && ++turns < patience);
  };
  let started: Promise<unknown> | undefined;
  /** Once a worker; a failure is met again, with its reason, by whoever asks next. */
  const ready = (): Promise<unknown> => (started ??= sweepImports(library).then(() => purgeDue(library)));

  /** Other questions are answered while a text is searched. */
  async function searchText(
    opened: OpenedTrace,
    args: readonly unknown[],
    signal: AbortSignal,
    tell: (told: SearchTold) => void,
  ): Promise<void> {
    const { search, index } = opened;
    if (search === undefined) return;
    // With the code that opens traces: the first answer of the library waits for none of it.
    const { argsToTextQuestion, createSearchTeller, prepareNeedles } = await import('./search-told.ts');
    const question = argsToTextQuestion(args);
    if (question === undefined) return;
    answering--;
    try {
      const teller = createSearchTeller(readers.readerOf(opened), index.id, question, tell);
      await prepareNeedles(search, question.needles, teller, { signal, pause: letOthers });
    } finally {
      answering++;
    }
  }

  return {
    traces: async () => {
      await ready();
      return listTraces(library);
    },
    trace: async (_context, id) => {
      await ready();
      return findTrace(library, id);
    },
    runs: (_context, id) => listRuns(library, id),
    rename: (_context, id, name) => renameTrace(library, id, name),
    remove: (_context, id, override) => deleteTrace(library, id, override),
    setRetention: (_context, id, retention) => setRetention(library, id, retention),
    purge: (_context, ids) => purgeTraces(library, ids),
    branches: (_context, id) => listBranches(library, id),
    branchNames: (_context, id) => listBranchNames(library, id),
    renameBranch: (_context, id, branch, name) => renameBranch(library, id, branch, name),
    removeBranch: (_context, id, branch) => deleteBranch(library, id, branch),
    log: () => readAccessLog(library),
    record: async (_context, act) => {
      await recordAct(library, act);
      return undefined;
    },
    settings: () => readSettings(library.db),
    saveSettings: async (_context, settings) => {
      await saveSettings(library.db, settings);
      return undefined;
    },
    storage: () => readStorageState(),
    stream: (_context, id) => opener.stream(id),
    ask: async ({ signal, progress }, id, method, args) => {
      answering++;
      try {
        const first = await kept.read(id, method, args);
        if (first !== undefined) return ok(first.value);
        const opened = await opener.open(id);
        if (!opened.ok) return opened;
        await searchText(opened.value, args, signal, progress);
        signal.throwIfAborted();
        const answer = askReader(readers.readerOf(opened.value), method, args);
        kept.keep(opened.value, id, method, args, answer);
        return ok(answer);
      } finally {
        answering--;
      }
    },
    isAudited: async (_context, id, branch, build) => {
      await kept.wait(id);
      const opened = await opener.open(id);
      // The question itself will tell what is wrong.
      return opened.ok ? readers.isAudited(opened.value, id, branch, build) : 'ready';
    },
    keepAudit: async (_context, id, branch, build, audit) => {
      const opened = await opener.open(id);
      if (opened.ok) await readers.keep(opened.value, id, branch, build, audit);
      return undefined;
    },
  };
}

/** Cast: the arguments were typed by this very method on the other end of the port (`ReaderClient`). */
function askReader(reader: TraceReader, method: ReaderMethod, args: readonly unknown[]): unknown {
  const methods: Readonly<Record<ReaderMethod, (...args: never[]) => unknown>> = reader;
  return methods[method](...(args as never[]));
}

/** Ends the turn of this worker: messages that came meanwhile are heard first. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
