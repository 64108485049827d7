/**
 * Idempotency keys of a trace: under each key, the attempts that used it.
 *
 * Invariant: a key belongs to a service, so keys are compared across commands and runs, but never between two services. A request
 * that a replay only simulated used no key: no service saw it.
 */
import type { Attempt } from '../projections/effects/attempt.ts';
import type { EffectCommand, EffectLedger } from '../projections/effects/ledger.ts';
import { keyOfAttempt } from '../projections/effects/joins.ts';
import { isSimulated } from '../projections/effects/stopped.ts';

export interface KeyUse {
  readonly command: EffectCommand;
  readonly attempt: Attempt;
}

export interface KeyGroup {
  readonly key: string;
  readonly service: string;
  readonly uses: readonly KeyUse[];
}

export function computeKeyGroups(ledger: EffectLedger): KeyGroup[] {
  const groups = new Map<string, { key: string; service: string; uses: KeyUse[] }>();
  for (const command of ledger.commands) {
    const service = command.service ?? command.tool;
    for (const attempt of command.attempts) {
      const key = keyOfAttempt(attempt);
      if (key === undefined || isSimulated(attempt)) continue;
      const group = groups.get(`${service}|${key}`);
      if (group === undefined) groups.set(`${service}|${key}`, { key, service, uses: [{ command, attempt }] });
      else group.uses.push({ command, attempt });
    }
  }
  return [...groups.values()];
}

/** Digests of the request body: as the service computed them, else as the caller recorded its arguments. */
export function bodyDigests(uses: readonly KeyUse[]): ReadonlySet<string> {
  const told = uses.flatMap(({ attempt: { records } }) =>
    [...records.requested, ...records.committed, ...records.deduplicated, ...records.refused].flatMap(({ data }) =>
      data.request_digest === undefined ? [] : [data.request_digest],
    ),
  );
  if (told.length > 0) return new Set(told);
  return new Set(
    uses.flatMap(({ attempt }) =>
      attempt.records.dispatched.flatMap(({ command }) => (command?.args === undefined ? [] : [command.args])),
    ),
  );
}
