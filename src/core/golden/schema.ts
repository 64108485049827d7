/**
 * A golden case as a file: which record, which program, and which properties must stay.
 *
 * The schema is the boundary: what it refuses cannot be run, and the sentence says which part is wrong. Published with the site as
 * JSON Schema; changed only by adding what may be absent.
 */
import { z } from 'zod';
import { issuesToText } from '../base/issues.ts';
import type { JsonValue } from '../base/json.ts';
import { type Result, err, ok } from '../base/result.ts';
import { nameToShown } from '../base/shown-text.ts';

const filled = z.string().regex(/\S/, 'must say something');
const digestText = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be a digest, sha256: and 64 hex digits');

const decision = z.strictObject({
  id: filled,
  kind: z.literal('decision'),
  /** Path of the decision. */
  target: filled,
  /** What was chosen. */
  expected: z.json(),
});

const effect = z.strictObject({
  id: filled,
  kind: z.literal('effect'),
  /** Path of the write. */
  target: filled,
  expected: z.strictObject({
    /** Name of the tool. */
    kind: filled,
    args: digestText,
    /** Writes of that name and those arguments in the whole run. */
    count: z.number().int().positive(),
  }),
});

const state = z.strictObject({
  id: filled,
  kind: z.literal('state'),
  /** Name of the state. */
  target: filled,
  /** Digest of its last version. */
  expected: digestText,
});

const invariant = z.strictObject({
  id: filled,
  kind: z.literal('invariant'),
  /** Id of a rule of the audit. */
  target: filled,
  /** No finding of that rule. */
  expected: z.literal('absent'),
});

const absence = z.strictObject({
  id: filled,
  kind: z.literal('absence'),
  /** Path or tool name of a write that must not be. */
  target: filled,
  expected: z.literal('absent'),
});

const order = z.strictObject({
  id: filled,
  kind: z.literal('order'),
  /** Paths of two commands. */
  target: z.tuple([filled, filled]),
  /** The first was answered before the second was asked. */
  expected: z.literal('before'),
});

const key = z.strictObject({
  id: filled,
  kind: z.literal('key'),
  /** Path of the write. */
  target: filled,
  /** The program gives it an idempotency key. */
  expected: z.literal('present'),
});

const property = z.discriminatedUnion('kind', [decision, effect, key, state, invariant, absence, order]);

const goldenSchema = z.strictObject({
  $schema: z.string().optional(),
  golden: z.literal(1),
  name: filled,
  run: filled,
  /** The branch that was pinned. */
  branch: filled,
  /** File with the slice of the stream, beside this one. */
  stream: filled.regex(/^[^/\\]+$/, 'must be the name of a file in the same folder'),
  /** Digest of the control program that made the record. */
  program: digestText,
  /** Digest of the set of this one run, as the comparison over sets has it. */
  set: digestText,
  properties: z.array(property).min(1),
  /** Paths of intended changes: they and what descends from them may differ. Also ids of properties. */
  exempt: z.array(filled),
  /** Why this must stay, for the person who breaks it. */
  reason: filled.optional(),
});

export type GoldenProperty = z.infer<typeof property>;
export type Golden = z.infer<typeof goldenSchema>;
export type PropertyKind = GoldenProperty['kind'];

export const propertyKinds: readonly PropertyKind[] = [
  'decision',
  'effect',
  'key',
  'state',
  'invariant',
  'absence',
  'order',
];

export function parseGolden(value: JsonValue): Result<Golden, string> {
  const parsed = goldenSchema.safeParse(value);
  if (!parsed.success) return err(refused(issuesToText(parsed.error.issues)));
  const ids = parsed.data.properties.map(({ id }) => id);
  const twice = ids.find((id, n) => ids.indexOf(id) !== n);
  if (twice === undefined) return ok({ ...parsed.data, name: nameToShown(parsed.data.name) });
  return err(refused(`it has two properties with the id "${twice}"`));
}

function refused(what: string): string {
  return `The golden case cannot be used: ${what}. Pin it again, or mend that part by the schema of golden cases.`;
}

export function goldenJsonSchema(): object {
  return {
    ...z.toJSONSchema(goldenSchema, { io: 'input' }),
    title: 'Hindcast golden case, version 1',
    description: 'Properties of a recorded run or branch that must stay when the control program changes.',
  };
}
