import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { InlineButton } from './InlineButton.tsx';

afterEach(cleanup);

describe('a button inside a sentence', () => {
  it('is a button to whoever cannot see it, and no element that browsers lay out as a box', () => {
    render(
      <p>
        Chosen by <InlineButton onPress={() => undefined}>step open-ticket</InlineButton>.
      </p>,
    );
    const button = screen.getByRole('button', { name: 'step open-ticket' });
    expect(button.tagName).toBe('SPAN');
    expect(button.tabIndex).toBe(0);
  });

  it('is pressed by the pointer and by the keys that press a button, and by no other', () => {
    const pressed: string[] = [];
    render(<InlineButton onPress={() => pressed.push('x')}>it</InlineButton>);
    const button = screen.getByRole('button');
    fireEvent.click(button);
    fireEvent.keyDown(button, { key: 'Enter' });
    // A space that is not taken scrolls the page.
    expect(fireEvent.keyDown(button, { key: ' ' })).toBe(false);
    expect(fireEvent.keyDown(button, { key: 'j' })).toBe(true);
    expect(pressed).toHaveLength(3);
  });
});
