import { describe, expect, it } from 'vitest';
import { computeInhabitedScopes, ranElsewhere } from './child-runs.ts';

function inhabited(...scopes: readonly string[]): ReadonlySet<string> {
  return computeInhabitedScopes(scopes.map((scope) => ({ scope })));
}

describe('a recorded sub-agent with a run of its own', () => {
  const child = { childRun: true, path: '/par:a/child:account#0' };

  it('M7 ran elsewhere where nothing of it is in the journal, at any depth', () => {
    expect(ranElsewhere(child, inhabited('', '/par:a', '/par:a/child:account#01'))).toBe(true);
    expect(ranElsewhere(child, inhabited('', '/par:a/child:account#0'))).toBe(false);
    expect(ranElsewhere(child, inhabited('/par:a/child:account#0/each=1/par:b'))).toBe(false);
  });

  it('is computed here where no run of its own is recorded', () => {
    expect(ranElsewhere({ ...child, childRun: false }, inhabited(''))).toBe(false);
  });
});
