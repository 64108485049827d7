/**
 * The rules over one branch of a stored trace, in a worker of their own.
 *
 * Invariant: texts of a payload longer than `longestText` are told apart by their beginning and a fingerprint of the whole, so that
 * memory grows with the number of events and not with what they carry; rules compare texts and quote beginnings, nothing else.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, setOwn } from '../../core/base/json.ts';
import { fingerprint } from '../../core/formats/seen.ts';
import { branchId, type HindcastEvent } from '../../core/model/index.ts';
import { ok } from '../../core/base/result.ts';
import type { AuditMethods } from './library-methods.ts';
import type { Opener } from './open-traces.ts';
import { openedToReader } from './opened-reader.ts';
import type { Handlers } from './server.ts';

const longestText = 2_000;
const keptText = 1_000;

export function createAuditHandlers(opener: Pick<Opener, 'open'>): Handlers<AuditMethods> {
  return {
    audit: async (_context, trace, branch) => {
      const opened = await opener.open(trace);
      if (!opened.ok) return opened;
      const { source } = opened.value;
      const reader = openedToReader({
        ...opened.value,
        source: { ...source, at: (position) => shortenTexts(source.at(position)) },
      });
      const id = branchId(branch);
      return ok({ findings: reader.findings(id), headline: reader.headline(id) });
    },
  };
}

/** The event itself where no text is long. */
export function shortenTexts(event: HindcastEvent): HindcastEvent {
  const data: JsonValue | undefined = isJsonObject(event.data) ? event.data : undefined;
  if (data === undefined) return event;
  const short = shorten(data);
  // Cast: texts stay texts, so the schema that accepted the event accepts this one.
  return short === data ? event : ({ ...event, data: short } as HindcastEvent);
}

/** Depth is that of a recorded value, which the reader of JSON bounds. */
function shorten(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    return value.length <= longestText ? value : `${value.slice(0, keptText)}… ${fingerprint(value)}`;
  }
  if (typeof value !== 'object' || value === null) return value;
  return isJsonArray(value) ? shortenItems(value) : shortenMembers(value);
}

function shortenItems(items: readonly JsonValue[]): readonly JsonValue[] {
  const short = items.map(shorten);
  return short.some((item, i) => item !== items[i]) ? short : items;
}

function shortenMembers(members: JsonObject): JsonObject {
  let short: Record<string, JsonValue> | undefined;
  for (const key of Object.keys(members)) {
    const member = members[key] ?? null;
    const own = shorten(member);
    if (own === member) continue;
    short ??= { ...members };
    setOwn(short, key, own);
  }
  return short ?? members;
}
