import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ClampedLines } from './ClampedLines.tsx';

beforeEach(() => {
  // The host of this test lays nothing out: a line for every ten characters.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = vi.fn();
      disconnect = vi.fn();
    },
  );
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(function (this: Element) {
    return Math.ceil(this.textContent.length / 10) * 20;
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function linesOf(text: string): string | undefined {
  const paragraph = screen.getByText(text);
  return paragraph.dataset['cut'] === undefined ? undefined : paragraph.style.webkitLineClamp;
}

it('cuts what does not fit, and shows all of it at the press of a button', () => {
  const long = 'x'.repeat(40);
  render(<ClampedLines paragraphs={[long, 'short']} most={3} />);
  expect([linesOf(long), linesOf('short')]).toEqual(['2', undefined]);
  const more = screen.getByRole('button', { name: 'more', expanded: false });
  fireEvent.click(more);
  expect(linesOf(long)).toBeUndefined();
  fireEvent.click(screen.getByRole('button', { name: 'less', expanded: true }));
  expect(linesOf(long)).toBe('2');
});

it('cuts nothing where there are lines enough', () => {
  render(<ClampedLines paragraphs={['x'.repeat(40), 'short']} most={5} />);
  expect(screen.queryByRole('button')).toBeNull();
});
