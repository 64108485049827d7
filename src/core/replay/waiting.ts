/**
 * Commands of a pass that had no value when they were issued, and whether one of them still waits. Asked at every timer that fires, so
 * the answer may not cost a look at every command. Called by `pass.ts`.
 */
import type { ReplayCommand } from './pass-types.ts';

export interface Waiting {
  /** Keeps the command where it waits. */
  add(command: ReplayCommand): void;
  hasOtherThan(besides: ReplayCommand): boolean;
}

export function createWaiting(): Waiting {
  const commands: ReplayCommand[] = [];
  return {
    add(command) {
      if (isWaiting(command)) commands.push(command);
    },
    hasOtherThan(besides) {
      while (commands.length > 0 && !isWaiting(commands.at(-1))) commands.pop();
      return commands.findLast((command) => command !== besides && isWaiting(command)) !== undefined;
    },
  };
}

function isWaiting(command: ReplayCommand | undefined): boolean {
  return command?.pending !== undefined && command.delivery === undefined;
}
