/**
 * A recovery claim as a file: fault, what it protects, what must go on, and the clauses that decide (R87, R88).
 *
 * The schema is the boundary: what it refuses cannot be evaluated, and each refusal says what may stand there (`claim-text.ts` says
 * where, and what stands there). Published with the site as JSON Schema.
 */
import { z } from 'zod';
import { formsToText, isCountWord, predicatePattern } from './claim-predicate.ts';
import { toKillPoint } from './placement.ts';

const words = 'must be text';
const filled = z.string(words).regex(/\S/, 'must be text that says something');

const whichPoint = 'must be one of 1, 2, 2late, 3, 4, 5';

/** A boundary as streams name it: `3`, `"3"`, `"2late"`, `"2-late"`. */
const point = z
  .union(
    [
      z.number().int(whichPoint).min(1, whichPoint).max(5, whichPoint),
      z.string().regex(/^\s*(?:[1-5]|2[\s_-]*[lL][aA][tT][eE])\s*$/, whichPoint),
    ],
    whichPoint,
  )
  .transform((label, context) => {
    const read = toKillPoint(label);
    if (read === undefined) context.addIssue({ code: 'custom', message: whichPoint });
    return read ?? z.NEVER;
  });

const yesOrNo = 'must be true or false';
const fromOne = 'must be a whole number from 1';

const comparison = z.strictObject({
  op: z
    .enum(['<', '<=', '=', '==', '===', '!=', '>=', '>'], 'must be one of <, <=, =, !=, >=, >')
    .transform((op) => (op === '==' || op === '===' ? '=' : op)),
  value: z.union([z.number(), z.boolean()], 'must be a number, true or false'),
  /** Only observations of this kill of a run; absent: every single one. */
  ordinal: z.number(fromOne).int(fromOne).positive(fromOne).optional(),
});

const eventAfter = z.strictObject({ type: filled, after: z.literal('fault', 'must be "fault"').optional() });

const whichPredicate = `must be one of ${formsToText()}`;

const clause = z.strictObject({
  id: filled,
  text: filled,
  /** An event type, counted over the trial or after its first kill. */
  event: z.union([filled, eventAfter], 'must be text, or an object with type and after').optional(),
  /** `duplicates`, `losses`, `completed`, `extraModelCalls`, `extraModelCost`, an invariant, or a time of this report. */
  metric: filled.optional(),
  /**
   * `"<= 500"`, `"= 0"`, `"= true"`, `"holds"`, `"never"`, `"once"`, `"at least once"`, a value that it equals, or `{op, value,
   * ordinal}`.
   */
  predicate: z
    .union(
      [z.string(words).regex(predicatePattern, whichPredicate), z.number(), z.boolean(), comparison],
      'must be text such as "= 0", a number, true or false, or an object with op, value and ordinal',
    )
    .optional(),
});

/** Nothing is read where a word that counts events stands beside a number. */
const boundClause = clause.superRefine(({ event, metric, predicate }, context) => {
  if (event !== undefined || metric === undefined || predicate === undefined || !isCountWord(predicate)) return;
  const message = `must be one of ${formsToText(false)} for a metric: the word counts events`;
  context.addIssue({ code: 'custom', path: ['predicate'], message });
});

const fault = z.strictObject({
  class: filled.optional(),
  /** Boundaries claimed for; absent: every one that was struck. */
  points: z.array(point, 'must be a list').min(1, 'must name at least one point').optional(),
  effects: z.array(filled, 'must be a list').min(1, 'must name at least one effect').optional(),
  /** True: a run with several kills counts as well. Absent: it does. */
  repeated: z.boolean(yesOrNo).optional(),
});

export const claimSchema = z.strictObject({
  $schema: z.string(words).optional(),
  fault: z.union([filled, fault], 'must be text, or an object with class, points, effects and repeated'),
  protects: filled,
  continuation: filled,
  /** The design the claim is about, by name; absent: each is judged by itself. */
  strategy: filled.optional(),
  clauses: z.array(boundClause, 'must be a list').min(1, 'must have at least one clause').superRefine(refuseSameIds),
});

/** A verdict names its clause by the id: one of two could not be told from the other. */
function refuseSameIds(clauses: readonly z.infer<typeof clause>[], context: z.RefinementCtx): void {
  const first = new Map<string, number>();
  for (const [at, { id }] of clauses.entries()) {
    const before = first.get(id.trim());
    if (before === undefined) first.set(id.trim(), at);
    else
      context.addIssue({
        code: 'custom',
        path: [at, 'id'],
        message: `must be another one than that of clauses[${before}]`,
      });
  }
}

/** Members that the object at a path may have. */
export function membersAt(path: readonly PropertyKey[]): readonly string[] {
  const schemas = { fault, predicate: comparison, event: eventAfter } as const;
  const last = path.at(-1);
  if (last === 'fault' || last === 'predicate' || last === 'event') return Object.keys(schemas[last].shape);
  return Object.keys((path.length === 0 ? claimSchema : clause).shape).filter((name) => name !== '$schema');
}

export type Claim = z.infer<typeof claimSchema>;
export type Clause = z.infer<typeof clause>;

export function claimJsonSchema(): object {
  return {
    ...z.toJSONSchema(claimSchema, { io: 'input' }),
    title: 'Hindcast recovery claim, version 1',
    description: 'What a design is claimed to survive, bound to events and measurements of its trials.',
  };
}
