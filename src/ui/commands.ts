/**
 * The registry of commands: everything a person can do here has a name, a group and, most often, a key.
 *
 * Invariant: menus, palette, key sheet and keyboard all read this one list, so they cannot disagree. A view adds its
 * commands while it is on screen; the newest owner of a key wins, as a dialog over a page does.
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

const owners = new Map<string, readonly Command[]>();
const listeners = new Set<Listener>();
let snapshot: readonly Command[] = [];

function publish(): void {
  const byId = new Map<string, Command>();
  for (const commands of owners.values()) for (const command of commands) byId.set(command.id, command);
  snapshot = [...byId.values()];
  for (const listener of listeners) listener();
}

function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Adds the commands of an owner in place of its earlier ones; the result takes them away again. */
export function registerCommands(owner: string, commands: readonly Command[]): () => void {
  owners.delete(owner);
  owners.set(owner, commands);
  publish();
  return () => {
    if (owners.get(owner) !== commands) return;
    owners.delete(owner);
    publish();
  };
}

/** Offers commands while the calling component is on screen. Syncs with the registry, which lives outside React. */
export function useCommands(owner: string, commands: readonly Command[]): void {
  useEffect(() => registerCommands(owner, commands), [owner, commands]);
}

export function useAllCommands(): readonly Command[] {
  return useSyncExternalStore(subscribe, () => snapshot);
}

export function listCommands(): readonly Command[] {
  return snapshot;
}

/** The command for a key; of several the one registered last. */
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
