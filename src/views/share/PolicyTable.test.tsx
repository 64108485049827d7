import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { closedPolicy } from '../../core/redaction/index.ts';
import { PolicyTable } from './PolicyTable.tsx';

afterEach(cleanup);

it('R73 says of a class of names how many values were replaced, not how many stand-ins there are', () => {
  const leaves = [{ class: 'sessions', kept: 0, pseudonyms: 1606, withheld: 2 } as const];
  render(<PolicyTable policy={closedPolicy} onPolicy={() => undefined} leaves={leaves} />);
  expect(screen.getByText('1,606 replaced, 2 withheld')).toBeTruthy();
});
