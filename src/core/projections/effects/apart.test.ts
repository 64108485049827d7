/** What the ledger holds apart: attempts and commands that are alike, answers that tell of nothing, processes of one name. */
import { describe, expect, it } from 'vitest';
import { drawTrace } from '../../model/testing/trace.ts';
import { type EffectCommand, type EffectLedger, type LedgerInput, computeLedger } from './ledger.ts';
import { computeLives } from './lives.ts';
import { hasAnswer } from './verdict.ts';

function ledgerOf(drawing: string, more: Partial<LedgerInput> = {}): EffectLedger {
  return computeLedger({ events: drawTrace(drawing).events, precedes: () => false, ...more });
}

function firstOf(drawing: string, more: Partial<LedgerInput> = {}): EffectCommand {
  const [command] = ledgerOf(drawing, more).commands;
  if (command === undefined) throw new Error('a command');
  return command;
}

function ask(path: string, attempt = 1, words = ''): string {
  return `tool_call.dispatched path=/write:${path} attempt=${String(attempt)} ${words} {"tool":"pay","effect":"external"}`;
}

function ids(events: readonly { readonly id: string }[]): readonly string[] {
  return events.map(({ id }) => id);
}

describe('R24 a record is joined', () => {
  it('by no cause that clocks alone suggest', () => {
    const told = (mark: string) =>
      ids(
        ledgerOf(`worker/w/1:\n a1 ${ask('pay#0')}\nbank/b/1:\n c1 effect.committed <- a1:result_of${mark} {}`)
          .unmatched,
      );
    expect([told(''), told('?')]).toEqual([[], ['c1']]);
  });

  it('to one of several attempts of its number by its key, and to none of another number', () => {
    const command = firstOf(`
      worker/w/1:
        a1 ${ask('pay#0', 1, 'key=k1')}
      worker/w/2:
        a2 ${ask('pay#0', 1, 'key=k2')}
      bank/b/1:
        c1 effect.committed path=/write:pay#0 attempt=1 key=k2 {"effect":{"id":"p-1"}}
        c2 effect.committed path=/write:pay#0 attempt=2 {"effect":{"id":"p-2"}}`);
    expect(command.attempts.map(({ basis }) => [...basis])).toEqual([
      [],
      [['c1', 'idempotency key']],
      [['c2', 'command']],
    ]);
    expect(command.attempts.map(({ isUnassigned }) => isUnassigned)).toEqual([undefined, undefined, true]);
  });

  it('of a number that the only attempt does not have, to the command alone', () => {
    const command = firstOf(`
      worker/w/1:
        a1 ${ask('pay#0')}
        e1 tool_call.completed path=/write:pay#0 attempt=2 {"result":1}`);
    expect(command.attempts.map(({ records }) => ids(records.completed))).toEqual([[], ['e1']]);
  });

  it('by an id that one answer names, and not where two do or where it names a command of its own', () => {
    const told = (second: string, words = ''): readonly string[] =>
      ids(
        ledgerOf(`
      worker/w/1:
        a1 ${ask('pay#0')}
        a2 ${ask('pay#1')}
        e1 tool_call.completed <- a1:result_of {"effect_id":"p-1"}
        e2 tool_call.completed <- a2:result_of {"effect_id":"${second}"}
      bank/b/1:
        c1 effect.committed ${words} {"effect":{"id":"p-1"}}`).unmatched,
      );
    expect([told('p-2'), told('p-1'), told('p-2', 'path=/write:other#0')]).toEqual([[], ['c1'], ['c1']]);
  });

  it('under a key by whoever told, where the service that is declared has told nothing', () => {
    const told = (more: string) =>
      ids(
        ledgerOf(`
      lab/l/1:
        decl stream.declared {"tools":[{"name":"pay","service":"payments","effect":"external"}]}
      worker/w/1:
        a1 ${ask('pay#0', 1, 'key=k')}
      bank/b/1:
        c1 effect.committed key=k {}
      ${more}`).unmatched,
      );
    expect(told('')).toEqual([]);
    expect(told('payments/p/1:\n        c2 effect.committed key=other {}')).toEqual(['c1', 'c2']);
  });
});

describe('R31 the records of a service are there', () => {
  const declared = `
      payments/p/1:
        decl stream.declared {"producers":[{"component":"payments"}],"tools":[{"name":"pay","service":"payments","effect":"external"}]}`;
  const asked = `
      worker/w/1:
        a1 ${ask('pay#0')}`;

  it('where it declares itself, and not where it is known to be none', () => {
    expect(firstOf(`${declared}${asked}`).hasServiceRecords).toBe(true);
    expect(firstOf(`${declared}${asked}`, { acting: new Set(['payments']) }).hasServiceRecords).toBe(false);
  });

  it('in the run that it declares itself in, where that has commands', () => {
    const two = `${declared.replace('p/1:', 'p/1 run=2:')}${asked}
      worker/w/1 run=2:
        a2 ${ask('pay#0')}`;
    expect(ledgerOf(two).commands.map(({ run, hasServiceRecords }) => [run.at(-1), hasServiceRecords])).toEqual([
      ['1', false],
      ['2', true],
    ]);
  });
});

describe('R20 what a recovering runtime tells again', () => {
  it('is of the attempt that it numbers, else of the last', () => {
    const command = firstOf(`
      worker/w/1:
        a1 ${ask('pay#0')}
      worker/w/2:
        a2 ${ask('pay#0', 3, 'replayed')}`);
    expect(command.attempts.map(({ reemitted }) => ids(reemitted))).toEqual([['a2']]);
  });

  it('is of the attempt that was completed where it is a result, else of the one that it names', () => {
    const again = (type: string) =>
      firstOf(`
      worker/w/1:
        a1 ${ask('pay#0')}
        e1 tool_call.completed <- a1:result_of {"result":1}
        a2 ${ask('pay#0', 2)}
        r1 ${type} replayed <- a2:result_of {}`).attempts.map(({ reemitted }) => ids(reemitted));
    expect(again('tool_call.completed')).toEqual([['r1'], []]);
    expect(again('tool_call.acknowledged')).toEqual([[], ['r1']]);
  });

  it('is no command without a request, nor is what a person put in', () => {
    const alone = (word: string) =>
      ledgerOf(`worker/w/1:\n e1 tool_call.completed ${word} {"effect":"external","result":1}`).commands.length;
    expect([alone(''), alone('replayed'), alone('origin=supplied')]).toEqual([1, 0, 0]);
  });

  it('did leave, whatever was recorded of its end', () => {
    const stopped = (first: string, end: string) =>
      firstOf(`
      worker/w/1:
        a1 ${ask('pay#0', 1, first)}
        ${end}
      worker/w/2:
        a2 ${ask('pay#0', 1, 'replayed')}`).stopped;
    expect(stopped('', 'x1 tool_call.failed <- a1:result_of {"executed":false}')).toBeUndefined();
    expect(stopped('origin=replayed', 's1 step.started {}')).toBeUndefined();
  });
});

it('R28 a request that a replay issued did leave where its answer was adopted from evidence', () => {
  const issued = (origin: string): readonly (string | undefined)[] => {
    const command = firstOf(
      `worker/w/1:\n a1 ${ask('pay#0', 1, 'origin=replayed')}\n e1 tool_call.completed origin=${origin} <- a1:result_of {"result":1}`,
    );
    return [command.stopped, command.verdict];
  };
  expect(issued('supplied')).toEqual(['simulated, not sent', 'not executed']);
  expect(issued('reconciled')).toEqual([undefined, 'executed once']);
});

it('R29 an answer is late once the service had the next request', () => {
  const { late } = firstOf(
    `
      worker/w/1:
        a1 ${ask('pay#0')}
        k1 tool_call.acknowledged <- a1:result_of {}
        a2 ${ask('pay#0', 2)}
      bank/b/1:
        q2 effect.requested <- a2:result_of {}`,
    { precedes: (a, b) => String(a) === 'q2' && String(b) === 'k1' },
  );
  expect([...late]).toEqual(['k1']);
});

describe('R28 R100 beside an execution', () => {
  const beside = (...lines: readonly string[]): EffectCommand =>
    firstOf(`
      worker/w/1:
        a1 ${ask('pay#0')}
        a2 ${ask('pay#0', 2)}
      bank/b/1:
        c1 effect.committed <- a1:result_of {"effect":{"kind":"payment","id":"p-1"}}
      worker/w/1:
        ${lines.join('\n        ')}`);
  const told = (...lines: readonly string[]) => beside(...lines).told.map(({ id }) => id);

  it('a request is open, and an answer that names none of the requests is no further one', () => {
    const { open } = beside('k1 tool_call.acknowledged path=/write:pay#0 {"http_status":200}');
    expect(open.map(({ number }) => number)).toEqual([2]);
  });

  it('no effect is told by an answer that refused, or was refused or saved by the service', () => {
    const answer = (status: number) =>
      `k2 tool_call.acknowledged <- a2:result_of {"http_status":${String(status)},"effect_id":"p-9"}`;
    expect([200, 399, 400].map((status) => told(answer(status)))).toEqual([['p-9'], ['p-9'], []]);
    expect(told(answer(200), 'x2 effect.refused <- a2:result_of {"http_status":409}')).toEqual([]);
    expect(told(answer(200), 'x2 effect.deduplicated <- a2:result_of {"effect":{"id":"p-1"}}')).toEqual([]);
  });

  it('nor by what an answer holds, where a part of another one is withheld', () => {
    const other = 'e2 tool_call.completed <- a2:result_of {"result":{"payment":"p-9"}}';
    const first = (result: string) => `e1 tool_call.completed <- a1:result_of {"result":${result}}`;
    expect(told(other, first('{"payment":"p-1"}'))).toEqual(['p-9']);
    expect(told(other, first('{"payment":{"$hole":"h1"}}'))).toEqual([]);
  });

  it('a withheld answer leaves nothing open where a saved answer of the service is as likely its own', () => {
    const hidden = 'e2 tool_call.completed <- a2:result_of {"result":{"$hole":"h1"}}';
    const saved = 'd2 effect.deduplicated path=/write:pay#0 {"effect":{"id":"p-1"}}';
    expect(beside(hidden).verdict).toBe('not decidable in this copy');
    expect(beside(hidden, saved).undecided).toEqual([]);
  });
});

describe('R23 records of one execution', () => {
  const made = (...effects: readonly string[]) =>
    firstOf(`
      worker/w/1:
        a1 ${ask('pay#0')}
      bank/b/1:
        ${effects.map((effect, n) => `c${String(n)} effect.committed <- a1:result_of {"effect":${effect}}`).join('\n        ')}`).executions.map(
      ({ records }) => ids(records),
    );

  it('without an id are of the first that is told', () => {
    expect(made('{"kind":"pay","id":"p-1"}', '{"kind":"pay","id":"p-2"}', '{"kind":"pay"}')).toEqual([
      ['c0', 'c2'],
      ['c1'],
    ]);
  });

  it('without a kind are of the first kind that is told of their id', () => {
    expect(made('{"kind":"pay","id":"p-1"}', '{"kind":"fee","id":"p-1"}', '{"id":"p-1"}')).toEqual([
      ['c0', 'c2'],
      ['c1'],
    ]);
  });
});

it('R26 a failure with a body is an answer, with or without a status', () => {
  const failed = (body: string) =>
    firstOf(`worker/w/1:\n a1 ${ask('pay#0')}\n x1 tool_call.failed <- a1:result_of ${body}`).attempts.map(hasAnswer);
  expect([failed('{}'), failed('{"http_status":500}'), failed('{"response":{"a":1}}')]).toEqual([
    [false],
    [true],
    [true],
  ]);
});

describe('R19 the end of a process is that of', () => {
  const lives = (drawing: string) =>
    computeLives(drawTrace(drawing).events).all.flatMap(({ key, exited, killed }) =>
      exited === undefined ? [] : [[key, exited.id, killed]],
    );
  const two = (first: string, second: string): string => `
      ${first}:
        w1 worker.started {"pid":1}
      ${second}:
        w2 worker.started {"pid":2}
      harness/h/1:`;

  it('the process whose id is told, and never of the one that writes it', () => {
    const trace = `${two('worker/w/1', 'worker/w/2')}
        gone worker.exited {"pid":2} & {"source":{"component":"harness","instance":"h","incarnation":"1","pid":2}}`;
    expect(lives(trace)).toEqual([['worker|w|2', 'gone', false]]);
  });

  it('no process that had ended before', () => {
    const trace = `${two('worker/w/1', 'worker/w/2')}
        gone1 worker.exited <- w1:caused_by {"pid":1}
        gone2 worker.exited <- gone1:caused_by {"pid":2}`;
    expect(lives(trace)).toEqual([
      ['worker|w|1', 'gone1', false],
      ['worker|w|2', 'gone2', false],
    ]);
  });

  it('the component that is named, where two have lives of one name', () => {
    const named = (component: string) =>
      lives(`${two('worker/w/1', 'planner/w/1')}
        gone worker.exited {"signal":"SIGKILL","worker":{"component":"${component}","incarnation":"1"}}`);
    expect([named('worker'), named('planner')]).toEqual([
      [['worker|w|1', 'gone', true]],
      [['planner|w|1', 'gone', true]],
    ]);
  });

  it('a process that ended by itself, though a kill of it was recorded too', () => {
    const ended = (end: string) =>
      lives(`${two('worker/w/1', 'worker/w/2')}
        kill fault.injected <- w1:caused_by {"class":"kill"}
        gone worker.exited <- kill:caused_by ${end}`);
    expect([ended('{"code":0}'), ended('{"signal":"SIGKILL"}')]).toEqual([
      [['worker|w|1', 'gone', false]],
      [['worker|w|1', 'gone', true]],
    ]);
  });
});
