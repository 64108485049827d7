/**
 * What a redacted copy says of itself: its declaration, and the record that stands for the events left out.
 *
 * They are kept, can be inspected and stand in the graph where other records name them; they are no events of the run, so they are in no
 * count, row or lane (a copy of 189 events has 189). One list for the reader, the import and the page of the reviewer.
 */
import { isJsonArray, isJsonObject, type JsonValue } from '../base/json.ts';
import { type CausalIndex, type EventSource, type IndexColumns, memberOf, payloadOf, textOf } from '../causal/index.ts';
import type { BranchId, EventId } from '../model/index.ts';

const copyTypes = ['share.declared', 'share.omitted'] as const;

export function isCopyRecord(type: string): boolean {
  return copyTypes.some((one) => one === type);
}

export function copyPositions(index: CausalIndex): readonly number[] {
  return [...index.ofType(...copyTypes)];
}

/** How many events of the run there are. */
export function countRunEvents({ count, type, types }: Pick<IndexColumns, 'count' | 'type' | 'types'>): number {
  const numbers = new Set<number>();
  types.forEach((name, number) => {
    if (isCopyRecord(name)) numbers.add(number);
  });
  return numbers.size === 0 ? count : type.reduce((sum, number) => sum + (numbers.has(number) ? 0 : 1), 0);
}

export interface CopyDeclared {
  readonly declared: EventId;
  /** What stands for the events left out. */
  readonly omitted?: EventId | undefined;
}

export function readCopy(index: CausalIndex): CopyDeclared | undefined {
  const [declared] = index.ofType('share.declared');
  if (declared === undefined) return undefined;
  const [omitted] = index.ofType('share.omitted');
  return { declared: index.id(declared), ...(omitted === undefined ? {} : { omitted: index.id(omitted) }) };
}

/**
 * How many events of the branch the copy lacks; 0 of a branch that is whole, and of every branch of what is no copy. A copy that does
 * not say of which branches it left something out may lack it of any.
 */
export function countLeftOut(index: CausalIndex, source: EventSource, branch: BranchId): number {
  let lacking = 0;
  for (const position of index.ofType('share.omitted')) {
    const data = payloadOf(source.at(position));
    const branches = memberOf(data, 'branches');
    const own = isJsonArray(branches) ? branches.filter((one) => textOf(memberOf(one, 'branch')) === branch) : [data];
    for (const one of own) lacking += Math.max(1, countAt(memberOf(one, 'events')));
  }
  return lacking;
}

/** How many values are withheld from the copy; 0 in what is none. */
export function countWithheld(index: CausalIndex, source: EventSource): number {
  let count = 0;
  for (const position of index.ofType('share.declared')) {
    const holes = memberOf(payloadOf(source.at(position)), 'holes');
    if (isJsonArray(holes)) count += holes.length;
  }
  return count;
}

/** What records of a copy say about answers that it does not show. */
export interface CopyAnswers {
  /**
   * Effects, or what they are called, have stand-ins: what was answered names an effect neither by the ids of the copy nor under a name
   * that the copy has.
   */
  readonly hasStandIns: boolean;
  /** By answer: the recorded effects that it names. */
  readonly named: ReadonlyMap<string, readonly string[]>;
}

export const noCopy: CopyAnswers = { hasStandIns: false, named: new Map() };

/** Undefined of any other record than the declaration of a copy. */
export function readCopyAnswers(type: string, data: unknown): CopyAnswers | undefined {
  if (type !== 'share.declared') return undefined;
  const classes = fieldOf(fieldOf(data, 'policy'), 'classes');
  const answers = fieldOf(data, 'answers');
  const named = (isJsonArray(answers) ? answers : []).map((answer) => {
    const effects = fieldOf(answer, 'effects');
    const ids = (isJsonArray(effects) ? effects : []).filter((id) => typeof id === 'string');
    return [textOf(fieldOf(answer, 'event')) ?? '', ids] as const;
  });
  return {
    hasStandIns: fieldOf(classes, 'effects') !== 'keep' || fieldOf(classes, 'names') !== 'keep',
    named: new Map(named),
  };
}

/** Events of several copies have the same ids: which of them an answer stands for cannot be told. */
export function joinCopies(copies: readonly CopyAnswers[]): CopyAnswers | undefined {
  const [first, ...others] = copies;
  if (others.length === 0) return first;
  return { hasStandIns: copies.some(({ hasStandIns }) => hasStandIns), named: new Map() };
}

function fieldOf(value: unknown, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function countAt(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
}
