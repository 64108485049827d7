/**
 * The registry of commands: everything a person can do here has a name, a group and, most often, a key.
 *
 * Invariant: menus, palette, key sheet and keyboard all read this one list, so they cannot disagree. A view adds its
 * commands while it is on screen; of two owners of a key the inner one wins, as a panel does over its page.
 */
import { useEffect, useSyncExternalStore } from 'react';

export interface Command {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  /** Keys in the form of `KeyboardEvent.key`; `mod+` is Ctrl, or Cmd on a Mac. The first is the one shown. */
  readonly keys?: readonly string[];
  /** Why it cannot be done now; shown in the palette instead of running. */
  readonly unavailable?: string | undefined;
  /** False for what the palette itself would only repeat (moving, opening the palette). */
  readonly inPalette?: boolean;
  readonly run: () => void;
}

type Listener = () => void;

const layers = ['page', 'trace', 'view', 'part'] as const;
/** How far inside the page an owner stands. Said, not told by the order of registering: parts draw before what holds them, and again. */
export type CommandLayer = (typeof layers)[number];

interface Owned {
  readonly layer: CommandLayer;
  readonly commands: readonly Command[];
}

const owners = new Map<string, Owned>();
const listeners = new Set<Listener>();
let snapshot: readonly Command[] = [];

function publish(): void {
  const byId = new Map<string, Command>();
  const owned = [...owners.values()].sort((a, b) => layers.indexOf(a.layer) - layers.indexOf(b.layer));
  for (const { commands } of owned) for (const command of commands) byId.set(command.id, command);
  snapshot = [...byId.values()];
  for (const listener of listeners) listener();
}

function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Adds the commands of an owner in place of its earlier ones; the result takes them away again. */
export function registerCommands(
  owner: string,
  commands: readonly Command[],
  layer: CommandLayer = 'view',
): () => void {
  owners.delete(owner);
  owners.set(owner, { layer, commands });
  publish();
  return () => {
    if (owners.get(owner)?.commands !== commands) return;
    owners.delete(owner);
    publish();
  };
}

/** Offers commands while the calling component is on screen. Syncs with the registry, which lives outside React. */
export function useCommands(owner: string, commands: readonly Command[], layer: CommandLayer = 'view'): void {
  useEffect(() => registerCommands(owner, commands, layer), [owner, commands, layer]);
}

export function useAllCommands(): readonly Command[] {
  return useSyncExternalStore(subscribe, () => snapshot);
}

export function listCommands(): readonly Command[] {
  return snapshot;
}

/** Ends the filter: the view that is filtered goes to the first match. Offered by that view, run by the box that is above it. */
export const firstMatchCommand = 'view.first-match';

/** False where nothing on screen offers it now. */
export function runCommand(id: string): boolean {
  const command = snapshot.findLast((one) => one.id === id);
  if (command === undefined || command.unavailable !== undefined) return false;
  command.run();
  return true;
}

/** The command for a key: of several the innermost, and of one layer the one registered last. */
export function findCommand(key: string): Command | undefined {
  return snapshot.findLast((command) => command.keys?.includes(key) === true);
}

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** The name of a key press as commands write it, or undefined for what belongs to the browser. */
export function keyPressToName({ key, ctrlKey, metaKey, altKey }: KeyPress): string | undefined {
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return `mod+${key.toLowerCase()}`;
  return key;
}

const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator.userAgent);
const keyNames: ReadonlyMap<string, string> = new Map([
  ['Escape', 'Esc'],
  ['Enter', '↵'],
  [' ', 'Space'],
  ['ArrowDown', '↓'],
  ['ArrowUp', '↑'],
  ['ArrowLeft', '←'],
  ['ArrowRight', '→'],
]);

/** A key as it is printed on a key cap. */
export function keyToLabel(key: string): string {
  if (key.startsWith('mod+')) return `${isMac ? '⌘' : 'Ctrl '}${key.slice(4).toUpperCase()}`;
  if (/^[A-Z]$/.test(key)) return `Shift ${key}`;
  return keyNames.get(key) ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** A key as `aria-keyshortcuts` wants it. */
export function keyToShortcut(key: string): string {
  return key.startsWith('mod+')
    ? `${isMac ? 'Meta' : 'Control'}+${key.slice(4).toUpperCase()}`
    : /^[A-Z]$/.test(key)
      ? `Shift+${key}`
      : key;
}
