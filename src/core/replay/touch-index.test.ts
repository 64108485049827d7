/** Rule I3: the first touch that a read meets, found without trying each. The answer is that of trying each. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePositions } from './position.ts';
import { type Touch, meeting } from './resources.ts';
import { type PlacedTouch, createTouchIndex } from './touch-index.ts';

const service = fc.constantFrom('desk', 'mail', undefined);
const name = fc
  .array(fc.constantFrom('tickets', '7', '70', '{id}', ''), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('/'));
const touch: fc.Arbitrary<Touch> = fc.record({
  names: fc.option(fc.array(name, { maxLength: 3 }), { nil: undefined }),
  service,
});
const position = fc.oneof(fc.nat(6).map(String), fc.constantFrom('3.1', '3.2', '5.1'));

function findByTrying(touches: readonly PlacedTouch[], read: Touch, before: string): number | undefined {
  const found = touches.findIndex(
    ({ touch: one, from }) => comparePositions(before, from) > 0 && meeting(read, one) !== undefined,
  );
  return found < 0 ? undefined : found;
}

describe('the index of touches', () => {
  it('I3 finds what trying each touch in order finds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ from: position, touch }), { maxLength: 12 }),
        touch,
        position,
        (touches, read, at) => {
          expect(createTouchIndex(touches).findFirst(read, at)).toBe(findByTrying(touches, read, at));
        },
      ),
      { seed: 20260701, numRuns: 2000 },
    );
  });

  it('knows the first of many of one name by halving, also where all came later', () => {
    const many = Array.from({ length: 20_000 }, (_, n) => ({
      from: String(20_000 - n),
      touch: { names: ['tickets'], service: 'desk' },
    }));
    const index = createTouchIndex(many);
    const read = { names: ['tickets/7'], service: 'desk' };
    expect(index.findFirst(read, '1')).toBeUndefined();
    expect(index.findFirst(read, '2')).toBe(19_999);
    expect(index.findFirst(read, '30000')).toBe(0);
  });
});
