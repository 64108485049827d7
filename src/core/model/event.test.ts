import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, eventJsonSchema, eventToLine, knownEventTypes, parseEvent } from './index.ts';

const envelope = {
  v: 1,
  id: 'w:1',
  run: '0af7651916cd43dd8448eb211c80319c',
  branch: 'main',
  source: { component: 'worker' },
};

function parsed(record: object): HindcastEvent {
  const result = parseEvent(JSON.parse(JSON.stringify(record)) as never);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe('event union', () => {
  it('R1 R2 narrows the payload by type', () => {
    const event = parsed({
      ...envelope,
      type: 'tool_call.dispatched',
      data: { tool: 'create_ticket', effect: 'external' },
    });
    expect(event.type === 'tool_call.dispatched' ? event.data.effect : undefined).toBe('external');
  });

  it('R2 a payload valid for one type fails for another', () => {
    const data = { effect: { kind: 'ticket', id: '8421' } };
    expect(parseEvent({ ...envelope, type: 'effect.committed', data }).ok).toBe(true);
    const wrong = parseEvent({ ...envelope, type: 'tool_call.dispatched', data });
    expect(wrong.ok ? '' : wrong.error.message).toContain('"data.effect"');
  });

  it('R13 keeps unknown types and unknown fields', () => {
    const record = { ...envelope, type: 'quantum.flipped', data: { a: 1 }, later: { b: [2] } };
    expect(JSON.parse(eventToLine(parsed(record)))).toEqual(record);
  });

  it('R14 refuses runs and spans that are not W3C identifiers', () => {
    for (const run of ['0AF7651916CD43DD8448EB211C80319C', '0af7', '0'.repeat(32)]) {
      expect(parseEvent({ ...envelope, run, type: 'step.started', data: {} }).ok).toBe(false);
    }
    for (const span of ['00F067AA0BA902B7', '00f067', '0'.repeat(16)]) {
      expect(parseEvent({ ...envelope, span, type: 'step.started', data: {} }).ok).toBe(false);
    }
    expect(parseEvent({ ...envelope, span: '00f067aa0ba902b7', type: 'step.started', data: {} }).ok).toBe(true);
  });

  it('R13 the published schema takes and refuses the identities that the reader does', () => {
    const branches = z.object({ anyOf: z.array(z.unknown()) }).parse(eventJsonSchema()).anyOf;
    // Cast: a part of the schema as it is made. The last is that of types nobody knows yet.
    const published = z.fromJSONSchema(branches.at(-1) as Parameters<typeof z.fromJSONSchema>[0]);
    const [hex, digest] = ['0af7651916cd43dd8448eb211c80319c', `sha256:${'a'.repeat(64)}`];
    const known = { v: 1, id: 'e', type: 'x', run: hex, branch: 'main', source: { component: 'c' } };
    const members: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
      ['id', ['1'], [1, '', {}]],
      ['run', [hex], [hex.toUpperCase(), `${hex}0`, '0'.repeat(32), 7]],
      ['span', [hex.slice(16)], [hex, '0'.repeat(16)]],
      ['branch', ['b'], ['', 7]],
      ['causes', [[{ event: 'a', as: 'consumed' }]], [[{ event: 7, as: 'consumed' }]]],
      ['command', [{ path: '/a', kind: 'model', args: digest }], [{ path: '', kind: 'model' }]],
      ['data', [{}], [[], 'text', 7]],
    ];
    for (const [member, good, bad] of members) {
      for (const value of [...good, ...bad]) {
        const record = parseLossless(JSON.stringify({ ...known, [member]: value }));
        if (!record.ok) throw new Error(record.error.message);
        const verdicts = [parseEvent(record.value).ok, published.safeParse(record.value).success];
        expect([member, value, ...verdicts]).toEqual([member, value, good.includes(value), good.includes(value)]);
      }
    }
  });

  it('reads a bare cause as a recorded caused_by', () => {
    expect(parsed({ ...envelope, type: 'step.started', data: {}, causes: ['w:0'] }).causes).toEqual([
      { event: 'w:0', as: 'caused_by' },
    ]);
  });

  it('says which member a record has twice', () => {
    const record = parseLossless('{"v":1,"id":"w:1","type":"step.started","id":"w:2","data":{}}');
    const result = record.ok ? parseEvent(record.value) : record;
    expect(result.ok ? '' : result.error.message).toBe(
      'The record has the member "id" twice, so it cannot be told which one is meant.',
    );
  });

  it('says in a sentence what a record from a newer version needs', () => {
    const result = parseEvent({ ...envelope, v: 2, type: 'step.started', data: {} });
    expect(result.ok ? '' : result.error.code).toBe('future-version');
  });

  it('R3 has the recovery types', () => {
    for (const type of [
      'run.started',
      'fault.injected',
      'worker.started',
      'recovery.replay_completed',
      'invariant.checked',
      'effect.committed',
      'duplicate.detected',
      'model_call.completed',
    ]) {
      expect(knownEventTypes).toContain(type);
    }
  });
});
