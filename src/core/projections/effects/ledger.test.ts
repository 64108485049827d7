import { describe, expect, it } from 'vitest';
import type { EventId, HindcastEvent } from '../../model/index.ts';
import { drawTrace } from '../../model/testing/trace.ts';
import { ledgerToRows } from './ledger-rows.ts';
import { type EffectCommand, type EffectLedger, computeLedger } from './ledger.ts';

/** Recorded order: positions in one log, and recorded causes, closed. */
function orderOf(events: readonly HindcastEvent[]): (a: EventId, b: EventId) => boolean {
  const before = new Map<EventId, Set<EventId>>();
  const parents = (event: HindcastEvent): EventId[] => [
    ...(event.causes ?? []).map((cause) => cause.event),
    ...events
      .filter(
        (other) =>
          JSON.stringify(other.source) === JSON.stringify(event.source) && Number(other.seq) < Number(event.seq),
      )
      .map((other) => other.id),
  ];
  for (const event of events) {
    const seen = new Set<EventId>();
    const queue = parents(event);
    for (const id of queue) {
      if (seen.has(id)) continue;
      seen.add(id);
      queue.push(...events.filter((other) => other.id === id).flatMap(parents));
    }
    before.set(event.id, seen);
  }
  return (a, b) => before.get(b)?.has(a) ?? false;
}

function ledgerOf(drawing: string): EffectLedger {
  const { events } = drawTrace(drawing);
  return computeLedger({ events, precedes: orderOf(events) });
}

function only(ledger: EffectLedger): EffectCommand {
  expect(ledger.commands).toHaveLength(1);
  const [command] = ledger.commands;
  if (command === undefined) throw new Error('no command');
  return command;
}

function statuses(command: EffectCommand): (string | undefined)[] {
  return command.attempts.map((attempt) => command.statuses.get(attempt));
}

const ask = 'tool_call.dispatched path=/write:ticket#0 attempt=1';
const data = '{"tool":"create_ticket","effect":"external"}';

describe('R28 requests that were stopped before they ran', () => {
  it.each([
    ['a denial of this call', 'n approval.denied <- a:caused_by {"granted":false}', 'refused before it ran'],
    [
      'a failure that names what refused it',
      'p policy.evaluated {"verdict":"deny"}\n n tool_call.failed path=/write:ticket#0 attempt=1 <- a:result_of,p:authorized_by {"executed":false}',
      'refused before it ran',
    ],
    [
      'a failure marked as refused',
      'n tool_call.failed path=/write:ticket#0 attempt=1 <- a:result_of {"executed":false,"refused":true}',
      'refused before it ran',
    ],
    [
      'an invalid call',
      'n tool_call.failed path=/write:ticket#0 attempt=1 <- a:result_of {"executed":false}',
      'did not run',
    ],
    [
      'a cancellation before sending',
      'n tool_call.cancelled path=/write:ticket#0 attempt=1 <- a:result_of {"sent":false}',
      'never sent',
    ],
    [
      'an answer of the service',
      'n tool_call.failed path=/write:ticket#0 attempt=1 <- a:result_of {"executed":false,"http_status":409}',
      undefined,
    ],
    ['a failure that says nothing', 'n tool_call.failed path=/write:ticket#0 attempt=1 <- a:result_of {}', undefined],
    [
      'a denial and yet a commitment',
      'n approval.denied <- a:caused_by {}\n c effect.committed <- a:result_of {}',
      undefined,
    ],
  ])('%s', (_, lines, stopped) => {
    const command = only(ledgerOf(`worker:\n a ${ask} ${data}\n ${lines}`));
    expect(command.stopped).toBe(stopped);
    if (stopped !== undefined)
      expect([command.verdict, ...statuses(command)]).toEqual(['not executed', 'not executed']);
  });

  it('a command of which one attempt went out is no stopped one', () => {
    const command = only(
      ledgerOf(`worker:
        a ${ask} ${data}
        n tool_call.failed path=/write:ticket#0 attempt=1 <- a:result_of {"executed":false}
        b ${ask.replace('attempt=1', 'attempt=2')} ${data}
        e tool_call.completed path=/write:ticket#0 attempt=2 <- b:result_of {"result":1}`),
    );
    expect([command.stopped, command.verdict, ...statuses(command)]).toEqual([
      undefined,
      'executed once',
      'not executed',
      'executed',
    ]);
  });
});

describe('attempts', () => {
  it('R19 keeps attempt 1 of two lives apart', () => {
    const command = only(
      ledgerOf(`
        worker/w/1:
          a1 ${ask} ${data}
        worker/w/2:
          a2 ${ask} ${data}
        tickets:
          c1 effect.committed <- a1:result_of {"effect":{"kind":"ticket","id":"8421"}}
          c2 effect.committed <- a2:result_of {"effect":{"kind":"ticket","id":"8422"}}
      `),
    );
    expect(command.attempts.map(({ life }) => life?.label)).toEqual(['worker 1', 'worker 2']);
    expect(command.verdict).toBe('executed twice');
    expect(command.recordedTwice).toBe(false);
    expect(command.executions.map(({ effectId }) => effectId)).toEqual(['8421', '8422']);
  });

  it('finds no command in calls that have no outside effect', () => {
    const ledger = ledgerOf(`
      worker:
        r1 tool_call.dispatched path=/read:find#0 attempt=1 {"effect":"none"}
        r2 tool_call.completed path=/read:find#0 attempt=1 <- r1:result_of {"result":1}
        r3 tool_call.dispatched {"tool":"look"}
    `);
    expect(ledger.commands).toEqual([]);
  });

  it('reads the effect class of a foreign call from the declaration of its tool', () => {
    const command = only(
      ledgerOf(`
        d stream.declared {"tools":[{"name":"post","effect":"external"},{"name":"look","effect":"none"}]}
        worker:
          f1 tool_call.dispatched {"tool":"post","call_id":"x1"}
          f2 tool_call.completed {"tool":"post","call_id":"x1","result":"ok"}
          f3 tool_call.dispatched {"tool":"look","call_id":"x2"}
      `),
    );
    expect(command.path).toBe('call:x1');
    expect(command.hasServiceRecords).toBe(false);
    expect(command.verdict).toBe('executed once');
    expect([...(command.attempts[0]?.basis.values() ?? [])]).toEqual(['call id']);
  });
});

describe('R23 executed twice and recorded twice', () => {
  it('one effect id with two records is one execution', () => {
    const command = only(
      ledgerOf(`
        worker:
          a1 ${ask} ${data}
        tickets:
          c1 effect.committed <- a1:result_of {"effect":{"kind":"ticket","id":"8421"}}
          c2 effect.committed <- a1:result_of {"effect":{"kind":"ticket","id":"8421"}}
      `),
    );
    expect([command.verdict, command.recordedTwice]).toEqual(['executed once', true]);
  });

  it('one dispatch with two records is one attempt', () => {
    const command = only(
      ledgerOf(`
        worker:
          a1 ${ask} ${data}
          a1b ${ask} ${data}
        tickets:
          c1 effect.committed <- a1:result_of {"effect":{"kind":"ticket","id":"8421"}}
      `),
    );
    expect(command.attempts).toHaveLength(1);
    expect([command.verdict, command.recordedTwice]).toEqual(['executed once', true]);
  });

  it('a re-emission marked replayed is no attempt', () => {
    const command = only(
      ledgerOf(`
        worker/w/2:
          a2 ${ask} replayed ${data}
          e2 tool_call.completed path=/write:ticket#0 attempt=1 delivered=1 replayed <- a2:result_of {"result":1}
        worker/w/1:
          a1 ${ask} ${data}
          e1 tool_call.completed path=/write:ticket#0 attempt=1 delivered=1 <- a1:result_of {"result":1}
        tickets:
          c1 effect.committed <- a1:result_of {"effect":{"kind":"ticket","id":"8421"}}
      `),
    );
    expect(command.attempts).toHaveLength(1);
    expect(command.attempts[0]?.reemitted.map(({ id }) => id)).toEqual(['a2', 'e2']);
    expect([command.verdict, command.recordedTwice]).toEqual(['executed once', true]);
  });

  it('two commitments under one key with two ids are two executions', () => {
    const command = only(
      ledgerOf(`
        worker:
          a1 ${ask} key=k ${data}
        tickets:
          c1 effect.committed key=k {"effect":{"kind":"ticket","id":"8421"}}
          c2 effect.committed key=k {"effect":{"kind":"ticket","id":"8422"}}
      `),
    );
    expect(command.verdict).toBe('executed twice');
    expect([...(command.attempts[0]?.basis.values() ?? [])]).toEqual(['idempotency key', 'idempotency key']);
  });

  it.each([
    ['another id without a kind, beside one of a kind', ['{"kind":"ticket","id":"1"}', '{"id":"2"}'], 'executed twice'],
    ['two ids without a kind', ['{"id":"1"}', '{"id":"2"}'], 'executed twice'],
    ['the same id with and without its kind', ['{"kind":"ticket","id":"1"}', '{"id":"1"}'], 'executed once'],
    ['neither id nor kind beside what the attempt made', ['{"kind":"ticket","id":"1"}', '{}'], 'executed once'],
    [
      'an id without a kind beside two kinds',
      ['{"kind":"ticket","id":"1"}', '{"kind":"mail","id":"2"}', '{"id":"3"}'],
      'executed once',
    ],
  ])('R23 %s', (_, effects, verdict) => {
    const commits = effects.map((effect, i) => `c${String(i)} effect.committed <- a1:result_of {"effect":${effect}}`);
    const [found] = ledgerOf(`
      worker/w/1:
        a1 tool_call.dispatched path=/write:t#0 attempt=1 {"tool":"t","effect":"external"}
      tickets:
        ${commits.join('\n        ')}
    `).commands;
    expect(found?.verdict).toBe(verdict);
  });

  it('two kinds of things from one request are one execution', () => {
    const command = only(
      ledgerOf(`
        worker:
          a1 ${ask} ${data}
        tickets:
          c1 effect.committed <- a1:result_of {"effect":{"kind":"ticket","id":"1"}}
          c2 effect.committed <- a1:result_of {"effect":{"kind":"mail","id":"2"}}
      `),
    );
    expect(command.verdict).toBe('executed once');
  });

  it('R24 a key of another run joins nothing', () => {
    const ledger = ledgerOf(`
      worker:
        a1 ${ask} key=k run=1 ${data}
      tickets:
        c1 effect.committed key=k run=2 {"effect":{"kind":"ticket","id":"8421"}}
    `);
    expect(ledger.commands.map(({ verdict }) => verdict)).toEqual(['uncertain', 'executed once']);
    expect(ledger.unmatched.map(({ id }) => id)).toEqual(['c1']);
  });
});

describe('R28 not executed is told from uncertain', () => {
  const cases: [string, string, string][] = [
    ['a refused connection', 'f tool_call.failed <- a1:result_of {"executed":false}', 'not executed'],
    [
      'a lost response',
      'f tool_call.failed <- a1:result_of {"error":{"name":"E","message":"socket hang up"}}',
      'uncertain',
    ],
    ['a time-out', 'f tool_call.timed_out <- a1:result_of {}', 'uncertain'],
    ['cancelled before it was sent', 'f tool_call.cancelled <- a1:result_of {"sent":false}', 'not executed'],
    ['cancelled after it was sent', 'f tool_call.cancelled <- a1:result_of {"sent":true}', 'uncertain'],
    ['dropped by the service', 'f effect.dropped <- a1:result_of {}', 'not executed'],
    ['refused by the service', 'f effect.refused <- a1:result_of {"http_status":422}', 'not executed'],
    ['reconciled as executed', 'f effect.reconciled <- a1:result_of {"settled":"executed"}', 'executed once'],
    ['requested, nothing else', 'f effect.requested <- a1:result_of {}', 'uncertain'],
    ['nothing at all', 'f step.started {}', 'uncertain'],
    [
      'an answer that the service knows nothing of',
      'f effect.requested <- a1:result_of {}\n g tool_call.completed <- a1:result_of {"result":1}',
      'missing',
    ],
    ['an answer, no service in the trace', 'g tool_call.completed <- a1:result_of {"result":1}', 'executed once'],
    ['a saved answer', 'f effect.deduplicated <- a1:result_of {"effect":{"kind":"ticket","id":"1"}}', 'executed once'],
  ];
  it.each(cases)('%s', (_, answer, verdict) => {
    const command = only(ledgerOf(`worker:\n a1 ${ask} ${data}\nservice:\n ${answer}`));
    expect(command.verdict).toBe(verdict);
  });

  it('a commitment is told from the attempt that is still open', () => {
    const command = only(
      ledgerOf(`
        worker/w/1:
          a1 ${ask} ${data}
        worker/w/2:
          a2 ${ask} ${data}
        tickets:
          c2 effect.committed <- a2:result_of {"effect":{"kind":"ticket","id":"8422"}}
      `),
    );
    expect([command.verdict, command.ofOneKind.length, command.open.length]).toEqual(['uncertain', 1, 1]);
    expect(statuses(command)).toEqual(['uncertain', 'executed']);
  });

  it('a request made by a replay was sent to nobody', () => {
    const command = only(ledgerOf(`hindcast:\n a1 ${ask} origin=replayed ${data}`));
    expect(command.verdict).toBe('not executed');
  });
});

describe('R29 late answers', () => {
  it('a commitment after the next attempt reached the service is late; the same before it is not', () => {
    const late = (order: string): readonly EventId[] => [
      ...only(
        ledgerOf(`
          worker/w/1:
            a1 ${ask} ${data}
          worker/w/2:
            a2 ${ask} ${data}
          tickets:
            ${order}
        `),
      ).late,
    ];
    const request = 'r2 effect.requested <- a2:result_of {}';
    const commit = 'c1 effect.committed <- a1:result_of {"effect":{"kind":"ticket","id":"8421"}}';
    expect(late(`${request}\n            ${commit}`)).toEqual(['c1']);
    expect(late(`${commit}\n            ${request}`)).toEqual([]);
  });

  it('an answer after its own time-out is late', () => {
    const command = only(
      ledgerOf(`
        worker:
          a1 ${ask} ${data}
          t1 tool_call.timed_out <- a1:result_of {}
          k1 tool_call.acknowledged <- a1:result_of {"result":1}
      `),
    );
    expect([...command.late]).toEqual(['k1']);
  });
});

describe('rows', () => {
  it('say on what each record was joined, R31 and that no service is there to ask', () => {
    const ledger = ledgerOf(`
      worker:
        a1 ${ask} ${data} & {"agent":"planner","principal":{"id":"svc"}}
        e1 tool_call.completed path=/write:ticket#0 attempt=1 delivered=1 {"result":1}
    `);
    const [row] = ledgerToRows(ledger, () => ['f-1']);
    expect(row).toMatchObject({ noServiceRecords: true, agent: 'planner', principal: 'svc', findings: ['f-1'] });
    expect(row?.attempts[0]?.joins).toEqual([{ event: 'e1', basis: 'command and attempt' }]);
  });

  it('R31 take a service for present by records of its own, not because another component declares it', () => {
    const rowWith = (more: string): unknown => {
      const ledger = ledgerOf(`
        harness:
          d stream.declared {"tools":[{"name":"create_ticket","effect":"external","service":"tickets"}],"producers":[{"component":"worker"},{"component":"tickets"}]}
        worker:
          a1 ${ask} ${data}
          e1 tool_call.completed path=/write:ticket#0 attempt=1 delivered=1 {"result":1}
        ${more}
      `);
      return ledgerToRows(ledger, () => [])[0];
    };
    expect(rowWith('')).toMatchObject({ noServiceRecords: true, verdict: 'executed once' });
    expect(rowWith('tickets:\n          s1 custom.started {}')).toMatchObject({
      noServiceRecords: false,
      verdict: 'missing',
    });
    expect(rowWith('tickets:\n          s1 stream.declared {"producers":[{"component":"tickets"}]}')).toMatchObject({
      noServiceRecords: false,
      verdict: 'missing',
    });
  });

  it('R18 does not depend on the order of the lines', () => {
    const drawing = `
      worker/w/1:
        a1 ${ask} key=k ${data}
      worker/w/2:
        a2 ${ask} key=k ${data}
        k2 tool_call.acknowledged path=/write:ticket#0 attempt=1 <- a2:result_of {"result":1}
      tickets:
        q1 effect.requested <- a1:result_of {}
        c1 effect.committed <- q1:caused_by {"effect":{"kind":"ticket","id":"8421"}}
        d2 effect.deduplicated <- a2:result_of {"effect":{"kind":"ticket","id":"8421"}}
    `;
    const { events } = drawTrace(drawing);
    const rows = (list: readonly HindcastEvent[]): unknown =>
      ledgerToRows(computeLedger({ events: list, precedes: orderOf(events) }), () => []).map((row) => ({
        ...row,
        attempts: row.attempts
          .map((attempt) => ({ ...attempt, life: undefined }))
          .sort((a, b) => String(a.dispatched).localeCompare(String(b.dispatched))),
      }));
    const sorted = (list: unknown): string =>
      JSON.stringify(list, (_, value: unknown) =>
        Array.isArray(value)
          ? [...(value as unknown[])].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
          : value,
      );
    expect(sorted(rows(events.toReversed()))).toBe(sorted(rows(events)));
    expect(JSON.stringify(rows(events))).toContain('"verdict":"executed once"');
  });
});
