/** A command as control code asks for it, before anything is known of it. Made by `pass.ts`. */
import { digest } from '../model/index.ts';
import { pathToParts } from './command-path.ts';
import type { Asked, ReplayCommand } from './pass-types.ts';
import type { Position } from './position.ts';

/** Where the pass is when the command is asked for. */
interface Moment {
  readonly order: number;
  readonly id: number | undefined;
  /** Latest base position. */
  readonly moment: Position;
  readonly vt: number;
  readonly act: number;
}

export function createReplayCommand(asked: Asked, { order, id, moment, vt, act }: Moment): ReplayCommand {
  const parts = pathToParts(asked.path);
  return {
    order,
    id,
    path: asked.path,
    kind: asked.kind,
    name: asked.name,
    scope: asked.scope,
    label: parts.label,
    index: parts.index,
    args: asked.args,
    argsDigest: digest(asked.args),
    uses: asked.uses,
    selectedBy: asked.selectedBy,
    step: asked.step,
    site: asked.site,
    reads: asked.reads,
    writes: asked.writes,
    idempotencyKey: asked.idempotencyKey,
    orderDependent: asked.orderDependent ?? false,
    moment,
    vtAtIssue: vt,
    issuedAct: act,
    match: 'inserted',
    rule: undefined,
    record: undefined,
    issuedPosition: moment,
    pending: undefined,
    delivery: undefined,
    cancelRequested: false,
    differs: false,
    evidence: undefined,
    from: undefined,
  };
}
