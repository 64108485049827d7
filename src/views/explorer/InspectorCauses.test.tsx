/** What an event with a hundred thousand neighbours lays out: a list that a page can show, and how many more there are. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { eventId, mainBranch } from '../../core/model/index.ts';
import { drawReader } from '../../core/projections/testing/drawn-reader.ts';
import type { TraceId } from '../../data/index.ts';
import { JsonView } from '../../ui/JsonView.tsx';
import { type Explorer, noFilter } from './explorer.ts';
import { CausesTab } from './InspectorCauses.tsx';

afterEach(cleanup);

function unused(): never {
  throw new Error('not used by this test');
}

const explorer: Explorer = {
  // Cast: the brand factory is in platform/storage, which views do not import.
  ...{ trace: 't-1' as TraceId, branch: mainBranch, filter: noFilter, event: undefined, isChoosing: false },
  ...{ finding: undefined, edit: undefined, edited: undefined, overlay: undefined },
  select: unused,
  clearFilter: unused,
  showPanel: unused,
  showFinding: unused,
  takeEditFocus: () => false,
  titleOf: (id) => id,
};

const names = Array.from({ length: 1000 }, (_, at) => `s${at}`);
const inspection = drawReader(`
  worker:
    ${names.map((id) => `${id} artifact.used {"name":"${id}"}`).join('\n    ')}
    d decision.made <- ${names.map((id) => `${id}:consumed`).join(', ')} {"chosen":1}
    ${names.map((id) => `a${id} step.started <- d:caused_by {"name":"${id}"}`).join('\n    ')}
`).inspect(mainBranch, eventId('d'));

it('causes and effects are bounded alike, and what is not listed is counted', () => {
  if (inspection === undefined) throw new Error('the drawing holds the decision');
  render(<CausesTab inspection={inspection} explorer={explorer} />);
  expect(screen.getAllByRole('listitem')).toHaveLength(400);
  expect(screen.getByText(/800 more events \(consumed\)/)).toBeDefined();
  expect(screen.getByText(/800 more events \(caused by\)/)).toBeDefined();
});

it('the envelope that names them all is a tree of which a press lays out some hundreds, never thousands', () => {
  const value = Array.from({ length: 100_000 }, (_, at) => `s${at}`);
  const { container } = render(<JsonView value={value} label="Envelope" />);
  const lines = (): number => container.querySelectorAll('[class*="line"]').length;
  for (let press = 0; press < 6; press++) {
    const before = lines();
    fireEvent.click(screen.getByRole('button', { name: /more/ }));
    expect(lines() - before).toBeGreaterThan(100);
    expect(lines() - before).toBeLessThanOrEqual(500);
  }
});
