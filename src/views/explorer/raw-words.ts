/** What the raw text of an event is, in a heading: the line of its file, or the line Hindcast made of another format's records. */
import { lineToShown, nameToShown } from '../../core/base/shown-text.ts';
import { type JsonValue, isJsonObject } from '../../core/base/json.ts';
import { countToText } from '../../ui/format.ts';

/** Called by the raw tab of the inspector, with the event as its line holds it. */
export function rawToTitle(event: JsonValue): string {
  const imported = isJsonObject(event) ? event['imported'] : undefined;
  if (!isJsonObject(imported)) return 'The line as it was written';
  const { format, file, line } = imported;
  const place = [
    typeof file === 'string' && file !== '' ? lineToShown(file) : undefined,
    typeof line === 'number' ? `line ${countToText(line)}` : undefined,
  ].filter((part) => part !== undefined);
  const from =
    place.length > 0 ? place.join(' ') : `a record of ${typeof format === 'string' ? nameToShown(format) : 'its file'}`;
  return `As Hindcast keeps it, mapped from ${from}`;
}
