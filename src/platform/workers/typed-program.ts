/**
 * Programs that a person typed: JavaScript, or TypeScript whose types are stripped.
 *
 * Invariant: what is JavaScript runs as it is written, so that its digest is that of the text. Only a text that is none is read as
 * TypeScript; where it is neither, what the interpreter said of it stands. The stripper is loaded when the first such text comes.
 */
import { type Result, ok } from '../../core/base/result.ts';
import type { ReplayRequest } from '../../core/replay/replay-plan.ts';
import type { ReplayReport } from '../../core/replay/report-types.ts';

/** Runs a request, and once more with the types stripped when its program is no JavaScript. */
export async function runTyped<T>(
  request: ReplayRequest,
  run: (request: ReplayRequest) => Promise<Result<T, string>>,
  reportOf: (value: T) => ReplayReport,
): Promise<Result<T, string>> {
  const first = await run(request);
  const { program } = request;
  if (!first.ok || program === undefined || reportOf(first.value).outcome.status !== 'no-program') return first;
  const { stripTypes } = await import('../sandbox/typescript.ts');
  const stripped = await stripTypes(program.source);
  if (!stripped.ok || stripped.value.source === program.source) return ok(first.value);
  return run({ ...request, program: { ...program, ...stripped.value } });
}
