/**
 * Hooks that the replay view alone needs, apart from `index.ts`: what stands there is loaded with the first page, this with the view.
 */
export { useGoldenActs, useGoldenProposal, useGoldens } from './replay-goldens.ts';
export { type Job, useFindAnswers, useGoldenRun, useKillSweep, useRunPrograms, useRunSet } from './replay-jobs.ts';
export { useAskModel } from './replay-live.ts';
