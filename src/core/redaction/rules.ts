/**
 * The vocabulary in which `fields.ts` says what a field of a payload is: one rule a field, and short names for the common ones.
 */
import type { ValueClass } from './policy.ts';

export type Rule =
  /** Any JSON, kept or withheld whole; where it quotes values of other classes, kept only where those are. */
  | { readonly is: 'value'; readonly class: ValueClass; readonly also?: readonly ValueClass[] }
  /** Numbers and flags of a class. A text among them can be anything: it falls under "everything else". */
  | { readonly is: 'figures'; readonly class: ValueClass }
  /** A failure: without its name or message it is no failure, and is withheld whole. */
  | { readonly is: 'error' }
  /** A text or number that identifies something; `kind` is the prefix of its pseudonym. */
  | { readonly is: 'name'; readonly class: ValueClass; readonly kind: string }
  /** A word of a closed vocabulary of ours; any other text is what `text` says, else an unknown value. */
  | { readonly is: 'word'; readonly words: readonly string[]; readonly text?: Rule }
  | { readonly is: 'flag' }
  /** A small whole number that is structure: attempts, versions, ordinals, status codes; a text is what `text` says. */
  | { readonly is: 'count'; readonly text?: Rule }
  /** Which life of a process: numbered as in the source of every event. */
  | { readonly is: 'incarnation' }
  /** Milliseconds on the virtual clock of the run. */
  | { readonly is: 'time' }
  /** A wall time of the clock that the event names. */
  | { readonly is: 'moment' }
  /** A position in the order of deliveries: numbers joined by dots. */
  | { readonly is: 'position' }
  /** Resource names, kept joinable segment by segment. */
  | { readonly is: 'resources' }
  /** Identifiers of events, branches and command paths inside structure of ours; with `counts` it may be a count itself. */
  | { readonly is: 'references'; readonly counts?: true }
  /**
   * A digest: recomputed from the copy's value where that is whole, else a joinable stand-in; or none, where a replay would take the
   * stand-in for the digest of another value.
   */
  | { readonly is: 'digest'; readonly of?: string; readonly else?: 'none' }
  /** A recorded digest of the neighbour `of`: treated like its class where the copy has the neighbour whole, else a stand-in. */
  | { readonly is: 'digest-as-recorded'; readonly of: string; readonly class: ValueClass }
  /** What an edit or an answer delivers: its class is that of the command it is for, which a sibling names. */
  | { readonly is: 'replacement' }
  /** `scalar`: what it is where a writer gives a text or number in the place of an object. */
  | { readonly is: 'object'; readonly fields: Fields; readonly scalar?: Rule }
  /** `single`: one alone may stand in the place of the list. */
  | { readonly is: 'list'; readonly item: Rule; readonly single?: true };

export type Fields = Readonly<Record<string, Rule>>;

export function value(cls: ValueClass, ...also: readonly ValueClass[]): Rule {
  return also.length === 0 ? { is: 'value', class: cls } : { is: 'value', class: cls, also };
}

export function name(cls: ValueClass, kind: string): Rule {
  return { is: 'name', class: cls, kind };
}

export function words(...list: readonly string[]): Rule {
  return { is: 'word', words: list };
}

export function object(fields: Fields, scalar?: Rule): Rule {
  return { is: 'object', fields, ...(scalar === undefined ? {} : { scalar }) };
}

export function listOf(item: Rule): Rule {
  return { is: 'list', item };
}

export const flag: Rule = { is: 'flag' };
export const count: Rule = { is: 'count' };
export const incarnation: Rule = { is: 'incarnation' };
export const references: Rule = { is: 'references' };
export const referenceOrCount: Rule = { is: 'references', counts: true };
export const error: Rule = { is: 'error' };
export const time: Rule = { is: 'time' };
export const position: Rule = { is: 'position' };
export const standIn: Rule = { is: 'digest' };
export const usage: Rule = { is: 'figures', class: 'usage' };
export const program: Rule = value('program');
export const environment: Rule = value('environment');
export const governance: Rule = value('governance');
export const messages = value('messages');
