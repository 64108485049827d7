import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useWidth } from './use-width.ts';

const layout = { measure: (): void => undefined, width: 0 };

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(onResize: () => void) {
        layout.measure = onResize;
      }
      observe = vi.fn();
      disconnect = vi.fn();
    },
  );
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockImplementation(() => layout.width);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function Drawing() {
  const [place, drawn] = useWidth(640);
  return <div ref={place}>{drawn}</div>;
}

it('tells the width that there is, and until it was measured, or where there is none, the one it was given', () => {
  render(<Drawing />);
  expect(screen.getByText('640')).toBeTruthy();
  act(() => layout.measure());
  expect(screen.getByText('640')).toBeTruthy();
  layout.width = 1090;
  act(() => layout.measure());
  expect(screen.getByText('1090')).toBeTruthy();
});
