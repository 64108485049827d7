/**
 * A recovery claim as a file: fault, what it protects, what must go on, and the clauses that decide (R87, R88).
 *
 * The schema is the boundary: what it refuses cannot be evaluated, and the sentence says which part is missing. Published with the
 * site as JSON Schema.
 */
import { z } from 'zod';
import { issuesToText } from '../base/issues.ts';
import type { JsonValue } from '../base/json.ts';
import { type Result, err, ok } from '../base/result.ts';
import { toKillPoint } from './placement.ts';

const filled = z.string().regex(/\S/, 'must say something');

const whichPoint = 'must be one of 1, 2, 2late, 3, 4, 5';

/** A boundary as streams name it: `3`, `"3"`, `"2late"`, `"2-late"`. */
const point = z
  .union([z.number().int().min(1).max(5), z.string().regex(/^\s*(?:[1-5]|2[\s_-]*[lL][aA][tT][eE])\s*$/, whichPoint)])
  .transform((label, context) => {
    const read = toKillPoint(label);
    if (read === undefined) context.addIssue({ code: 'custom', message: whichPoint });
    return read ?? z.NEVER;
  });

const comparison = z.strictObject({
  op: z
    .enum(['<', '<=', '=', '==', '===', '!=', '>=', '>'])
    .transform((op) => (op === '==' || op === '===' ? '=' : op)),
  value: z.union([z.number(), z.boolean()]),
  /** Only observations of this kill of a run; absent: every single one. */
  ordinal: z.number().int().positive().optional(),
});

const clause = z.strictObject({
  id: filled,
  text: filled,
  /** An event type, counted over the trial or after its first kill. */
  event: z.union([filled, z.strictObject({ type: filled, after: z.literal('fault').optional() })]).optional(),
  /** `duplicates`, `losses`, `completed`, `extraModelCalls`, `extraModelCost`, an invariant, or a time of this report. */
  metric: filled.optional(),
  /** `"<= 500"`, `"= 0"`, `"= true"`, `"holds"`, `"never"`, `"once"`, `"at least once"`, a value that it equals, or `{op, value, ordinal}`. */
  predicate: z.union([filled, z.number(), z.boolean(), comparison]).optional(),
});

export const claimSchema = z.strictObject({
  $schema: z.string().optional(),
  fault: z.union([
    filled,
    z.strictObject({
      class: filled.optional(),
      /** Boundaries claimed for; absent: every one that was struck. */
      points: z.array(point).min(1).optional(),
      effects: z.array(filled).min(1).optional(),
      /** True: a run with several kills counts as well. Absent: it does. */
      repeated: z.boolean().optional(),
    }),
  ]),
  protects: filled,
  continuation: filled,
  /** The design the claim is about, by name; absent: each is judged by itself. */
  strategy: filled.optional(),
  clauses: z.array(clause).min(1),
});

export type Claim = z.infer<typeof claimSchema>;
export type Clause = z.infer<typeof clause>;
export type Comparison = z.infer<typeof comparison>;

export function parseClaim(value: JsonValue): Result<Claim, string> {
  const parsed = claimSchema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const parts = 'A claim is {"fault", "protects", "continuation", "clauses": [{"id", "text", …}]}';
  return err(`The claim cannot be evaluated: ${issuesToText(parsed.error.issues)}. ${parts}.`);
}

export function claimJsonSchema(): object {
  return {
    ...z.toJSONSchema(claimSchema, { io: 'input' }),
    title: 'Hindcast recovery claim, version 1',
    description: 'What a design is claimed to survive, bound to events and measurements of its trials.',
  };
}
