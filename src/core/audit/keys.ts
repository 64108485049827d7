/**
 * Idempotency keys of a trace: under each key, the attempts that used it.
 *
 * Invariant: a key belongs to a service, so keys are compared across commands and runs, but never between two services. A request
 * that a replay only simulated used no key: no service saw it.
 */
import { containsHole } from '../base/withheld.ts';
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

export interface Bodies {
  readonly digests: ReadonlySet<string>;
  /** How many requests a copy withholds a part of: the digest is of the rest, with holes of its own. */
  readonly withheld: number;
}

/** Digests of the request body: as the service computed them, else as the caller recorded its arguments. */
export function bodyDigests(uses: readonly KeyUse[]): Bodies {
  const told = uses.flatMap(({ attempt: { records } }) =>
    [...records.requested, ...records.committed, ...records.deduplicated, ...records.refused].flatMap(({ data }) =>
      data.request_digest === undefined ? [] : [data.request_digest],
    ),
  );
  if (told.length > 0) return { digests: new Set(told), withheld: 0 };
  const asked = uses.flatMap(({ attempt }) => attempt.records.dispatched);
  const whole = asked.filter(({ data }) => !containsHole(data.args));
  return {
    digests: new Set(whole.flatMap(({ command }) => (command?.args === undefined ? [] : [command.args]))),
    withheld: asked.length - whole.length,
  };
}
