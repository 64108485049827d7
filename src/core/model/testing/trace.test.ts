import { describe, expect, it } from 'vitest';
import { drawTrace, drawnRun } from './trace.ts';

const t = drawTrace(`
  worker/w1/2 agent=planner:
    step=17:
      plan  decision.made  {"chosen":"open"}
      ask   tool_call.dispatched  path=/par:a/write:ticket#0 attempt=1 key=k-1  <- plan:selected_by  {"effect":"external"}
    // no step here
    end   run.completed  <- ask, plan:informed_by~by-name, made:caused_by?
  tickets:
    made  effect.committed noseq notime  <- ask:result_of  {"effect":{"id":"8421"}} & {"agent":"a"}
`);

describe('drawTrace', () => {
  it('gives events with full envelopes', () => {
    expect(t.event('ask')).toEqual({
      v: 1,
      id: 'ask',
      type: 'tool_call.dispatched',
      run: drawnRun(1),
      session: 's-1',
      branch: 'main',
      source: { component: 'worker', instance: 'w1', incarnation: '2' },
      seq: 1,
      time: '2026-01-01T00:00:01.000Z',
      clock: 'clock-1',
      agent: 'planner',
      step: '17',
      command: { path: '/par:a/write:ticket#0', kind: 'write', name: 'ticket', attempt: 1 },
      causes: [{ event: 'plan', as: 'selected_by' }],
      data: { idempotency_key: 'k-1', effect: 'external' },
    });
  });

  it('ends a scope with its indentation', () => {
    expect(t.event('end').step).toBeUndefined();
    expect(t.event('made').source.component).toBe('tickets');
    expect(t.event('made').agent).toBe('a');
    expect(t.event('made').seq).toBeUndefined();
    expect(t.event('made').time).toBeUndefined();
  });

  it('grades causes', () => {
    expect(t.event('end').causes).toEqual([
      { event: 'ask', as: 'caused_by' },
      { event: 'plan', as: 'informed_by', grade: 'inferred', rule: 'by-name' },
      { event: 'made', as: 'caused_by', grade: 'clock-only' },
    ]);
  });

  it('refuses a drawing that is no valid trace', () => {
    expect(() => drawTrace('a tool_call.dispatched {"effect":"maybe"}')).toThrow('data.effect');
    expect(() => drawTrace('lonely')).toThrow('Not an event');
    expect(() => t.id('nobody')).toThrow('no event "nobody"');
  });
});
