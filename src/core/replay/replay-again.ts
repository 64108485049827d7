/**
 * From the operation of a branch back to the request that made it: replaying it must give the same lines (mapping I).
 */
import { type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { type Result, err, ok } from '../base/result.ts';
import type { HindcastEvent } from '../model/index.ts';
import { branchToLines } from './branch-journal.ts';
import { dataOf } from './contents.ts';
import { type Edit, type EditFile, type Replacement, type Supply, jsonToOrigin } from './edit-file.ts';
import { jsonToError } from './event-roles.ts';
import type { ReplayRequest } from './replay-plan.ts';
import type { Sandbox } from './sandbox-port.ts';

export function operationToRequest(
  events: readonly HindcastEvent[],
  branch: string,
  sandbox: Sandbox,
): Result<ReplayRequest, string> {
  const started = branchToLines(events, branch).find((event) => event.type === 'replay.started');
  const operation = started === undefined ? undefined : dataOf(started)['operation'];
  if (!isJsonObject(operation)) return err(`The branch ${branch} carries no operation; it cannot be replayed again.`);
  const { run, base_branch: base, actor, reason, at, policies, limits, program_after: program, kind } = operation;
  const edit = operationToEditFile(operation, reason);
  const source = isJsonObject(program) ? program['source'] : undefined;
  const name = isJsonObject(program) ? program['name'] : undefined;
  const version = isJsonObject(program) ? program['version'] : undefined;
  const original = isJsonObject(program) ? program['original'] : undefined;
  const world = isJsonObject(policies) && policies['world'] === 'lenient' ? 'lenient' : 'strict';
  return ok({
    events,
    sandbox,
    ...(typeof run === 'string' ? { run } : {}),
    ...(typeof base === 'string' ? { base } : {}),
    ...(kind === 'verify' ? {} : { edit }),
    ...(typeof source === 'string'
      ? {
          program: {
            source,
            ...(typeof name === 'string' ? { name } : {}),
            ...(typeof version === 'string' ? { version } : {}),
            ...(typeof original === 'string' ? { original } : {}),
          },
        }
      : {}),
    policies: { world },
    ...(isJsonObject(limits)
      ? { limits: Object.fromEntries(Object.entries(limits).filter(([, value]) => typeof value === 'number')) }
      : {}),
    author: {
      actor: isJsonObject(actor) ? actor : {},
      at: typeof at === 'string' ? at : '',
      ...(typeof reason === 'string' ? { reason } : {}),
    },
  });
}

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
