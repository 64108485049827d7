/**
 * Small random traces with everything that can be wrong with one: repeated ids, cycles, dangling causes, holes, skewed clocks,
 * branches. For property tests, always with a fixed seed.
 */
import fc from 'fast-check';
import { type HindcastEvent, parseEvent } from '../../model/index.ts';
import { drawnRun } from '../../model/testing/trace.ts';

const types = [
  'step.started',
  'decision.made',
  'tool_call.dispatched',
  'tool_call.completed',
  'effect.committed',
  'state.transitioned',
  'worker.exited',
  'novel.type',
];

const anEvent = fc.record({
  id: fc.nat(24).map((n) => `e${n}`),
  type: fc.constantFrom(...types),
  component: fc.constantFrom('worker', 'tickets'),
  incarnation: fc.constantFrom(1, 2),
  branch: fc.constantFrom('main', 'main', 'main', 'b-1'),
  run: fc.constantFrom(drawnRun(1), drawnRun(2)),
  seq: fc.option(fc.nat(30), { nil: undefined }),
  minute: fc.option(fc.nat(9), { nil: undefined }),
  key: fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined }),
  version: fc.nat(4),
  path: fc.option(fc.constantFrom('/write:a#0', '/write:b#0'), { nil: undefined }),
  causes: fc.array(
    fc.record({
      event: fc.nat(27).map((n) => `e${n}`),
      as: fc.constantFrom('result_of', 'consumed', 'caused_by', 'selected_by'),
      grade: fc.constantFrom('recorded', 'inferred', 'clock-only'),
    }),
    { maxLength: 3 },
  ),
});

export const manyEvents: fc.Arbitrary<readonly HindcastEvent[]> = fc.array(anEvent.map(toEvent), { maxLength: 40 });

type Drawn = typeof anEvent extends fc.Arbitrary<infer T> ? T : never;

function toEvent({
  id,
  type,
  component,
  incarnation,
  branch,
  run,
  seq,
  minute,
  key,
  version,
  path,
  causes,
}: Drawn): HindcastEvent {
  const parsed = parseEvent({
    v: 1,
    id,
    type,
    run,
    branch,
    source: { component, incarnation },
    ...(seq === undefined ? {} : { seq }),
    ...(minute === undefined ? {} : { time: `2026-01-01T00:0${minute}:00Z`, clock: component }),
    ...(path === undefined ? {} : { command: { path, attempt: 1 } }),
    causes: causes.map((cause) => (cause.grade === 'inferred' ? { ...cause, rule: 'drawn' } : cause)),
    data: {
      ...(key === undefined ? {} : { idempotency_key: key }),
      ...(type === 'state.transitioned' ? { name: 'case', from: version, to: version + 1 } : {}),
    },
  });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}
