/**
 * The events of an opened trace: the body on disk, then the lines of its branches, decoded when asked for.
 *
 * Invariant: positions are those of the index, which was given the body first and the branches in order of creation. Lines were
 * validated at import, so reading them again only parses; a line that an older version wrote goes through the model's own door.
 */
import { assert } from '../../core/base/assert.ts';
import { isJsonObject, type JsonObject } from '../../core/base/json.ts';
import { parseLossless } from '../../core/base/lossless.ts';
import type { EventSource } from '../../core/causal/index.ts';
import { currentVersion, type HindcastEvent, parseEvent } from '../../core/model/index.ts';
import { type Body, createByteCache } from '../storage/index.ts';
import type { TextSearch } from './text-search.ts';

/** Characters of text whose events are kept decoded. */
const decodedBudget = 8 * 1024 * 1024;

/** `search` is where the trace is opened for questions; an import asks for lines and bodies alone. */
export function createStoredSource(body: Body, branchLines: readonly string[], search?: TextSearch): EventSource {
  const decoded = createByteCache<HindcastEvent>(decodedBudget);
  const line = (position: number): string => {
    if (position < body.count) return body.line(position);
    const text = branchLines[position - body.count];
    if (text === undefined) throw new RangeError(`No event at position ${position}.`);
    return text;
  };
  return {
    count: body.count + branchLines.length,
    line,
    ...(search === undefined ? {} : { search: search.find }),
    at: (position) => {
      const known = decoded.get(position);
      if (known !== undefined) return known;
      const text = line(position);
      const event = storedLineToEvent(text);
      decoded.set(position, event, text.length);
      return event;
    },
  };
}

/** Throws when the line was never accepted by an import: then the library was changed from outside. */
export function storedLineToEvent(line: string): HindcastEvent {
  const parsed = parseLossless(line);
  assert(parsed.ok && isJsonObject(parsed.value), 'a stored line is a JSON object');
  const record = parsed.value;
  // Cast: this very line passed `parseEvent` before it was stored, and the model of its version is this one.
  if (isCurrent(record)) return record as JsonObject & HindcastEvent;
  const event = parseEvent(record);
  assert(event.ok, 'a stored line is an event of this or an older version');
  return event.value;
}

/** Written by this version, with nothing in it that reading would change (causes as bare ids). */
function isCurrent(record: JsonObject): boolean {
  const causes = record['causes'];
  return (
    record['v'] === currentVersion && (!Array.isArray(causes) || causes.every((cause) => typeof cause !== 'string'))
  );
}
