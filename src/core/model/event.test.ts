import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import { describe, expect, it } from 'vitest';
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

const isInPublished = new Ajv({ meta: false, logger: false, validateSchema: false }).compile({
  ...eventJsonSchema(),
  // Its dialect is a newer one than this validator knows; what is used of it is in both.
  $schema: undefined,
});

function isPublished(record: unknown): boolean {
  return isInPublished(record) === true;
}

function sampleRecords(): readonly Record<string, unknown>[] {
  return ['wrong-observation', 'ticket-incident', 'ticket-with-key'].flatMap((name) =>
    readFileSync(new URL(`../../../public/samples/${name}.hindcast.jsonl`, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  );
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
        const verdicts = [parseEvent(record.value).ok, isPublished(record.value)];
        expect([member, value, ...verdicts]).toEqual([member, value, good.includes(value), good.includes(value)]);
      }
    }
  });

  it('R2 the published schema refuses a known type with a wrong payload, as the reader does', () => {
    const wrong: readonly object[] = [
      { type: 'tool_call.dispatched', data: { tool: 'x', effect: 7 } },
      { type: 'tool_call.dispatched', data: { tool: 7 } },
      { type: 'tool_call.dispatched' },
      { type: 'effect.committed', data: { effect: 'external', tool: 'x' } },
      { type: 'state.transitioned', data: { name: 3 } },
      { type: 'run.started', data: [] },
    ];
    for (const part of wrong) {
      const record = { ...envelope, ...part };
      expect([part, parseEvent(record as never).ok, isPublished(record)]).toEqual([part, false, false]);
    }
    for (const type of knownEventTypes) expect([type, isPublished({ ...envelope, type })]).toEqual([type, false]);
    expect(isPublished({ ...envelope, type: 'constructor', data: { any: 1 } })).toBe(true);
  });

  it('R2 R13 the published schema and the reader agree on recorded runs, as they are and with a payload changed', () => {
    const altered = (record: Record<string, unknown>): unknown[] => {
      const data = Object.entries(record['data'] ?? {});
      return data.flatMap(([name]) =>
        [7, 'text', [[]]].map((value) => ({ ...record, data: { ...Object.fromEntries(data), [name]: value } })),
      );
    };
    for (const record of sampleRecords()) {
      expect([record['id'], isPublished(record)]).toEqual([record['id'], true]);
      for (const other of altered(record)) {
        const isRead = parseEvent(other as never).ok;
        expect({ other, isPublished: isPublished(other) }).toEqual({ other, isPublished: isRead });
      }
    }
  });

  it('R7 R67 says in plain words what is wrong with a record: its producer, run or relation is missing or no such thing', () => {
    const told = (record: object): string => {
      const result = parseEvent(record as never);
      return result.ok ? 'read' : result.error.message;
    };
    const { source, run, ...rest } = envelope;
    const good = { ...envelope, type: 'tool_call.dispatched', data: { tool: 'x' } };
    expect([
      told({ ...rest, run, type: 'run.completed', data: {} }),
      told({ ...rest, source, type: 'run.completed', data: {} }),
      told({ ...good, data: undefined }),
      told({ ...good, run: 'x' }),
      told({ ...good, source: 'worker' }),
      told({ ...good, data: { tool: 7 } }),
      told({ ...good, causes: [{ as: 'consumed' }] }),
    ]).toEqual([
      'Not a valid "run.completed": "source" is missing.',
      'Not a valid "run.completed": "run" is missing.',
      'Not a valid "tool_call.dispatched": "data" is missing.',
      'Not a valid "tool_call.dispatched": "run": a run is 32 lowercase hex digits, not all zero.',
      'Not a valid "tool_call.dispatched": "source" must be an object, not text.',
      'Not a valid "tool_call.dispatched": "data.tool" must be text, not a number.',
      'Not a valid "tool_call.dispatched": "causes.0.event" is missing.',
    ]);
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
