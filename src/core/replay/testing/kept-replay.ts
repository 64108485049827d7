/** One replay of the kept set of cases, and the digests it must have on every host. Runs in Node and in the page of `e2e/determinism.spec.ts`. */
import type { HindcastEvent } from '../../model/index.ts';
import { runReplay } from '../replay.ts';
import type { ReplayRequest } from '../replay-plan.ts';
import type { ReplayReport } from '../report-types.ts';
import type { Sandbox } from '../sandbox-port.ts';

/** One replay of the kept set. */
export interface KeptReplay {
  readonly asked: Omit<ReplayRequest, 'events' | 'sandbox' | 'shouldStop'>;
  readonly events: readonly HindcastEvent[];
  readonly expected: ReplayDigests;
}

/** What must be equal on every host and under every engine that does not say otherwise by a flag. */
export interface ReplayDigests {
  readonly result: string;
  readonly commands: string;
  readonly states: string;
  readonly outcome: string | undefined;
  readonly statuses: string;
  readonly divergences: readonly string[];
}

export function reportToDigests(report: ReplayReport): ReplayDigests {
  const { commands, states, outcome } = report.digests;
  return {
    result: report.result,
    commands,
    states,
    outcome,
    statuses: report.commands.map((c) => `${c.status} ${c.path}`).join('\n'),
    divergences: divergences(report),
  };
}

/** `kind path` of every divergence. */
export function divergences(report: ReplayReport): readonly string[] {
  return report.divergences.map((d) => `${d.kind} ${d.path}`.trim());
}

/** Replays one kept line. */
export async function replayKept(
  { asked, events }: Omit<KeptReplay, 'expected'>,
  sandbox: Sandbox,
): Promise<ReplayDigests> {
  const report = await runReplay({ ...asked, events, sandbox });
  if (!report.ok) throw new Error(report.error);
  return reportToDigests(report.value);
}
