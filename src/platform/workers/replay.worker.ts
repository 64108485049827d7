/**
 * Entry of the replay worker: gives the jobs the library, the opened traces and the sandbox. Nothing else happens here.
 */
import { createRandomId } from '../crypto/index.ts';
import { loadSandbox } from '../sandbox/page.ts';
import { createLibraryContext } from '../storage/index.ts';
import { createDebugJobs } from './debug-job.ts';
import { createOpener } from './open-traces.ts';
import { previewTrace } from './preview-job.ts';
import { replayTrace } from './replay-job.ts';
import type { ReplayMethods } from './replay-methods.ts';
import { readPrograms, replaySet } from './replay-set-job.ts';
import { serveMethods } from './server.ts';
import { createScopePort, readSliceInWorker } from './worker-scope.ts';

const library = createLibraryContext(createRandomId);
const opener = createOpener({ library, readSlice: readSliceInWorker });
const deps = { library, opener, loadSandbox, ticks: () => performance.now() };
const debug = createDebugJobs(deps);

serveMethods<ReplayMethods>(createScopePort(), {
  preview: (_context, request) => previewTrace(opener, request),
  replay: (context, request) => replayTrace(deps, request, context),
  runPrograms: (_context, traces) => readPrograms(deps, traces),
  replaySet: (context, ask) => replaySet(deps, ask, context),
  goldens: async () => (await goldenJobs()).readGoldens(deps),
  goldenPropose: async (context, place) => (await goldenJobs()).proposeGolden(deps, place, context),
  goldenPin: async (context, ask) => (await goldenJobs()).pinCase(deps, ask, context),
  goldenRun: async (context, ask) => (await goldenJobs()).runCases(deps, ask, context),
  goldenExport: async (_context, cases) => (await goldenJobs()).exportCases(deps, cases),
  goldenRead: async (_context, files) => (await goldenJobs()).readCases(files),
  goldenAdd: async (_context, golden, trace) => (await goldenJobs()).addCase(deps, golden, trace),
  goldenRemove: async (_context, golden) => (await goldenJobs()).removeCase(deps, golden),
  killSweep: async (context, ask) => (await import('./replay-kill-job.ts')).sweepKills(deps, ask, context),
  compare: async (_context, here, there) => (await compareJobs()).compareStored(deps, here, there),
  branchFile: async (_context, place) => (await compareJobs()).branchToFile(deps, place),
  findAnswers: async (context, ask) => (await import('./replay-reuse-job.ts')).findAnswers(deps, ask, context),
  debugOpen: (context, request) => debug.open(request, context),
  debugAt: (context, request, position) => debug.at(request, position, context),
  debugFind: (context, request, search) => debug.find(request, search, context),
});

/** Loaded when first asked for: most replays compare and pin nothing. */
function compareJobs() {
  return import('./replay-compare-job.ts');
}

function goldenJobs() {
  return import('./replay-golden-job.ts');
}
