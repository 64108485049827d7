import { describe, expect, it } from 'vitest';
import { isForPage } from './keyboard.ts';

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
