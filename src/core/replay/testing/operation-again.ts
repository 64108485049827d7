/** The whole request that made a branch, from its operation alone: replayed, it must give the same lines (B2). */
import { isJsonObject } from '../../base/json.ts';
import { type Result, err, ok } from '../../base/result.ts';
import type { HindcastEvent } from '../../model/index.ts';
import { branchToLines } from '../branch-journal.ts';
import { dataOf } from '../contents.ts';
import { operationToEditFile } from '../replay-again.ts';
import type { ReplayRequest } from '../replay-plan.ts';
import type { Sandbox } from '../sandbox-port.ts';

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
