/** A key is made by the client, unique to its command, stable across its attempts, and at most 255 characters (R127). */
import type { AuditView } from '../audit-view.ts';
import type { EffectCommand } from '../../projections/effects/ledger.ts';
import type { Finding } from '../../projections/trace-reader.ts';
import { isSimulated } from '../../projections/effects/stopped.ts';
import { listToText } from '../../projections/effects/words.ts';
import { attemptToRequest, commandToEvidence, commandToName } from '../attempt-words.ts';
import { computeKeyGroups } from '../keys.ts';
import { type Rule, createFinding } from '../rule.ts';

const longestKey = 255;

export const unstableKey: Rule = {
  id: 'unstable-key',
  title: 'Idempotency keys that are stable, unique and short enough',
  severity: 'violation',
  establishes:
    'A key changed or was missing between attempts of one command, was shared by different commands, or is longer than 255 characters.',
  leavesOpen: 'Whether the service would have treated the requests as one.',
  requirements: ['R127'],
  run: (audit) => [...changedKeys(audit), ...sharedKeys(audit), ...longKeys(audit)],
};

function changedKeys({ ledger }: AuditView): Finding[] {
  return ledger.commands.filter(hasChangingKey).map((command) =>
    createFinding(unstableKey, {
      subject: `${command.run}:${command.path}`,
      title: `${commandToName(command)}: the idempotency key is not the same in all attempts`,
      text: `Attempts of one command used different keys: ${listToText(command.attempts.map(({ key }) => (key === undefined ? 'none' : `"${key}"`)))}.`,
      evidence: commandToEvidence(command),
      known: command.attempts.map(attemptToRequest),
      unknown: [],
      command: command.path,
    }),
  );
}

/** A command whose attempts never carried a key has none that could change. */
function hasChangingKey({ attempts }: EffectCommand): boolean {
  const asked = attempts.filter((attempt) => attempt.records.dispatched.length > 0 && !isSimulated(attempt));
  return new Set(asked.map(({ key }) => key)).size > 1;
}

function sharedKeys({ ledger }: AuditView): Finding[] {
  return computeKeyGroups(ledger).flatMap(({ key, service, uses }) => {
    const commands = new Set(uses.map(({ command }) => command));
    if (commands.size < 2) return [];
    return [
      createFinding(unstableKey, {
        subject: `shared:${service}:${key}`,
        title: `Key "${key}": used by ${String(commands.size)} commands`,
        text: `Different commands sent the one idempotency key "${key}" to ${service}.`,
        evidence: [...commands].flatMap(commandToEvidence),
        known: [...commands].map((command) => `${commandToName(command)} at ${command.path}.`),
        unknown: [],
        command: uses[0]?.command.path,
      }),
    ];
  });
}

function longKeys({ ledger }: AuditView): Finding[] {
  return computeKeyGroups(ledger)
    .filter(({ key }) => key.length > longestKey)
    .map(({ key, service, uses }) =>
      createFinding(unstableKey, {
        subject: `long:${service}:${key.slice(0, 40)}`,
        title: `Key "${key.slice(0, 40)}…": ${String(key.length)} characters`,
        text: `An idempotency key of ${String(key.length)} characters was sent; the common form allows ${String(longestKey)}.`,
        evidence: uses.flatMap(({ attempt }) => attempt.records.dispatched.map(({ id }) => id)),
        known: [],
        unknown: [`Whether ${service} takes keys of that length.`],
        command: uses[0]?.command.path,
      }),
    );
}
