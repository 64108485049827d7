/** What the raw text of an event is, in a heading: the line of its file, or the line Hindcast made of another format's records. */
import { lineToShown, nameToShown } from '../../core/base/shown-text.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../core/base/json.ts';
import { countToText } from '../../ui/format.ts';

/** Called by the raw tab of the inspector, with the event as its line holds it. */
export function rawToTitle(event: JsonValue): string {
  const imported = importedOf(event);
  return imported === undefined
    ? 'The line as it was written'
    : `As Hindcast keeps it, mapped from ${placeOf(imported)}`;
}

/** Where the source itself is, for an event of another format: undefined where the line is the source. */
export function rawToNote(event: JsonValue): string | undefined {
  const imported = importedOf(event);
  if (imported === undefined) return undefined;
  const { record, extra } = imported;
  const id = typeof record === 'string' ? ` (record ${lineToShown(record)})` : '';
  const rest = isJsonObject(extra)
    ? ' Its fields that have no place of their own here stand under “imported.extra”.'
    : '';
  return `The bytes of the file are not kept: the source is at ${placeOf(imported)}${id} in your own copy of it. All values that were read from it are kept as they were written.${rest}`;
}

/** The record of the source whole, where it is kept so: of records this model has no word for. */
export function rawToRecord(event: JsonValue): JsonValue | undefined {
  const data = importedOf(event) === undefined || !isJsonObject(event) ? undefined : event['data'];
  const record = isJsonObject(data) ? data['record'] : undefined;
  return isJsonObject(record) ? record : undefined;
}

function importedOf(event: JsonValue): JsonObject | undefined {
  const imported = isJsonObject(event) ? event['imported'] : undefined;
  return isJsonObject(imported) ? imported : undefined;
}

function placeOf({ format, file, line }: JsonObject): string {
  const place = [
    typeof file === 'string' && file !== '' ? lineToShown(file) : undefined,
    typeof line === 'number' ? `line ${countToText(line)}` : undefined,
  ].filter((part) => part !== undefined);
  return place.length > 0
    ? place.join(' ')
    : `a record of ${typeof format === 'string' ? nameToShown(format) : 'its file'}`;
}
