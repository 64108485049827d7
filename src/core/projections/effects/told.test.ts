import { describe, expect, it } from 'vitest';
import { drawTrace } from '../../model/testing/trace.ts';
import { drawView } from '../testing/drawn-view.ts';
import { ledgerToRows } from './ledger-rows.ts';
import { type EffectCommand, computeLedger } from './ledger.ts';
import { openToClauses } from './open-words.ts';
import { viewToLedger } from './view-ledger.ts';
import { verdictToText } from './words.ts';

function commandOf(drawing: string): EffectCommand {
  const ledger = computeLedger({ events: drawTrace(drawing).events, precedes: () => false });
  expect(ledger.commands).toHaveLength(1);
  const [command] = ledger.commands;
  if (command === undefined) throw new Error('no command');
  return command;
}

function ask(attempt: number, key = ''): string {
  return `tool_call.dispatched path=/write:pay#0 attempt=${String(attempt)} ${key} {"tool":"pay","effect":"external"}`;
}

const first = 'c1 effect.committed <- a1:result_of {"effect":{"kind":"payment","id":"P-101"}}';

/** Two requests of one process, of which the first was executed; `lines` tell of the second. */
function second(lines: string, key = ''): EffectCommand {
  return commandOf(`worker/w/1:\n a1 ${ask(1, key)}\n a2 ${ask(2, key)}\nbank/b/1:\n ${first}\n${lines}`);
}

const answered = 'caller/w/1:\n k2 tool_call.acknowledged <- a2:result_of';

describe('R28 beside one commitment, another request leaves open how often the command was executed', () => {
  it.each([
    ['of which nothing is recorded', '', 1, []],
    ['that the service received', ' q2 effect.requested <- a2:result_of {}', 1, []],
    ['that timed out', 'caller/w/1:\n t2 tool_call.timed_out <- a2:result_of {}', 1, []],
    ['that was answered without an id', `${answered} {"http_status":201}`, 1, []],
    [
      'that was answered with another id',
      `${answered} {"http_status":201,"response":{"payment":"P-102"}}`,
      1,
      ['P-102'],
    ],
    [
      'that was completed with another id',
      'caller/w/1:\n e2 tool_call.completed <- a2:result_of {"result":"P-102"}',
      1,
      ['P-102'],
    ],
    ['that was answered with a named effect', `${answered} {"effect_id":"x"}`, 1, ['x']],
    ['that its caller tells as executed', 'caller/w/1:\n f2 tool_call.failed <- a2:result_of {"executed":true}', 1, []],
    [
      'whose saved answer is of another effect',
      ' d2 effect.deduplicated <- a2:result_of {"effect":{"kind":"payment","id":"P-102"}}',
      0,
      ['P-102'],
    ],
  ])('a request %s', (_, lines, open, told) => {
    const command = second(lines);
    expect(command.verdict).toBe('uncertain');
    expect(command.open).toHaveLength(open);
    expect(command.told.map(({ id }) => id)).toEqual(told);
    const [row] = ledgerToRows(
      { ...computeLedger({ events: [], precedes: () => false }), commands: [command] },
      () => [],
    );
    expect(row === undefined ? '' : verdictToText(row)).toBe('executed at least once; how often is uncertain');
  });

  it.each([
    ['deduplicated', ' d2 effect.deduplicated <- a2:result_of {"effect":{"kind":"payment","id":"P-101"}}'],
    ['refused by the service', ' d2 effect.refused <- a2:result_of {"http_status":409}'],
    ['dropped by the service', ' d2 effect.dropped <- a2:result_of {}'],
    ['settled as not executed', ' d2 effect.reconciled <- a2:result_of {"settled":"not executed"}'],
    [
      'settled as the effect that is known',
      ' d2 effect.reconciled <- a2:result_of {"settled":"executed","effect":{"id":"P-101"}}',
    ],
    ['known not executed', 'caller/w/1:\n f2 tool_call.failed <- a2:result_of {"executed":false}'],
    ['never sent', 'caller/w/1:\n f2 tool_call.cancelled <- a2:result_of {"sent":false}'],
    ['answered with the effect that is known', `${answered} {"http_status":200,"response":{"payment":"P-101"}}`],
    [
      'told as deduplicated, of no attempt',
      ' d2 effect.deduplicated key=k {"effect":{"kind":"payment","id":"P-101"}}',
      'key=k',
    ],
  ])('a request %s is none', (_, lines, key = '') => {
    const command = second(lines, key);
    expect([command.verdict, command.open, command.told]).toEqual(['executed once', [], []]);
  });

  it('a request that a replay simulated is none', () => {
    const command = commandOf(
      `worker/w/1:\n a1 ${ask(1)}\n a2 ${ask(2)} & {"origin":"replayed"}\nbank/b/1:\n ${first}`,
    );
    expect(command.verdict).toBe('executed once');
  });

  it('a request of which only the answer is recorded is one', () => {
    const line =
      'k2 tool_call.acknowledged path=/write:pay#0 attempt=2 {"http_status":201,"response":{"payment":"P-102"}}';
    const command = commandOf(`worker/w/1:\n a1 ${ask(1)}\n ${line}\nbank/b/1:\n ${first}`);
    expect([command.verdict, command.told.map(({ id }) => id)]).toEqual(['uncertain', ['P-102']]);
  });

  it('R23 two executions stay two, and a third request is told beside them', () => {
    const command = commandOf(
      `worker/w/1:\n a1 ${ask(1)}\n a2 ${ask(2)}\n a3 ${ask(3)}\nbank/b/1:\n ${first}\n c2 effect.committed <- a2:result_of {"effect":{"kind":"payment","id":"P-102"}}`,
    );
    expect([command.verdict, command.open.length]).toEqual(['executed twice', 1]);
  });
});

describe('R100 an effect that a caller was told of is held against the commitments', () => {
  it('of the request itself', () => {
    const command = commandOf(
      `worker/w/1:\n a1 ${ask(1)}\n k1 tool_call.acknowledged <- a1:result_of {"response":{"payment":"P-102"}}\nbank/b/1:\n ${first}`,
    );
    expect([command.verdict, openToClauses(command)]).toEqual([
      'uncertain',
      ['a caller was told of P-102, of which no commitment is recorded'],
    ]);
  });

  it.each([
    ['other numbers and words beside its id', '{"response":{"payment":"P-101","queue":"Q-7","amount":4200}}'],
    ['nothing that is written like an id', '{"response":{"amount":4200,"state":"ok"}}'],
  ])('an answer with %s tells of no other', (_, answer) => {
    const command = commandOf(
      `worker/w/1:\n a1 ${ask(1)}\n k1 tool_call.acknowledged <- a1:result_of ${answer}\nbank/b/1:\n ${first}`,
    );
    expect(command.verdict).toBe('executed once');
  });

  it('an execution without an id may be the one that is told', () => {
    const command = commandOf(
      `worker/w/1:\n a1 ${ask(1)}\n k1 tool_call.acknowledged <- a1:result_of {"effect_id":"P-101"}\nbank/b/1:\n c1 effect.committed <- a1:result_of {"kind":"payment"}`,
    );
    expect(command.verdict).toBe('executed once');
  });
});

describe('R28 the clauses name the request that is open', () => {
  const clausesOf = (drawing: string): string => openToClauses(commandOf(drawing)).join('; ');

  it('by its process, by its number, by how many they are, or by none', () => {
    const alone = `bank/b/1:\n ${first}`;
    expect(clausesOf(`worker/w/1:\n a1 ${ask(1)}\nother/w/1:\n a2 ${ask(1)}\n${alone}`)).toBe(
      'whether the request of other was executed too is uncertain',
    );
    expect(clausesOf(`worker/w/1:\n a1 ${ask(1)}\n a2 ${ask(2)}\n${alone}`)).toBe(
      'whether attempt 2 was executed too is uncertain',
    );
    expect(clausesOf(`worker/w/1:\n a1 ${ask(1)}\n a2 ${ask(2)}\n a3 ${ask(3)}\n${alone}`)).toBe(
      'whether 2 more requests of it were executed too is uncertain',
    );
    expect(
      clausesOf(
        `worker/w/1:\n a1 ${ask(1, 'key=k')}\n a2 ${ask(2, 'key=k')}\nbank/b/1:\n c1 effect.committed key=k {"effect":{"id":"P-101"}}`,
      ),
    ).toBe('for which of its requests, and whether another was executed too, is uncertain');
  });
});

describe('R28 R100 an answer that is stored apart from its record', () => {
  const digest = `sha256:${'ab'.repeat(32)}`;

  it.each([
    ['the known effect', 'P-101', 'executed once', []],
    ['another one', 'P-102', 'uncertain', ['P-102']],
  ])('tells of %s as one in its record does', (_, id, verdict, told) => {
    const view = drawView(`
      worker/w/1:
        a1 ${ask(1)}
        a2 ${ask(2)}
        k2 tool_call.acknowledged <- a2:result_of {"response":{"$ref":"${digest}","bytes":2000}}
        s1 content.stored {"digest":"${digest}","mediaType":"application/json","text":${JSON.stringify(JSON.stringify({ payment: id }))}}
      bank/b/1:
        ${first}`);
    const [command] = viewToLedger(view).commands;
    expect(command?.verdict).toBe(verdict);
    expect(command?.told.map((one) => one.id)).toEqual(told);
  });
});
