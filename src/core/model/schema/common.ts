/**
 * Schema pieces that every event shares: the envelope, causes, command, durability, references.
 *
 * Objects are loose: fields this version does not know survive import, branch and export. Checks here are about shape only;
 * relations between events (dangling causes, repeated ids) are the causal index's business.
 */
import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import {
  type BranchId,
  type CommandPath,
  type Digest,
  type EventId,
  type RunId,
  type SpanId,
  isDigest,
  isRunId,
  isSpanId,
} from '../ids.ts';

// The page's policy forbids code from strings, which zod's compiled mode needs.
z.config({ jitless: true });

// A check by code says nothing in the published JSON Schema: what it asks for is told beside it.
const someText = { type: 'string', minLength: 1 } as const;

function matching(pattern: string): { readonly type: 'string'; readonly pattern: string } {
  return { type: 'string', pattern };
}

/** Any recorded JSON. The reader already guarantees it, so nothing is walked twice. */
export const json = z.custom<JsonValue>((value) => value !== undefined);
export const jsonObject = z
  .custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
  .meta({ type: 'object' });

export const eventIdSchema = z
  .custom<EventId>((value) => typeof value === 'string' && value !== '', 'an id is a non-empty text')
  .meta(someText);
export const runIdSchema = z
  .custom<RunId>(
    (value) => typeof value === 'string' && isRunId(value),
    'a run is 32 lowercase hex digits, not all zero',
  )
  .meta(matching('^(?!0+$)[0-9a-f]{32}$'));
export const spanIdSchema = z
  .custom<SpanId>(
    (value) => typeof value === 'string' && isSpanId(value),
    'a span is 16 lowercase hex digits, not all zero',
  )
  .meta(matching('^(?!0+$)[0-9a-f]{16}$'));
export const branchIdSchema = z
  .custom<BranchId>((value) => typeof value === 'string' && value !== '', 'a branch is a non-empty text')
  .meta(someText);
export const pathSchema = z
  .custom<CommandPath>((value) => typeof value === 'string' && value !== '', 'a command path is a non-empty text')
  .meta(someText);
export const digestSchema = z
  .custom<Digest>(
    (value) => typeof value === 'string' && isDigest(value),
    'a digest is sha256: and 64 lowercase hex digits',
  )
  .meta(matching('^sha256:[0-9a-f]{64}$'));

const count = z
  .number('a count is a whole number from 0 to 9007199254740991')
  .int('a count is a whole number from 0 to 9007199254740991')
  .nonnegative('a count is a whole number from 0 to 9007199254740991');
export const text = z.string();
export const optionalText = z.string().optional();
export const optionalCount = count.optional();
export const optionalNumber = z.number().optional();

export const causeKinds = [
  'selected_by',
  'result_of',
  'consumed',
  'informed_by',
  'authorized_by',
  'caused_by',
] as const;
export type CauseKind = (typeof causeKinds)[number];

export const edgeGrades = ['recorded', 'inferred', 'clock-only'] as const;
/** recorded: the producer said so; inferred: by a named rule; clock-only: nothing but timestamps. */
export type EdgeGrade = (typeof edgeGrades)[number];

/** `grade` absent means recorded; an importer that infers an edge names its rule. */
export const causeSchema = z.looseObject({
  event: eventIdSchema,
  as: z.enum(causeKinds),
  grade: z.enum(edgeGrades).optional(),
  rule: optionalText,
});

export const sourceSchema = z.looseObject({
  component: z.string(),
  instance: z.union([z.string(), z.number()]).optional(),
  incarnation: z.union([z.string(), z.number()]).optional(),
  version: optionalText,
  pid: optionalCount,
});

export const principalSchema = z.looseObject({
  id: z.string(),
  kind: z.enum(['human', 'service', 'agent']).optional(),
  on_behalf_of: optionalText,
  privileged_path: optionalText,
});

export const durableSchema = z.looseObject({ status: z.enum(['memory', 'flushed', 'durable']), where: optionalText });

export const commandKinds = [
  'model',
  'read',
  'write',
  'timer',
  'signal',
  'child',
  'state',
  'decide',
  'pure',
  'marker',
  'draw',
  'rollover',
] as const;
export type CommandKind = (typeof commandKinds)[number];

/** A position: an integer of the control process, or on a branch `<number>.<k>` compared part by part. */
export const positionSchema = z.union([
  count,
  z.string().regex(/^\d+(\.\d+)*$/, 'a position is a number or numbers joined by dots'),
]);

export const commandSchema = z.looseObject({
  path: pathSchema,
  kind: z.union([z.enum(commandKinds), z.string()]).optional(),
  name: optionalText,
  /** Digest of the canonical arguments; absent is "not recorded". */
  args: z.string().optional(),
  attempt: optionalCount,
  issued: positionSchema.optional(),
  /** An ending event is final if and only if it has this. */
  delivered: positionSchema.optional(),
  /** Virtual time, integer milliseconds since the epoch, from this delivery on. */
  vt: optionalNumber,
  reads: z.array(z.string()).optional(),
  writes: z.array(z.string()).optional(),
  site: z.looseObject({ function: optionalText, line: optionalNumber, column: optionalNumber }).optional(),
  identity: z.enum(['native', 'derived']).optional(),
  alias: z.union([z.string(), z.number()]).optional(),
});

/** Where a converted event came from; `extra` holds what the mapping had no place for. */
export const importedSchema = z.looseObject({
  format: z.string(),
  file: optionalText,
  line: optionalCount,
  record: optionalText,
  extra: jsonObject.optional(),
});

export const origins = ['supplied', 'replayed', 'live', 'derived', 'reconciled', 'other-run'] as const;

export const envelopeShape = {
  v: z.literal(1),
  id: eventIdSchema,
  run: runIdSchema,
  span: spanIdSchema.optional(),
  session: optionalText,
  step: optionalText,
  branch: branchIdSchema,
  /** Position in the durable log (source.component, instance, incarnation), where the log has one. */
  seq: optionalCount,
  /** RFC 3339, up to nanoseconds. Events made by a replay have none. */
  time: optionalText,
  clock: optionalText,
  /** Decimal nanoseconds of a monotonic clock in that domain: information, not order. */
  mono: optionalText,
  source: sourceSchema,
  agent: optionalText,
  principal: principalSchema.optional(),
  causes: z.array(causeSchema).optional(),
  supersedes: eventIdSchema.optional(),
  /** On branch events: the replay operation that made the event. */
  replay: optionalText,
  durable: durableSchema.optional(),
  replayed: z.boolean().optional(),
  origin: z.enum(origins).optional(),
  command: commandSchema.optional(),
  imported: importedSchema.optional(),
};

/** Name, message and data of a failure as control code received it. */
export const errorSchema = z.looseObject({ name: z.string(), message: z.string(), data: json.optional() });
