import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { type MeasuredCell, MeasuredTable } from './MeasuredTable.tsx';

afterEach(cleanup);

it('R115 cells of which the simulation says otherwise stand first, the others in their order', () => {
  // The host of this test lays nothing out.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = vi.fn();
      disconnect = vi.fn();
    },
  );
  const cell = (point: string, verdict: MeasuredCell['verdict']): MeasuredCell => ({
    design: 'journal',
    simulatedAs: 'journal, no key',
    effect: '/write:x#0',
    point,
    trials: [],
    measured: ['once'],
    simulated: 'once',
    verdict,
  });
  const cells = [cell('1', 'agree'), cell('2', 'measured only'), cell('3', 'agree'), cell('4', 'disagree')];
  render(<MeasuredTable cells={cells} trialLink={() => undefined} />);
  const [, ...rows] = screen.getAllByRole('row');
  expect(rows.map((row) => row.querySelectorAll('td')[1]?.textContent)).toEqual(['4', '2', '1', '3']);
  vi.unstubAllGlobals();
});
