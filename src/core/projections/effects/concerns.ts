/**
 * Which findings are about which command: they name its path, and rest on one of its records. Computed once for all commands, so
 * that a trace with thousands of both is read in one pass.
 */
import type { EventId } from '../../model/index.ts';
import type { Finding } from '../trace-reader.ts';
import { attemptEvents } from './attempt.ts';
import type { EffectCommand } from './ledger.ts';

export function findingsByCommand(
  commands: readonly EffectCommand[],
  findings: readonly Finding[],
): ReadonlyMap<EffectCommand, readonly Finding[]> {
  const owners = new Map<EventId, EffectCommand>();
  for (const command of commands)
    for (const attempt of command.attempts) for (const id of attemptEvents(attempt)) owners.set(id, command);
  const found = new Map<EffectCommand, Finding[]>();
  for (const finding of findings) {
    if (finding.command === undefined) continue;
    const own = new Set(finding.evidence.map((id) => owners.get(id)));
    for (const command of own) {
      if (command === undefined || command.path !== finding.command) continue;
      const list = found.get(command);
      if (list === undefined) found.set(command, [finding]);
      else list.push(finding);
    }
  }
  return found;
}
