/** What a record of the service says of an effect, as the text a person starts from. Called by `Evidence.tsx`. */
import type { JsonValue } from '../../core/base/json.ts';
import { jsonToText } from '../../ui/json-text.ts';
import { memberAt } from './facts.ts';

/** Empty where the record holds no answer and no effect: nothing is made up, a person writes it. */
export function recordToStart(event: JsonValue | undefined): string {
  const data = memberAt(event, 'data');
  const said = ['response', 'result', 'effect'].map((name) => memberAt(data, name)).find((one) => one !== undefined);
  return said === undefined ? '' : jsonToText(said);
}
