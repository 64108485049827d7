/**
 * What a replay is, and what it cannot repeat or reverse (R46): part of every report, in words.
 */
import type { CommandReport } from './report-types.ts';

export function computeCannotRepeat(commands: readonly CommandReport[]): readonly string[] {
  const count = (kind: string): number => commands.filter((command) => command.kind === kind).length;
  const out = [
    'A replay reconstructs the inputs of control code and simulates its transitions; it does not run the agent again.',
  ];
  const models = commands.filter(({ kind, status }) => kind === 'model' && status === 'reused').length;
  if (models > 0)
    out.push(
      `${plural(models, 'model call is', 'model calls are')} answered from the record; a model asked again might say something else.`,
    );
  const supplied = commands.filter(
    ({ kind, status, outcome }) =>
      kind === 'model' && status !== 'reused' && status !== 'cancelled' && outcome !== undefined,
  ).length;
  if (supplied > 0)
    out.push(
      `${plural(supplied, 'model call is', 'model calls are')} answered by what was supplied, edited or asked anew, not by the record of this run.`,
    );
  const writes = count('write');
  if (writes > 0)
    out.push(
      `${plural(writes, 'external effect is', 'external effects are')} not executed again and not undone: what the world has, it keeps.`,
    );
  const reads = count('read');
  if (reads > 0)
    out.push(
      `${plural(reads, 'read shows', 'reads show')} the world as it was recorded or supplied, not as it is or would have been.`,
    );
  if (count('signal') > 0)
    out.push('People and other systems are not asked again: their signals are the recorded ones.');
  if (count('timer') > 0)
    out.push('Time is virtual: waiting takes none, and a deadline that was recorded is met as recorded.');
  return out;
}

function plural(count: number, one: string, many: string): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}
