import { describe, expect, it, vi } from 'vitest';
import { findCommand, keyPressToName, keyToLabel, keyToShortcut, listCommands, registerCommands } from './commands.ts';

const press = { ctrlKey: false, metaKey: false, altKey: false };

describe('commands', () => {
  it('are found by key, the newest owner first, and go with their owner', () => {
    const below = vi.fn();
    const above = vi.fn();
    const dropBelow = registerCommands('page', [{ id: 'a', name: 'Below', group: 'x', keys: ['f'], run: below }]);
    const dropAbove = registerCommands('dialog', [{ id: 'b', name: 'Above', group: 'x', keys: ['f'], run: above }]);
    expect(findCommand('f')?.name).toBe('Above');
    dropAbove();
    expect(findCommand('f')?.name).toBe('Below');
    dropBelow();
    expect(findCommand('f')).toBeUndefined();
  });

  it('of what stands further inside win, in whatever order they are registered', () => {
    const run = (): void => undefined;
    const dropPart = registerCommands('part', [{ id: 'c', name: 'Part', group: 'x', keys: ['y'], run }], 'part');
    const dropTrace = registerCommands('trace', [{ id: 'b', name: 'Trace', group: 'x', keys: ['y'], run }], 'trace');
    // As the page does when the address changes: it comes after everything that it holds.
    const dropPage = registerCommands('app', [{ id: 'a', name: 'Page', group: 'x', keys: ['y'], run }], 'page');
    expect(findCommand('y')?.name).toBe('Part');
    dropPart();
    expect(findCommand('y')?.name).toBe('Trace');
    dropTrace();
    expect(findCommand('y')?.name).toBe('Page');
    dropPage();
    expect(findCommand('y')).toBeUndefined();
  });

  it('replace those of the same owner, and a late withdrawal does not take the new ones', () => {
    const command = { id: 'a', name: 'A', group: 'x', run: () => undefined };
    const dropOld = registerCommands('page', [command]);
    const dropNew = registerCommands('page', [{ ...command, name: 'B' }]);
    dropOld();
    expect(listCommands().map(({ name }) => name)).toEqual(['B']);
    dropNew();
    expect(listCommands()).toEqual([]);
  });

  it('know keys by the names of the platform', () => {
    expect(keyPressToName({ ...press, key: 'K', ctrlKey: true })).toBe('mod+k');
    expect(keyPressToName({ ...press, key: 'j' })).toBe('j');
    expect(keyPressToName({ ...press, key: 'j', altKey: true })).toBeUndefined();
    expect([keyToLabel('mod+k'), keyToLabel('Escape'), keyToLabel('[')]).toEqual(['Ctrl K', 'Esc', '[']);
    expect([keyToLabel('I'), keyToLabel('i'), keyToShortcut('I')]).toEqual(['Shift I', 'I', 'Shift+I']);
  });
});
