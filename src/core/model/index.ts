/**
 * The event model.
 *
 * Glossary
 * - event: one typed record of the stream, immutable (avoid: log entry, message, item)
 * - trace: what was opened; holds one or more runs (avoid: file, session)
 * - run: one execution, with a W3C trace-id
 * - branch: `main` as recorded, or what a replay operation made; every event is in exactly one
 * - cause: a recorded, inferred or clock-only reference from an event to one before it
 * - command: a request by control code for what it cannot compute; its path is its identity
 * - observation: the recorded outcome of a command
 * - position: number of an issue or delivery in the process that runs control code
 * - digest: sha256 over the canonical form of a value
 * - problem: a record that could not be used as it is, with place and reason (avoid: error, warning)
 */
export {
  canon,
  canonHoisted,
  digest,
  digestBytes,
  inlineLimit,
  isContentReference,
  type ContentReference,
} from './canon.ts';
export { contentToValue } from './content.ts';
export {
  type DigestMismatch,
  commandToDoubts,
  eventToMismatches,
  isOtherValue,
  mismatchToText,
} from './digest-check.ts';
export { type Declarations, type FlushPolicy, computeDeclarations } from './declarations.ts';
export {
  type Cause,
  type EventEnvelope,
  type EventOf,
  type EventProblem,
  type HindcastEvent,
  type KnownEvent,
  type UnknownEvent,
  eventJsonSchema,
  eventToLine,
  parseEvent,
} from './event.ts';
export {
  type BranchId,
  type CommandPath,
  type Digest,
  type EventId,
  type RunId,
  type SpanId,
  branchId,
  commandPath,
  digestOfHex,
  eventId,
  isDigest,
  isRunId,
  isSpanId,
  mainBranch,
} from './ids.ts';
export { type KillBoundary, boundaryLabels, boundaryWords, killBoundaries, killPointToText } from './kill-points.ts';
export {
  type CauseKind,
  type CommandKind,
  type EdgeGrade,
  causeKinds,
  commandKinds,
  edgeGrades,
} from './schema/common.ts';
export { acceptsHole } from './schema/holes.ts';
export {
  type EventFamily,
  type KnownEventType,
  eventFamily,
  isKnownEventType,
  knownEventTypes,
} from './schema/union.ts';
export { eventToVerdict } from './verdict-words.ts';
export { currentVersion, readAsCurrent, upgradeSteps } from './upgrade.ts';
