import { renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { registerCommands } from '../ui/commands.ts';
import { isForPage, useKeyboard } from './keyboard.ts';
import { beginLoading } from './loading-views.ts';

function element(html: string): Element {
  document.body.innerHTML = html;
  const found = document.body.querySelector('[data-here]');
  if (found === null) throw new Error('the test needs an element marked data-here');
  return found;
}

describe('single-letter keys', () => {
  it('act on the page', () => {
    expect(isForPage(document.body, 'j', true)).toBe(true);
    expect(isForPage(element('<div role="listbox"><div data-here></div></div>'), 'j', true)).toBe(true);
  });

  it.each([
    '<input data-here>',
    '<textarea data-here></textarea>',
    '<div contenteditable="true"><b data-here></b></div>',
    '<div role="menu"><div data-here></div></div>',
    '<div role="dialog"><p data-here></p></div>',
  ])('do not act in %s', (html) => {
    expect(isForPage(element(html), 'j', true)).toBe(false);
  });

  it('can be switched off, keys with Ctrl or Cmd cannot', () => {
    expect(isForPage(document.body, 'j', false)).toBe(false);
    expect(isForPage(document.body, 'ArrowDown', false)).toBe(true);
    expect(isForPage(element('<input data-here>'), 'mod+k', false)).toBe(true);
  });
});

describe('Enter', () => {
  it('belongs to the button it is pressed on', () => {
    expect(isForPage(element('<button><b data-here></b></button>'), 'Enter', true)).toBe(false);
    expect(isForPage(document.body, 'Enter', true)).toBe(true);
  });
});

describe('Escape', () => {
  afterEach(() => document.body.replaceChildren());

  function press(at: Element): KeyboardEvent {
    const event = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
    at.dispatchEvent(event);
    return event;
  }

  /** How often the view was asked to back out, once Escape was pressed where the focus is as often as told. */
  function countBackOuts(html: string, times: number): number {
    const keyboard = renderHook(() => useKeyboard(true));
    let count = 0;
    const out = { id: 'out', name: 'Out', group: 'g', keys: ['Escape'], run: () => count++ };
    const take = registerCommands('view', [out]);
    const here = element(`<main><section id="part">${html}</section></main>`);
    if (here instanceof HTMLElement) here.focus();
    for (let at = 0; at < times; at++) press(document.activeElement ?? document.body);
    take();
    keyboard.unmount();
    return count;
  }

  it.each([
    '<input data-here value="x">',
    '<textarea data-here></textarea>',
    '<div contenteditable="true" role="textbox" tabindex="0" data-here></div>',
    '<input type="search" data-here>',
  ])('leaves the text field it is pressed in, %s, before the view backs out', (html) => {
    expect(countBackOuts(html, 1)).toBe(0);
    expect(document.activeElement).toBe(document.getElementById('part'));
    expect(countBackOuts(html, 2)).toBe(1);
  });

  it.each(['<input type="checkbox" data-here>', '<input type="radio" data-here>', '<button data-here></button>'])(
    'backs out at once where nothing is typed, in %s',
    (html) => {
      expect(countBackOuts(html, 1)).toBe(1);
    },
  );

  it('belongs to dialogs, lists and what is searched for, which see to it themselves', () => {
    expect(countBackOuts('<div role="dialog"><input data-here></div>', 2)).toBe(0);
    expect(countBackOuts('<input role="combobox" data-here>', 2)).toBe(0);
    expect(countBackOuts('<input type="search" value="x" data-here>', 2)).toBe(0);
    expect(document.activeElement?.tagName).toBe('INPUT');
  });
});

describe('a key pressed while a view is on its way', () => {
  function press(key: string, repeat = false): void {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, repeat, bubbles: true, cancelable: true }));
  }

  it('acts once its command is there, once, and not after the address has changed', async () => {
    const keyboard = renderHook(() => useKeyboard(true));
    const pressed: string[] = [];
    const command = (key: string) => ({ id: key, name: key, group: 'g', keys: [key], run: () => pressed.push(key) });
    const frame = beginLoading();
    for (const key of ['j', 'r', 'r', 'Enter', ' ']) press(key);
    press('x', true);
    frame();
    const inner = beginLoading();
    const takeFrame = registerCommands('frame', [command('r'), command('x'), command('Enter'), command(' ')]);
    await Promise.resolve();
    expect(pressed).toEqual(['r']);
    inner();
    const takeInner = registerCommands('inner', [command('j')]);
    await Promise.resolve();
    expect(pressed).toEqual(['r', 'j']);

    const left = beginLoading();
    press('q');
    window.dispatchEvent(new PopStateEvent('popstate'));
    left();
    const takeLate = registerCommands('late', [command('q'), command('z')]);
    await Promise.resolve();
    press('k');
    const takeK = registerCommands('k', [command('k')]);
    await Promise.resolve();
    expect(pressed).toEqual(['r', 'j']);
    press('z');
    expect(pressed).toEqual(['r', 'j', 'z']);
    for (const take of [takeFrame, takeInner, takeLate, takeK]) take();
    keyboard.unmount();
  });
});
