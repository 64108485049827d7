/**
 * Hooks that the replay view alone needs, apart from `index.ts`: what stands there is loaded with the first page, this with the view.
 */
export { type BranchEntry, type BranchGroup, groupBranches } from './branch-groups.ts';
export { type BranchOperation, linesToOperation } from './branch-operation.ts';
export { useGoldenActs, useGoldenProposal, useGoldens } from './replay-goldens.ts';
export { type Job, useFindAnswers, useGoldenRun, useKillSweep, useRunPrograms, useRunSet } from './replay-jobs.ts';
export { useAskModel } from './replay-live.ts';
