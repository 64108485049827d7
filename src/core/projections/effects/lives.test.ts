import { describe, expect, it } from 'vitest';
import { drawTrace } from '../../model/testing/trace.ts';
import { computeLives } from './lives.ts';

function livesOf(drawing: string): [string, boolean][] {
  return computeLives(drawTrace(drawing).events).all.map(({ label, killed }) => [label, killed]);
}

describe('lives', () => {
  it('joins a kill through the witness of another process to the life that was struck', () => {
    expect(
      livesOf(`
        worker/w/1:
          a tool_call.dispatched path=/write:x#0 attempt=1 {}
        worker/w/2:
          b worker.started {}
        tickets/t/1:
          c effect.committed <- a:result_of {}
          seen fault.witnessed <- c:caused_by {}
        harness/h/1:
          kill fault.injected <- seen:caused_by {"signal":"SIGKILL"}
          gone worker.exited <- kill:caused_by {"signal":"SIGKILL"}
      `),
    ).toEqual([
      ['worker 1', true],
      ['worker 2', false],
      ['tickets', false],
      ['harness', false],
    ]);
  });

  it('R74 R110 joins a kill that names no process to the life whose end names the kill, as in a copy without process ids', () => {
    const drawn = `
        worker/w/1:
          a worker.started {}
        worker/w/2:
          b worker.started {}
        harness/h/1:
          kill fault.injected {"signal":"SIGKILL"}
          gone worker.exited <- kill:caused_by {"signal":"SIGKILL","worker":{"component":"worker","instance":"w","incarnation":"2"}}`;
    const { all } = computeLives(drawTrace(drawn).events);
    expect(all.map(({ label, injected }) => [label, injected?.id])).toEqual([
      ['worker 1', undefined],
      ['worker 2', 'kill'],
      ['harness', undefined],
    ]);
  });

  it('R19 calls a life as titles do: by its own incarnation, of a long one the beginning', () => {
    expect(
      livesOf(`
        worker/w1/b2943a:
          a worker.started {}
        worker/w2/9c1f0e7d-55aa-4a51-9b1e-0d1d7a3f2c11:
          b worker.started {}
        tickets/t/77aa:
          c effect.requested {}
      `).map(([label]) => label),
    ).toEqual(['worker b2943a', 'worker 9c1f0e7d', 'tickets']);
  });

  it.each([
    [
      'R19 by instance too, where incarnations do not tell lives apart, and all lives of the component alike',
      ['worker/w1/1', 'worker/w2/1', 'worker/w1/2'],
      ['worker w1/1', 'worker w2/1', 'worker w1/2'],
    ],
    [
      'counted where nothing recorded tells them apart, and then all of them',
      ['worker/12345678-a/1', 'worker/12345678-b/1', 'worker/12345678-a/2'].map((name) => name.replace('-', '9999999')),
      ['worker 1', 'worker 2', 'worker 3'],
    ],
  ])('%s', (_, scopes, labels) => {
    const lines = scopes.map((scope, i) => `${scope}:\n  e${String(i)} worker.started {}`);
    expect(livesOf(lines.join('\n')).map(([label]) => label)).toEqual(labels);
  });

  it('R19 an exit is about the one life that it names by component, instance and incarnation, or about none', () => {
    const struck = (exit: string): string[] =>
      livesOf(`
        lab/l/1:
          d stream.declared {}
        worker/w1/1:
          a worker.started {"pid":7}
        worker/w2/1:
          b worker.started {"pid":8}
        harness/h/1:
          gone worker.exited ${exit}`).flatMap(([label, killed]) => (killed ? [label] : []));
    expect(struck('{"worker":{"component":"worker","instance":"w2","incarnation":1},"signal":"SIGKILL"}')).toEqual([
      'worker w2/1',
    ]);
    expect(struck('{"worker":{"component":"worker","incarnation":1},"signal":"SIGKILL"}')).toEqual([]);
    expect(struck('{"incarnation":1,"signal":"SIGKILL"}')).toEqual([]);
    expect(struck('{"incarnation":1,"pid":8,"signal":"SIGKILL"}')).toEqual(['worker w2/1']);
    expect(struck('{"incarnation":2,"pid":8,"signal":"SIGKILL"}')).toEqual([]);
  });

  it('joins an exit by the spawn record, by a named incarnation, and by a process id', () => {
    const base = (exit: string): string => `
      harness/h/1:
        sp worker.spawned {"pid":7}
        ${exit}
      worker/w/1:
        w1 worker.started <- sp:caused_by {"pid":7}
      worker/w/2:
        w2 worker.started {"pid":8}`;
    for (const exit of [
      'gone worker.exited <- sp:caused_by {"signal":"SIGKILL"}',
      'gone worker.exited {"signal":"SIGKILL","component":"worker","incarnation":1}',
      'gone worker.exited {"signal":"SIGKILL","pid":7}',
    ]) {
      expect(livesOf(base(exit)), exit).toContainEqual(['worker 1', true]);
      expect(livesOf(base(exit)), exit).toContainEqual(['worker 2', false]);
    }
  });

  it('calls nobody killed that returned, or whose records merely stop', () => {
    expect(
      livesOf(`
        harness/h/1:
          gone worker.exited {"pid":7,"code":0,"signal":null}
        worker/w/1:
          w1 worker.started {"pid":7}
      `),
    ).toContainEqual(['worker', false]);
  });
});
