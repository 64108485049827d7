import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  // The editor is loaded once: each test meets it anew.
  vi.resetModules();
  // The host of this test lays nothing out.
  Object.defineProperty(Range.prototype, 'getClientRects', { value: () => [], configurable: true });
});
afterEach(cleanup);

async function renderEdited(): Promise<HTMLElement> {
  const { CodeEditor } = await import('./CodeEditor.tsx');
  function Edited() {
    const [text, setText] = useState('{"a": 1}');
    return (
      <>
        <CodeEditor label="Value" text={text} onText={setText} language="json" />
        <button type="button">Elsewhere</button>
      </>
    );
  }
  render(<Edited />);
  const field = screen.getByRole('textbox', { name: 'Value' });
  expect(field.tagName).toBe('TEXTAREA');
  return field;
}

it('can be typed into at once, and the hands stay where they are when the whole editor takes its place', async () => {
  const field = await renderEdited();
  field.focus();
  fireEvent.change(field, { target: { value: '{"a": 12}' } });
  await waitFor(() => expect(field.isConnected).toBe(false));
  const editor = screen.getByRole('textbox', { name: 'Value' });
  expect(document.activeElement).toBe(editor);
  expect(editor.textContent).toBe('{"a": 12}');
});

it('takes the focus from nobody who left it', async () => {
  const field = await renderEdited();
  field.focus();
  screen.getByRole('button').focus();
  await waitFor(() => expect(field.isConnected).toBe(false));
  expect(document.activeElement).toBe(screen.getByRole('button'));
});
