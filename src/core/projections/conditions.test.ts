/**
 * Conditions against a plain pass over the bodies: the columns must know what the records say.
 */
import { describe, expect, it } from 'vitest';
import { hasBit } from '../causal/index.ts';
import type { HindcastEvent } from '../model/index.ts';
import { parseFilter } from './filter.ts';
import { drawView } from './testing/drawn-view.ts';

const view = drawView(`
  worker/w1/1 agent=planner step=1 session=s-a:
    ask  model_call.requested  path=/m#0 attempt=1  {"request_model":"m"}
    said  model_call.completed  path=/m#0 attempt=1 delivered=1  <- ask:result_of  {"usage":{"input_tokens":900,"output_tokens":200},"cost":{"amount":0.02}}
    out  tool_call.dispatched  path=/w#0 attempt=1  <- said:selected_by  {"tool":"create_ticket","effect":"external"} & {"principal":{"id":"ana"}}
    ack  tool_call.acknowledged  path=/w#0 attempt=1  <- out:result_of  {"tool":"create_ticket"}
  worker/w2/1 agent=writer step=2 session=s-b:
    look  tool_call.dispatched  path=/r#0 attempt=1  {"tool":"read_ledger"} & {"principal":{"id":"bo"}}
    bad  tool_call.failed  path=/r#0 attempt=1 delivered=2  <- look:result_of  {"tool":"read_ledger","error":{"name":"E","message":"no"}}
    free  model_call.completed  path=/m2#0 attempt=1 delivered=3  {"usage":{"output_tokens":5}}
`);

function matched(text: string): string[] {
  const filter = parseFilter(text);
  if (!filter.ok) throw new Error(filter.error.message);
  const bits = view.matching(filter.value);
  return [...view.positions].filter((position) => hasBit(bits, position)).map((position) => view.index.id(position));
}

function naive(meets: (event: HindcastEvent) => boolean): string[] {
  return [...view.positions]
    .filter((position) => meets(view.event(position)))
    .map((position) => view.index.id(position));
}

/** A member of a payload, as recorded. */
function dataOf(event: HindcastEvent): Readonly<Record<string, unknown>> {
  return { ...event.data };
}

describe('conditions of a filter', () => {
  it('by name find what the records say', () => {
    expect(matched('tool:create_ticket')).toEqual(naive((event) => dataOf(event)['tool'] === 'create_ticket'));
    expect(matched('principal:ana')).toEqual(naive(({ principal }) => principal?.id === 'ana'));
    expect(matched('session:s-b')).toEqual(naive(({ session }) => session === 's-b'));
    expect(matched('tool:create_ticket principal:bo')).toEqual([]);
    expect(matched('tool:nobody')).toEqual([]);
  });

  it('by tool take a name half typed, as the box offers it, and a whole name for itself alone', () => {
    expect(matched('tool:create')).toEqual(['out', 'ack']);
    expect(matched('tool:LEDGER')).toEqual(['look', 'bad']);
    expect(matched('tool:e')).toEqual(['out', 'ack', 'look', 'bad']);
    expect(matched('family:tool -tool:ledger')).toEqual(['out', 'ack']);
    // Names of principals stand in the same list of labels, and are no tools.
    expect(matched('tool:ana')).toEqual([]);
    const dotted = drawView(`
  worker/w1/1:
    a  tool_call.dispatched  {"tool":"customers.lookup"}
    b  tool_call.dispatched  {"tool":"customers.lookup.all"}
`);
    const found = (text: string): string[] => {
      const filter = parseFilter(text);
      if (!filter.ok) throw new Error(filter.error.message);
      const bits = dotted.matching(filter.value);
      return [...dotted.positions].filter((at) => hasBit(bits, at)).map((at) => dotted.index.id(at));
    };
    expect(found('tool:customers')).toEqual(['a', 'b']);
    expect(found('tool:customers.lookup')).toEqual(['a']);
  });

  it('by status tell failures, and calls nobody answered', () => {
    expect(matched('status:failed')).toEqual(['bad']);
    expect(matched('status:open')).toEqual(['out']);
    expect(matched('status:ok')).toEqual(naive(({ id }) => id !== 'bad'));
    expect(matched('status:effect')).toEqual(['out']);
    expect(matched('status:failed status:open')).toEqual(expect.arrayContaining(['bad', 'out']));
  });

  it('by amount hold on both bounds, and never for what is not recorded', () => {
    expect(matched('tokens:>=1100')).toEqual(['said']);
    expect(matched('tokens:>1100')).toEqual([]);
    expect(matched('tokens:<1100')).toEqual(['free']);
    expect(matched('cost:0.02')).toEqual(['said']);
    expect(matched('tokens>=1100 cost<1 duration<=1s')).toEqual(['said']);
    expect(matched('-tokens:>=0')).toEqual(naive((event) => dataOf(event)['usage'] === undefined));
  });

  it('by tokens count a cache beside the input where the record says that the input leaves it out', () => {
    const counts =
      '"input_tokens":10,"cache_creation_input_tokens":15962,"cache_read_input_tokens":0,"output_tokens":42';
    const cached = drawView(`
  worker/w1/1:
    apart  model_call.completed  {"usage":{${counts},"input_excludes_cache":true}}
    within  model_call.completed  {"usage":{${counts.replace('10', '15972')}}}
`);
    const filter = parseFilter('tokens:16014');
    if (!filter.ok) throw new Error(filter.error.message);
    const bits = cached.matching(filter.value);
    expect([...cached.positions].filter((at) => hasBit(bits, at))).toHaveLength(2);
  });

  it('by duration hold for the call and for its answer, by the times recorded', () => {
    expect(matched('duration:1s')).toEqual(expect.arrayContaining(['ask', 'said', 'look', 'bad']));
    expect(matched('duration:>1s')).toEqual([]);
    expect(matched('duration:>=0s')).not.toContain('free');
  });

  it('narrow lists and text, and a minus means the rest', () => {
    expect(matched('family:tool -tool:read_ledger')).toEqual(['out', 'ack']);
    expect(matched('-agent:planner -type:tool_call')).toEqual(['free']);
    expect(matched('status:ok READ_LEDGER')).toEqual(['look']);
  });
});
