import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { parseEvent } from './event.ts';
import { carriesEvent, otlpAttributeNames, otlpAttributesToRecord, recordToOtlpAttributes } from './otlp-attributes.ts';

const carrier = {
  id: 'span/0',
  run: '000000000000000000000000000000aa',
  span: '00000000000000bb',
  time: '2026-01-02T03:04:05Z',
  component: 'worker',
  instance: 'w1',
};

function parse(text: string): JsonObject {
  const parsed = parseLossless(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error(text);
  return parsed.value;
}

describe('events as OTLP attributes', () => {
  it('R13 carries every field, known and unknown, large numbers and prototype keys, and adds none', () => {
    const record = parse(
      '{"v":1,"id":"e","type":"quantum.flipped","run":"000000000000000000000000000000aa","branch":"main","seq":7,"source":{"component":"w"},"causes":[{"event":"d","as":"consumed","grade":"inferred","rule":"r"}],"data":{"big":12345678901234567890,"twice":1,"twice":2,"__proto__":1},"later":[1],"__proto__":{"x":1}}',
    );
    const attributes = Object.fromEntries(recordToOtlpAttributes(record));
    expect(carriesEvent(attributes)).toBe(true);
    const back = otlpAttributesToRecord({ ...attributes, 'hindcast.event.exact': true, 'gen_ai.system': 'x' }, carrier);
    expect(back.ok ? back.value : back.error).toEqual(record);
  });

  it('R62 R63 has an entry for each in the table that writers read', () => {
    const texts = ['id', 'type', 'run', 'span', 'session', 'step', 'branch', 'time', 'clock', 'mono', 'agent'];
    const others = ['supersedes', 'replay', 'origin', 'v', 'seq', 'source', 'principal', 'causes', 'durable'];
    const fields = [...texts, ...others, 'replayed', 'command', 'data', 'imported'];
    const record = Object.fromEntries(fields.map((field) => [field, field]));
    const written = [...recordToOtlpAttributes(record).keys()];
    expect(written).toHaveLength(fields.length);
    const table = readFileSync(join(import.meta.dirname, '../export/README.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `hindcast.'))
      .map((line) => line.split('|'));
    const listed = table.flatMap(([, names = '', meaning = '']) =>
      meaning.trim() === ''
        ? []
        : [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/^\./, 'hindcast.event.')),
    );
    expect(listed.toSorted()).toEqual([...new Set([...written, ...Object.values(otlpAttributeNames)])].toSorted());
  });

  it('takes what a writer leaves out from what carries it, and values in their OTLP form', () => {
    const attributes = {
      'hindcast.event.type': 'tool_call.dispatched',
      'hindcast.event.seq': 3,
      'hindcast.event.data': { tool: 'mail' },
      'hindcast.event.causes': '["d"]',
    };
    const record = otlpAttributesToRecord(attributes, carrier);
    const event = record.ok ? parseEvent(record.value) : record;
    expect(event.ok ? event.value : event.error).toEqual({
      v: 1,
      id: 'span/0',
      branch: 'main',
      source: { component: 'worker', instance: 'w1' },
      run: carrier.run,
      span: carrier.span,
      time: carrier.time,
      type: 'tool_call.dispatched',
      seq: 3,
      causes: [{ event: 'd', as: 'caused_by' }],
      data: { tool: 'mail' },
    });
  });

  it('says which attribute is not what it should be', () => {
    expect(
      otlpAttributesToRecord({ 'hindcast.event.type': 'x', 'hindcast.event.data': '{"a"' }, carrier),
    ).toMatchObject({
      error: expect.stringMatching(/^The attribute hindcast\.event\.data is not JSON text/) as string,
    });
    expect(otlpAttributesToRecord({ 'hindcast.event.extra': '[1]' }, carrier)).toMatchObject({ ok: false });
    expect(carriesEvent({ 'gen_ai.system': 'x' })).toBe(false);
  });
});
