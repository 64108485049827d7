/** What answers, and what a service told without saying of which request, establish of a command. */
import { describe, expect, it } from 'vitest';
import { drawTrace } from '../../model/testing/trace.ts';
import { type EffectCommand, computeLedger } from './ledger.ts';
import { hasAnswer } from './verdict.ts';

function commandOf(drawing: string): EffectCommand {
  const { commands } = computeLedger({ events: drawTrace(drawing).events, precedes: () => false });
  const [command] = commands;
  if (command === undefined || commands.length > 1) throw new Error('one command');
  return command;
}

function ask(attempt: number, key = ''): string {
  return `tool_call.dispatched path=/write:pay#0 attempt=${String(attempt)} ${key} {"tool":"pay","effect":"external"}`;
}

describe('R28 R100 an answer that no record of the service confirms', () => {
  const two = `
    worker/w/1:
      a1 ${ask(1, 'key=k')}
      a2 ${ask(2, 'key=k')}
      k1 tool_call.acknowledged <- a1:result_of {"http_status":201}
    bank/b/1:
      q1 effect.requested <- a1:result_of {}`;

  it('is of a missing effect where the service is there and tells nothing of it', () => {
    expect(commandOf(two).verdict).toBe('missing');
  });

  it.each([
    ['dropped', 'effect.dropped key=k {}'],
    ['refused', 'effect.refused key=k {"http_status":409}'],
    ['reconciled', 'effect.reconciled key=k {"settled":"not executed"}'],
  ])('is uncertain where it told of one that was %s, and not of which request', (_, told) => {
    const command = commandOf(`${two}\n      o1 ${told}`);
    expect(command.attempts.filter(({ isUnassigned }) => isUnassigned === true)).toHaveLength(1);
    expect(command.verdict).toBe('uncertain');
  });
});

describe('R28 a request that its caller cancelled', () => {
  it.each([
    ['{"sent":false}', 'not executed'],
    ['{"sent":true}', 'uncertain'],
    ['{}', 'uncertain'],
  ])('%s, and was told of again by a runtime that recovered', (cancelled, verdict) => {
    const command = commandOf(`
      worker/w/1:
        a1 ${ask(1)}
        x1 tool_call.cancelled <- a1:result_of ${cancelled}
      worker/w/2:
        a2 ${ask(1).replace(' path', ' replayed path')}`);
    expect([command.attempts.map(({ reemitted }) => reemitted.length), command.verdict]).toEqual([[1], verdict]);
  });
});

describe('R100 R37 a value that a person supplied is no answer of the service', () => {
  it.each([
    ['tool_call.completed', '', true, 'executed once'],
    ['tool_call.completed', 'origin=supplied', false, 'uncertain'],
    ['tool_call.completed', 'origin=reconciled', true, 'executed once'],
    ['tool_call.acknowledged', 'origin=supplied', false, 'uncertain'],
  ])('%s %s', (type, origin, answers, verdict) => {
    const command = commandOf(`worker/w/1:\n a1 ${ask(1)}\n e1 ${type} ${origin} <- a1:result_of {"result":1}`);
    expect(command.attempts.map(hasAnswer)).toEqual([answers]);
    expect(command.verdict).toBe(verdict);
  });

  it('nor is it one that an effect is missing for', () => {
    const answered = (origin: string) =>
      commandOf(
        `worker/w/1:\n a1 ${ask(1)}\n e1 tool_call.completed ${origin} <- a1:result_of {"result":1}\nbank/b/1:\n q1 effect.requested <- a1:result_of {}`,
      ).verdict;
    expect([answered(''), answered('origin=supplied')]).toEqual(['missing', 'uncertain']);
  });
});

describe('R23 one request, recorded more than once', () => {
  it.each([
    ['one acknowledgement', ['tool_call.acknowledged {"http_status":200}'], false],
    [
      'two acknowledgements',
      ['tool_call.acknowledged {"http_status":200}', 'tool_call.acknowledged {"http_status":200}'],
      true,
    ],
    ['two completions', ['tool_call.completed {"result":1}', 'tool_call.completed {"result":1}'], true],
    ['one of each', ['tool_call.acknowledged {"http_status":200}', 'tool_call.completed {"result":1}'], false],
  ])('%s', (_, answers, isTwice) => {
    const lines = answers.map((answer, n) => ` k${String(n)} ${answer.replace(' ', ' <- a1:result_of ')}`);
    const command = commandOf(`worker/w/1:\n a1 ${ask(1)}\n${lines.join('\n')}`);
    expect([command.recordedTwice, command.verdict]).toEqual([isTwice, 'executed once']);
  });
});
