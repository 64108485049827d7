import { expect, it } from 'vitest';
import type { TraceId } from '../../data/index.ts';
import { comparedLocation, runSetLocation } from './chosen-places.ts';

// Cast: ids of the library, as the address has them.
const [a, b, c] = ['t-a', 't-b', 't-c'] as [TraceId, TraceId, TraceId];

it('two chosen traces are compared, the first ticked on the left; chosen traces are the runs of a set of the first', () => {
  expect(comparedLocation(b, a)).toMatchObject({
    trace: b,
    view: 'replay',
    extra: { show: 'compare', there: 'main', here: 't-a/main' },
  });
  expect(runSetLocation([b, c, a])).toMatchObject({
    trace: b,
    view: 'replay',
    extra: { show: 'set', runs: 't-b t-c t-a' },
  });
});
