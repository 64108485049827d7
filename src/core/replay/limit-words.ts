/**
 * A limit that a pass ran into, as a sentence: what was used of how much, where the program was, what to do. Called by `pass.ts`.
 */
import { createTable } from '../base/table.ts';
import type { ReplayCommand } from './pass-types.ts';
import { type LimitHit, type SandboxLimits, type SandboxUsage, actLimits } from './sandbox-port.ts';

interface LimitContext {
  readonly commands: readonly ReplayCommand[];
  readonly limits: SandboxLimits;
  readonly usage: SandboxUsage;
}

/** The sentence of the sandbox stays in front: it says which limit it was. */
export function limitToWords(hit: LimitHit, context: LimitContext): LimitHit {
  const parts = [hit.message.replace(/\.$/, ''), amountOf(hit, context), whereOf(context)];
  const text = `${parts.filter((part) => part !== '').join(', ')}.`;
  // Nothing was asked for: it may be the text itself that could not be read.
  const isInText = hit.name === 'stack' && context.commands.length === 0;
  return { ...hit, message: `${text} ${isInText ? textRemedy : remedies[hit.name]}` };
}

function amountOf({ name }: LimitHit, { limits, usage }: LimitContext): string {
  switch (name) {
    case 'cpu':
      return usage.ticks >= limits.ticksPerRun
        ? `${String(usage.ticks)} of ${String(limits.ticksPerRun)} for the whole run`
        : `${String(limits.ticksPerDelivery)} of ${String(limits.ticksPerDelivery)} in one go (${String(usage.ticks)} of ${String(limits.ticksPerRun)} for the whole run)`;
    case 'commands':
      return `${String(limits.commands)} of ${String(limits.commands)}`;
    case 'acts': {
      const { inOneGo, inRun } = actLimits(limits);
      return `at most ${String(inOneGo)} in one go and ${String(inRun)} in the whole run`;
    }
    case 'bytes':
      return `${String(usage.bytes)} of ${String(limits.bridgeBytes)} characters`;
    case 'memory':
      return `${String(Math.round(limits.memoryBytes / 2 ** 20))} MiB`;
    case 'stack':
      return `${String(Math.round(limits.stackBytes / 2 ** 10))} KiB of stack`;
    case 'scope-depth':
      return `${String(limits.scopeDepth)} deep`;
    case 'nesting':
      return '';
    case 'aborted-by-host':
      return `after ${String(usage.ticks)} of ${String(limits.ticksPerRun)} computing steps and ${String(usage.commands)} commands`;
  }
}

/** The last thing the program was given, and the last it asked for. */
function whereOf({ commands }: LimitContext): string {
  let delivered: ReplayCommand | undefined;
  for (const command of commands)
    if (command.delivery !== undefined && command.delivery.act >= (delivered?.delivery?.act ?? 0)) delivered = command;
  const asked = commands.at(-1);
  const since =
    delivered === undefined
      ? 'before it received anything'
      : `after it ${acts[delivered.kind] ?? 'received'} ${shorten(delivered.path)}`;
  return asked === undefined || asked === delivered ? since : `${since} (last it asked for ${shorten(asked.path)})`;
}

/** What a program does itself; everything else it receives. */
const acts: Readonly<Record<string, string>> = createTable({
  decide: 'decided',
  state: 'made the state',
  draw: 'drew',
  marker: 'asked for the marker',
  pure: 'computed',
});

const mostOfPath = 200;

function shorten(path: string): string {
  return path.length <= mostOfPath ? path : `…${path.slice(path.length - mostOfPath)}`;
}

const loopRemedy =
  'Look there for a loop that does not end; if it only needs more, make the program do less at a time.';

const textRemedy =
  'The text of the program may be nested too deeply, such as brackets within brackets; else look for a function that calls itself without end.';

const remedies: Readonly<Record<LimitHit['name'], string>> = {
  cpu: loopRemedy,
  commands: loopRemedy,
  acts: loopRemedy,
  bytes: 'Pass less through commands, such as a reference instead of the whole content.',
  memory: 'Look there for a list or text that grows without end.',
  stack: 'Look there for a function that calls itself without end.',
  'scope-depth': 'Look there for scopes that open one another without end.',
  nesting: 'Make the value flatter, or pass it as text.',
  'aborted-by-host': 'Replay it again where the machine is less busy, or make the program do less.',
};
