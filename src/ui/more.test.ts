import { fireEvent, render } from '@testing-library/react';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { More } from './More.tsx';

const items = Array.from({ length: 1000 }, (_, n) => n);

function show(wanted?: number) {
  return render(
    createElement(More<number>, {
      items,
      noun: 'gap',
      ...(wanted === undefined ? {} : { wanted }),
      children: (part) => createElement('p', { 'data-testid': 'part' }, part.length),
    }),
  );
}

describe('a long list', () => {
  it('shows its beginning, says how much that is, and more when asked', () => {
    const page = show();
    expect(page.getByTestId('part').textContent).toBe('200');
    expect(page.container.textContent).toContain('200 of 1,000 gaps shown.');
    fireEvent.click(page.getByRole('button', { name: 'Show 200 more' }));
    expect(page.getByTestId('part').textContent).toBe('400');
    page.unmount();
  });

  it('reaches to what has to be in sight', () => {
    const page = show(640);
    expect(page.getByTestId('part').textContent).toBe('641');
    page.unmount();
  });
});
