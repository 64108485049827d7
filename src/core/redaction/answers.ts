/**
 * Which recorded effects an answer names, where the copy does not show it: the ids of effects are identities of the trace, and what joins by
 * them in the original joins in the copy (R73), though the rest of the answer is withheld.
 *
 * Invariant: only ids that other records of the trace have are named, by their stand-ins; of any other text of the answer nothing is told.
 */
import { createIdFinder } from '../base/held-ids.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { containsHole } from '../base/withheld.ts';
import { type HindcastEvent, isContentReference } from '../model/index.ts';
import type { Identities } from './identities.ts';
import type { RedactionPolicy } from './policy.ts';
import type { ContentLookup } from './scrub.ts';

export interface Answers {
  /** `shown`: the payload of the event as the copy has it. */
  readonly note: (event: HindcastEvent, shown: JsonValue | undefined) => void;
  /** Answers of the copy that name effects which they do not show, in the order of the copy. */
  readonly list: () => readonly JsonObject[];
}

interface AnswersInput {
  readonly all: readonly HindcastEvent[];
  readonly included: readonly HindcastEvent[];
  readonly policy: RedactionPolicy;
  readonly ids: Identities;
  readonly content: ContentLookup;
}

export function createAnswers({ all, included, policy, ids, content }: AnswersInput): Answers {
  const effects = new Set(all.flatMap(idsTold));
  const find = createIdFinder(effects);
  const declared = new Map(all.flatMap(declaredAnswers));
  const repeated = repeatedIds(included);
  const answers: JsonObject[] = [];

  function namedBy(event: HindcastEvent, body: JsonValue): readonly string[] {
    const stored = isContentReference(body) ? content(body) : undefined;
    const value = stored?.ok === true ? stored.value : body;
    return [...new Set([...find(value), ...(declared.get(event.id) ?? []).filter((id) => effects.has(id))])];
  }

  return {
    note: (event, shown) => {
      const member = memberOf(event);
      const body = member === undefined ? undefined : event.data?.[member];
      if (effects.size === 0 || member === undefined || body === undefined || repeated.has(event.id)) return;
      const own = isJsonObject(shown) ? shown[member] : undefined;
      if (policy.classes.effects === 'keep' && own !== undefined && !containsHole(own)) return;
      // Cast: what was answered is recorded JSON.
      const named = namedBy(event, body as JsonValue);
      if (named.length === 0) return;
      const standIns = named.map((id) => ids.name('effects', 'effect', id));
      answers.push({ event: ids.event(event.id), effects: standIns });
    },
    list: () => answers,
  };
}

/** Where an answer of a tool has what was answered. */
function memberOf({ type }: HindcastEvent): 'response' | 'result' | undefined {
  if (type === 'tool_call.acknowledged') return 'response';
  return type === 'tool_call.completed' ? 'result' : undefined;
}

/** Ids of effects as records tell them, of a service or of a caller. */
function idsTold({ type, data }: HindcastEvent): readonly string[] {
  const isEffects = type.startsWith('effect.');
  if (!isEffects && !type.startsWith('tool_call.')) return [];
  const effect: unknown = data?.['effect'];
  const nested: unknown = typeof effect === 'object' && effect !== null ? Reflect.get(effect, 'id') : undefined;
  const told = [nested, data?.['effect_id'], ...(isEffects ? [data?.['id']] : [])];
  return told.flatMap((id) => ((typeof id === 'string' && id !== '') || typeof id === 'number' ? [String(id)] : []));
}

/** What the declaration of an older copy says of its answers. */
function declaredAnswers(event: HindcastEvent): readonly (readonly [string, readonly string[]])[] {
  return event.type === 'share.declared'
    ? (event.data.answers ?? []).map(({ event: id, effects }) => [id, effects] as const)
    : [];
}

/** Two records of one id are one id in the copy too: neither can be named by it. */
function repeatedIds(events: readonly HindcastEvent[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { id } of events) (seen.has(id) ? repeated : seen).add(id);
  return repeated;
}
