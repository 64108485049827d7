/**
 * The redaction policy: versioned data that says, class by class, what happens to a value. The default is closed.
 *
 * Three outcomes: keep, pseudonym (stable inside one copy, unrelated in the next), withhold (a visible hole). Times have their own
 * three. Opening a class is the explicit act of the person who shares.
 */
import { z } from 'zod';
import { issuesToText } from '../base/issues.ts';
import { type Result, err, ok } from '../base/result.ts';

export const valueClasses = [
  {
    id: 'messages',
    label: 'Message text',
    covers: 'prompts, model replies, messages between agents',
    closed: 'withhold',
  },
  {
    id: 'arguments',
    label: 'Tool arguments',
    covers: 'what was passed to tools, sub-agents and models',
    closed: 'withhold',
  },
  { id: 'results', label: 'Tool results', covers: 'what tools, sub-agents and services sent back', closed: 'withhold' },
  {
    id: 'decisions',
    label: 'Decisions',
    covers: 'the chosen action, the alternatives and the reasons',
    closed: 'withhold',
  },
  { id: 'states', label: 'State values', covers: 'values and changes of durable state', closed: 'withhold' },
  {
    id: 'human-input',
    label: 'Human input',
    covers: 'signals, approvals and inputs with their values and reasons',
    closed: 'withhold',
  },
  { id: 'errors', label: 'Error text', covers: 'names and messages of failures', closed: 'withhold' },
  {
    id: 'program',
    label: 'Control program and seed',
    covers: 'kept whole or withheld whole; without it the copy does not replay',
    closed: 'withhold',
  },
  {
    id: 'usage',
    label: 'Token counts and cost',
    covers: 'usage, prices, parameters of model calls',
    closed: 'withhold',
  },
  { id: 'environment', label: 'Environment', covers: 'versions, limits, envelope, process ids', closed: 'withhold' },
  {
    id: 'governance',
    label: 'Declarations',
    covers: 'retention, access and redaction statements, tool schemas with the names in them',
    closed: 'withhold',
  },
  {
    id: 'annotations',
    label: 'Annotations',
    covers: 'labels and notes that people or programs added, reasons given for a replay',
    closed: 'withhold',
  },
  {
    id: 'attributes',
    label: 'Everything else',
    covers: 'fields and event types that this version does not know',
    closed: 'withhold',
  },
  {
    id: 'people',
    label: 'People and authorities',
    covers: 'principals, approvers, annotators, privileged paths',
    closed: 'pseudonym',
  },
  { id: 'agents', label: 'Agent names', covers: 'agents and hand-off partners', closed: 'pseudonym' },
  {
    id: 'names',
    label: 'Names of tools, models, policies, artifacts',
    covers: 'and the command paths and resources made of them',
    closed: 'pseudonym',
  },
  {
    id: 'effects',
    label: 'Effect ids and keys',
    covers: 'ticket numbers, idempotency keys, call ids',
    closed: 'pseudonym',
  },
  { id: 'components', label: 'Component names', covers: 'workers, services, clocks', closed: 'pseudonym' },
  {
    id: 'sessions',
    label: 'Session, step and branch names',
    covers: 'and the run and span identifiers',
    closed: 'pseudonym',
  },
] as const;

export type ValueClass = (typeof valueClasses)[number]['id'];
export type Action = 'keep' | 'pseudonym' | 'withhold';
/** keep: as recorded; shift: the first time of each clock becomes zero; withhold: none. */
export type TimeAction = 'keep' | 'shift' | 'withhold';

export interface RedactionPolicy {
  readonly v: 1;
  readonly name: string;
  readonly classes: Readonly<Record<ValueClass, Action>>;
  readonly times: TimeAction;
  /** Detectors run over everything that a kept class lets through. */
  readonly detectors: boolean;
}

// Cast: `fromEntries` forgets that every class has its entry.
const closedClasses = Object.fromEntries(valueClasses.map(({ id, closed }) => [id, closed])) as Record<
  ValueClass,
  Action
>;

export const closedPolicy: RedactionPolicy = {
  v: 1,
  name: 'closed',
  classes: closedClasses,
  times: 'shift',
  detectors: true,
};

/** Names and identifiers may be replaced by pseudonyms; free values cannot, since a pseudonym of a text says nothing. */
export function actionsOf(id: ValueClass): readonly Action[] {
  return closedClasses[id] === 'pseudonym' ? ['keep', 'pseudonym'] : ['keep', 'withhold'];
}

export function openClasses(policy: RedactionPolicy, opened: readonly ValueClass[]): RedactionPolicy {
  const classes = { ...policy.classes };
  for (const id of opened) classes[id] = 'keep';
  return { ...policy, name: opened.length === 0 ? policy.name : `${policy.name} with ${opened.join(', ')}`, classes };
}

const schema = z.strictObject({
  v: z.literal(1),
  name: z.string(),
  classes: z.partialRecord(z.string(), z.enum(['keep', 'pseudonym', 'withhold'])),
  times: z.enum(['keep', 'shift', 'withhold']),
  detectors: z.boolean(),
});

/** A policy file as an object; classes it does not name stay closed. */
export function parsePolicy(value: unknown): Result<RedactionPolicy, string> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) return err(refused(`${issuesToText(parsed.error.issues)}.`));
  const classes = { ...closedClasses };
  for (const [name, action] of Object.entries(parsed.data.classes)) {
    const known = valueClasses.find(({ id }) => id === name);
    if (known === undefined)
      return err(
        refused(
          `"classes" names "${name}", which does not exist. Known: ${valueClasses.map(({ id }) => id).join(', ')}.`,
        ),
      );
    if (action === undefined) continue;
    if (!actionsOf(known.id).includes(action))
      return err(refused(`"classes.${name}" can be ${actionsOf(known.id).join(' or ')}, not ${action}.`));
    classes[known.id] = action;
  }
  return ok({ ...parsed.data, classes });
}

function refused(what: string): string {
  return `The redaction policy cannot be used: ${what} A policy is {"v": 1, "name", "classes": {CLASS: "keep" or "pseudonym" or "withhold"}, "times", "detectors"}.`;
}
