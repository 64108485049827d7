/**
 * From the operation of a branch back to the edits that made it: replaying them must give the same lines (mapping I). The page makes
 * its request of it.
 */
import { type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { type Edit, type EditFile, type Replacement, type Supply, jsonToOrigin } from './edit-file.ts';
import { jsonToError } from './event-roles.ts';

/** What a person wrote, from the operation they made. */
export function operationToEditFile(
  operation: Readonly<Record<string, JsonValue>>,
  reason: JsonValue | undefined,
): EditFile {
  const input = isJsonObject(operation['input']) ? operation['input']['value'] : undefined;
  const edits: Edit[] = listOf(operation['targets']).flatMap((item) =>
    toReplacement(item).map((replacement): Edit => {
      const record = item['record'];
      return typeof record === 'string'
        ? { target: { event: record }, ...replacement }
        : { target: { path: textOf(item['path']) }, ...replacement };
    }),
  );
  if (input !== undefined) edits.push({ target: { input: true }, value: input });
  const supply: Supply[] = listOf(operation['supplies']).flatMap((item) =>
    toReplacement(item).map((replacement): Supply => {
      const evidence = item['evidence'];
      const from = item['from'] === undefined ? undefined : jsonToOrigin(item['from'], 'the operation');
      return {
        path: textOf(item['path']),
        ...(typeof evidence === 'string' ? { evidence } : {}),
        ...(from?.ok === true ? { from: from.value } : {}),
        ...replacement,
      };
    }),
  );
  return { edits, supply, ...(typeof reason === 'string' ? { reason } : {}) };
}

function listOf(value: JsonValue | undefined): readonly Readonly<Record<string, JsonValue>>[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

function toReplacement(item: Readonly<Record<string, JsonValue>>): readonly Replacement[] {
  const replacement = item['replacement'];
  const outcome = isJsonObject(replacement) ? replacement['outcome'] : undefined;
  if (!isJsonObject(outcome)) return [];
  if (isJsonObject(outcome['error'])) return [{ error: jsonToError(outcome['error']) }];
  return outcome['value'] === undefined ? [] : [{ value: outcome['value'] }];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
