/** The value a command of a branch came to, as it is shown and compared. */
import type { JsonValue } from '../../core/base/json.ts';
import type { CommandReport, ReplayOutcomeValue } from '../../core/replay/report-types.ts';

/** A state resolves with the number of its version; what was written is what matters. */
export function commandToValue({ kind, args, outcome }: CommandReport): JsonValue | undefined {
  if (kind === 'state') return args;
  return outcome === undefined ? undefined : outcomeToValue(outcome);
}

function outcomeToValue(outcome: ReplayOutcomeValue): JsonValue {
  switch (outcome.kind) {
    case 'ok':
      return outcome.value;
    case 'err':
      return { error: { ...outcome.error } };
    case 'cancelled':
      return 'cancelled';
  }
}
