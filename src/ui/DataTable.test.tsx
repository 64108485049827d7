import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DataTable } from './DataTable.tsx';

let width = 0;
let measure: (() => void) | undefined;

beforeEach(() => {
  // The host of this test lays nothing out: the table is as wide as the test says, in a place of 300 pixels.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        measure = callback;
      }
      observe = vi.fn();
      disconnect = vi.fn();
    },
  );
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(300);
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockImplementation(() => width);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function table() {
  return (
    <DataTable label="Kills">
      <tbody>
        <tr>
          <td>one</td>
        </tr>
      </tbody>
    </DataTable>
  );
}

it('has its name, and is reached by keyboard only where there is something to scroll', () => {
  width = 300;
  render(table());
  expect(screen.getByRole('table', { name: 'Kills' }).textContent).toBe('one');
  const place = screen.getByRole('group', { name: 'Kills, scrolled sideways' });
  expect(place.tabIndex).toBe(-1);
  width = 900;
  act(() => measure?.());
  expect(place.tabIndex).toBe(0);
});
