/** What components of the page show of texts that were handed to them as they stand in a trace. */
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Button } from './Button.tsx';
import { Chip } from './Chip.tsx';
import { Message } from './Message.tsx';

afterEach(cleanup);

it('R145 a name among elements is shown with its marks of direction as escapes, and the elements stay', () => {
  const name = '\u202eevil';
  const { container } = render(
    <>
      <Chip>
        number {name} <b>{1}</b>
      </Chip>
      <Button>Open {name}</Button>
      <Message title={name}>{`It is ${name}.`}</Message>
    </>,
  );
  expect(container.textContent).toBe('number \\u202eevil 1Open \\u202eevil\\u202eevilIt is \\u202eevil.');
  expect(container.querySelector('b')?.textContent).toBe('1');
});
