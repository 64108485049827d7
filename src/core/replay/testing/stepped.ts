/**
 * A sandbox that delivers one observation at a time, and says what was delivered how. Stepping is what batches are held against (rule D12),
 * in `batched.test.ts` and over random programs in `properties.test.ts`.
 */
import type { ReplayReport } from '../report-types.ts';
import type { Sandbox } from '../sandbox-port.ts';

export interface Counted {
  /** Sessions, observations delivered one by one, and observations handed over together. */
  readonly sessions: number;
  readonly alone: number;
  readonly together: number;
}

/** Ticks count the interpreter's own work, its collector included, which is not what is compared. */
export function toComparable(report: ReplayReport): unknown {
  return { ...report, usage: { ...report.usage, ticks: 0 } };
}

export function createCountingSandbox(
  sandbox: Sandbox,
  batches: boolean,
): { readonly sandbox: Sandbox; readonly counted: () => Counted } {
  let sessions = 0;
  let alone = 0;
  let together = 0;
  const counting: Sandbox = {
    engine: sandbox.engine,
    resume: (options, checkpoint) => sandbox.resume(options, checkpoint),
    async createSession(options) {
      const session = await sandbox.createSession(options);
      sessions++;
      return {
        start: (input) => session.start(input),
        deliver(id, observation, vt) {
          alone++;
          return session.deliver(id, observation, vt);
        },
        ...(batches && session.deliverAll !== undefined
          ? {
              deliverAll: (deliveries, confirm) => {
                together += deliveries.length;
                return session.deliverAll?.(deliveries, confirm) ?? {};
              },
            }
          : {}),
        openCommands: () => session.openCommands(),
        usage: () => session.usage(),
        checkpoint: (previous) => session.checkpoint(previous),
        dispose: () => session.dispose(),
      };
    },
  };
  return { sandbox: counting, counted: () => ({ sessions, alone, together }) };
}
