/** Questions about one event in a trace with several runs and lives, where an answer may come from another. */
import { describe, expect, it } from 'vitest';
import { hasBit } from '../causal/index.ts';
import { eventId, mainBranch } from '../model/index.ts';
import { parseFilter } from './filter.ts';
import { drawReader } from './testing/drawn-reader.ts';
import { drawView } from './testing/drawn-view.ts';

function matched(drawing: string, text: string): string[] {
  const view = drawView(drawing);
  const filter = parseFilter(text);
  if (!filter.ok) throw new Error(filter.error.message);
  const bits = view.matching(filter.value);
  return [...view.positions].filter((position) => hasBit(bits, position)).map((position) => view.index.id(position));
}

const pay = '{"tool":"pay","effect":"external"}';

describe('R21 R59 R61 the chain of an event', () => {
  it('names the principal of its own run', () => {
    const reader = drawReader(`
      worker/w/1 agent=a:
        r1 run.started {"input":{}} & {"principal":{"id":"alice","kind":"human"}}
      worker/w9/1 run=2 agent=b:
        r2 run.started {"input":{}} & {"principal":{"id":"bob","kind":"human"}}
        b1 tool_call.dispatched path=/write:pay#0 attempt=1 ${pay}
      worker/w8/1 run=3 agent=c:
        c1 tool_call.dispatched path=/write:pay#0 attempt=1 ${pay}`);
    const principal = (id: string): unknown =>
      reader.chain(mainBranch, eventId(id)).find(({ what }) => what === 'principal');
    expect(principal('b1')).toMatchObject({ value: 'bob', event: 'r2', basis: 'derived' });
    expect(principal('c1')).toEqual({ what: 'principal', basis: 'not recorded' });
  });

  it('G18 rests on no edge by clock alone', () => {
    const reader = drawReader(`
      worker/w/1 agent=a step=3:
        d1 decision.made path=/decide:x#0 noseq {"result":"refund"}
      app/x/1 step=9:
        b1 tool_call.dispatched noseq <- d1:caused_by? ${pay}`);
    const chain = reader.chain(mainBranch, eventId('b1'));
    expect(chain.find(({ what }) => what === 'decision')).toEqual({ what: 'decision', basis: 'not recorded' });
    expect(chain.find(({ what }) => what === 'agent')).toEqual({ what: 'agent', basis: 'not recorded' });
  });
});

describe('R73 a filter for open calls', () => {
  it('shows a call that another life, another attempt or another run answered', () => {
    expect(
      matched(
        `
      worker/w/1:
        a1 tool_call.dispatched path=/write:pay#0 attempt=1 ${pay}
      worker/w/2:
        a2 tool_call.dispatched path=/write:pay#0 attempt=1 ${pay}
        z2 tool_call.completed path=/write:pay#0 attempt=1 delivered=1 <- a2:result_of {"result":1}
        b1 tool_call.dispatched path=/write:pay#1 attempt=1 ${pay}
        b2 tool_call.dispatched path=/write:pay#1 attempt=2 ${pay}
        y2 tool_call.completed path=/write:pay#1 attempt=2 delivered=2 {"result":1}
      worker/w9/1 run=2:
        c1 tool_call.dispatched path=/write:pay#0 attempt=1 ${pay}`,
        'status:open',
      ),
    ).toEqual(['a1', 'b1', 'c1']);
  });

  it('shows a call that a service executed and whose answer nobody recorded', () => {
    const drawing = (line: string): string => `
      worker/w/1:
        a1 tool_call.dispatched path=/write:pay#0 attempt=1 ${pay}
      payments/p/1:
        q1 effect.requested <- a1:result_of {}
        c1 ${line} <- a1:result_of {"settled":"executed"}`;
    expect(matched(drawing('effect.committed'), 'status:open')).toEqual(['a1']);
    expect(matched(drawing('effect.reconciled'), 'status:open')).toEqual([]);
  });

  it('takes the answer that another process recorded for the only call of its command', () => {
    const other = (attempt: string): string => `
      worker/w/1:
        a1 tool_call.dispatched path=/write:pay#0 attempt=1 ${pay}
      gateway/g/1:
        z1 tool_call.completed path=/write:pay#0 ${attempt} delivered=1 {"result":1}`;
    expect(matched(other(''), 'status:open')).toEqual([]);
    expect(matched(other('attempt=1'), 'status:open')).toEqual([]);
    expect(matched(other('attempt=2'), 'status:open')).toEqual(['a1']);
  });

  it('measures an answer from the call it answers, not from one of another run', () => {
    const drawing = `
      worker/w/1:
        a1 tool_call.dispatched path=/write:pay#0 attempt=1 time=2026-01-01T00:00:00Z ${pay}
      worker/w9/1 run=2:
        c1 tool_call.dispatched path=/write:pay#0 attempt=1 time=2026-01-01T00:00:09Z ${pay}
      gateway/g/1:
        z1 tool_call.completed path=/write:pay#0 delivered=1 time=2026-01-01T00:00:10Z {"result":1}`;
    expect(matched(drawing, 'duration:>5s')).toEqual(['a1', 'z1']);
    expect(matched(drawing, 'duration:<5s')).toEqual([]);
  });
});

describe('what failed', () => {
  it('an error that is null is none', () => {
    const drawing = `
      tickets/t/1:
        c1 effect.committed {"effect":{"id":"1"},"error":null}
        c2 effect.committed {"effect":{"id":"2"},"error":{"name":"E"}}`;
    expect(matched(drawing, 'status:failed')).toEqual(['c2']);
  });
});
