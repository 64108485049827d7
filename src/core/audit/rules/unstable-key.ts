/** A key is made by the client, unique to its command, stable across its attempts, and at most 255 characters (R127). */
import { sha256Hex } from '../../base/hash.ts';
import type { AuditView } from '../audit-view.ts';
import type { Attempt } from '../../projections/effects/attempt.ts';
import { keyOfAttempt } from '../../projections/effects/joins.ts';
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
    'A key changed between attempts of one command or is recorded for some of them only, was shared by different commands, or is longer than 255 characters.',
  leavesOpen: 'Whether the service would have treated the requests as one.',
  requirements: ['R127'],
  // A stand-in does not tell how long the key is that it stands for.
  isOpenIn: ({ ledger }) => ledger.commands.some((one) => one.hasStandIns && one.attempts.some(hasKey)),
  run: (audit) => [...changedKeys(audit), ...sharedKeys(audit), ...longKeys(audit)],
};

function changedKeys({ ledger }: AuditView): Finding[] {
  return ledger.commands.flatMap((command) => {
    const asked = command.attempts.filter(isAsked);
    const keys = new Set(asked.map(keyOfAttempt));
    // A command whose attempts never carried a key has none that could change.
    if (keys.size < 2) return [];
    const isOnlySilent = keys.size === 2 && keys.has(undefined);
    const told = asked.map(keyOfAttempt).map((key) => (key === undefined ? 'none recorded' : `"${key}"`));
    return [
      createFinding(unstableKey, {
        subject: `${command.run}:${command.path}`,
        // A key that is not recorded may have been sent all the same.
        severity: isOnlySilent ? 'notice' : 'violation',
        title: `${commandToName(command)}: the idempotency key is not ${isOnlySilent ? 'recorded' : 'the same'} in all attempts`,
        text: isOnlySilent
          ? `One key is recorded for some attempts of one command and none for others: ${listToText(told)}.`
          : `Attempts of one command used different keys: ${listToText(told)}.`,
        evidence: commandToEvidence(command),
        known: asked.map(attemptToRequest),
        unknown: keys.has(undefined) ? ['Whether an attempt without a recorded key was sent with one.'] : [],
        command: command.path,
      }),
    ];
  });
}

function hasKey(attempt: Attempt): boolean {
  return keyOfAttempt(attempt) !== undefined;
}

function isAsked(attempt: Attempt): boolean {
  return attempt.records.dispatched.length > 0 && !isSimulated(attempt);
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
        subject: `long:${service}:${sha256Hex(key)}`,
        title: `Key "${key.slice(0, 40)}…": ${String(key.length)} characters`,
        text: `An idempotency key of ${String(key.length)} characters was sent; the common form allows ${String(longestKey)}.`,
        evidence: uses.flatMap(({ attempt }) => attempt.records.dispatched.map(({ id }) => id)),
        known: [],
        unknown: [`Whether ${service} takes keys of that length.`],
        command: uses[0]?.command.path,
      }),
    );
}
