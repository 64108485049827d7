/**
 * Two recorded lines beside each other: two branches of a run, or two runs.
 *
 * Glossary
 * - side: one line that is compared: a run on a branch; *here* is the first, *there* the second
 * - row: one command by its path, on one side or on both
 * - first difference: the earliest field in which two sides differ, draws of time and chance left aside
 */
export {
  type CompareSide,
  type ComparedCall,
  type ComparedField,
  type ComparedRow,
  type ComparedState,
  type ComparedStatus,
  type ComparedSides,
  type FirstDifference,
  compareSides,
} from './compare.ts';
export type { Contradiction } from './contradictions.ts';
export type { ComparedEffects } from './effects.ts';
export { textToPiece } from './piece.ts';
