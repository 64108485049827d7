import { act, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { previewAnswerToData } from '../../state/preview.ts';
import { type Previewed, ReviewerPreview } from './ReviewerPreview.tsx';

function Panel({ bytes }: { readonly bytes: Uint8Array<ArrayBuffer> }) {
  const [previewed, setPreviewed] = useState<Previewed>();
  return (
    <>
      <ReviewerPreview bytes={bytes} previewed={previewed} onPreviewed={setPreviewed} />
      <output>{previewed?.bytes === bytes ? (previewed.problem ?? 'shown') : 'not shown'}</output>
    </>
  );
}

it('counts a copy as previewed when the frame shows these very bytes, and tells why it cannot', () => {
  const { container, rerender } = render(<Panel bytes={new Uint8Array([1])} />);
  const frame = container.querySelector('iframe');
  const answer = (turn: number, problem?: string) =>
    act(() => {
      const data = previewAnswerToData({ turn, problem });
      const init = { data, origin: window.location.origin, source: frame?.contentWindow ?? null };
      window.dispatchEvent(new MessageEvent('message', init));
    });
  const told = () => container.querySelector('output')?.textContent;
  expect(told()).toBe('not shown');
  answer(1);
  expect(told()).toBe('shown');
  rerender(<Panel bytes={new Uint8Array([2])} />);
  expect(screen.getByText(/Opening the copy/)).toBeTruthy();
  // Late, and about the bytes before.
  answer(1);
  expect(told()).toBe('not shown');
  answer(2, 'It expired.');
  expect(told()).toBe('It expired.');
  // The frame says it itself: nothing covers it.
  expect(screen.queryByText(/Opening the copy/)).toBeNull();
});
