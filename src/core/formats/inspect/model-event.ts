/**
 * A model event of Inspect: the request as Inspect made it, the answer, and (in extra) the raw call to the provider.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { valueToResponse } from '../chat/api.ts';
import { valueToMessages } from '../chat/messages.ts';
import { firstText, listAt, memberAt, objectAt, textAt, withoutUndefined } from '../members.ts';
import type { Failure, ModelDetails } from '../spans/operation.ts';
import type { Pools } from './resolve.ts';

export function modelToOperation(event: JsonObject, pools: Pools) {
  const model = textAt(event, 'model') ?? 'model';
  const input = pools.messages(memberAt(event, 'input'), memberAt(event, 'input_refs'));
  const output = pools.resolve(memberAt(event, 'output'));
  const response = valueToResponse(output);
  const tools = listAt(event, 'tools');
  const choice = memberAt(event, 'tool_choice');
  const details: ModelDetails = {
    provider: model.includes('/') ? model.slice(0, model.indexOf('/')) : undefined,
    requestModel: model,
    responseModel: response?.model,
    parameters: withoutUndefined({ ...objectAt(event, 'config'), tool_choice: choice }),
    tools,
    asked: valueToMessages(input, 'user'),
    answered: response?.messages ?? [],
    usage: response?.usage,
    finishReasons: response?.finishReasons,
  };
  return { name: model, input, output, error: failureOf(event, output), model: details };
}

function failureOf(event: JsonObject, output: JsonValue | undefined): Failure | undefined {
  const error = memberAt(event, 'error') ?? memberAt(output, 'error');
  if (error === undefined) return undefined;
  const message = typeof error === 'string' ? error : (firstText(error, 'message') ?? JSON.stringify(error));
  return { name: 'ModelError', message, data: typeof error === 'string' ? undefined : error };
}
