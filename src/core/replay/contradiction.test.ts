/** Records whose values are not what their digests say: told, and never called identical; true records and their copies say nothing. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, digest, eventToMismatches, parseEvent } from '../model/index.ts';
import { closedPolicy, openClasses, redact, valueClasses } from '../redaction/index.ts';
import { dataOf } from './contents.ts';
import { record } from './testing/record.ts';
import { alter, at, divergences, replay } from './testing/replay-case.ts';

const folder = join(import.meta.dirname, '../../../public/samples');
const samples = readdirSync(folder)
  .filter((name) => name.endsWith('.hindcast.jsonl'))
  .map((name) => [name, linesToEvents(readFileSync(join(folder, name), 'utf8').trim().split('\n'))] as const);

function linesToEvents(lines: readonly string[]): readonly HindcastEvent[] {
  return lines.map((line) => {
    const value = parseLossless(line);
    const event = value.ok ? parseEvent(value.value) : undefined;
    if (event?.ok !== true) throw new Error(`not an event: ${line.slice(0, 80)}`);
    return event.value;
  });
}

function mismatchesOf(events: readonly HindcastEvent[]): readonly string[] {
  const isCopy = events.some(({ type }) => type === 'share.declared');
  return events.flatMap((event) => eventToMismatches(event, isCopy).map((one) => `${event.id} ${one.value}`));
}

/** The first text or number of a value is another one. */
function altered(value: JsonValue): JsonValue {
  if (typeof value === 'string') return `${value}!`;
  if (typeof value === 'number') return value + 1;
  if (isJsonArray(value) && value[0] !== undefined) return [altered(value[0]), ...value.slice(1)];
  const [key, member] = isJsonObject(value) ? (Object.entries(value)[0] ?? []) : [];
  return isJsonObject(value) && key !== undefined && member !== undefined
    ? { ...value, [key]: altered(member) }
    : { forged: true };
}

describe('R35 a value and the digest beside it', () => {
  it.each(samples)('agree in every event of %s and of its copies, and any other value is told', (name, events) => {
    expect(mismatchesOf(events)).toEqual([]);
    const open = openClasses(
      closedPolicy,
      valueClasses.map(({ id }) => id),
    );
    const policies = [closedPolicy, open, { ...open, detectors: false }, openClasses(closedPolicy, ['states'])];
    for (const policy of name.startsWith('w') ? policies : [open]) {
      const copy = redact({ events, policy, secret: 'a'.repeat(32) });
      expect(mismatchesOf(linesToEvents(copy.lines))).toEqual([]);
    }
    let told = 0;
    for (const event of events) {
      const data = dataOf(event);
      const fields = event.command?.args === undefined ? [] : ['args'];
      // A policy has the digest of its text, which is not beside it.
      if (data['digest'] !== undefined && event.type !== 'policy.evaluated')
        fields.push('value', 'result', 'error', 'carried', 'states');
      for (const field of fields) {
        const value = data[field];
        if (value === undefined || (field === 'result' && event.type !== 'run.completed')) continue;
        told++;
        const other = alter(event, { data: { ...data, [field]: altered(value) } });
        expect([event.id, field, eventToMismatches(other, false).length > 0]).toEqual([event.id, field, true]);
      }
    }
    expect(told).toBeGreaterThan(5);
  });

  it('says nothing of holes, of what is absent, and of small parts that are stored apart', () => {
    const [, event] = samples[0] ?? [];
    const asked = event?.find(({ type }) => type === 'tool_call.dispatched');
    if (asked === undefined) throw new Error('no call');
    const other = (args: JsonValue | undefined): number =>
      eventToMismatches(alter(asked, { data: args === undefined ? {} : { args } }), false).length;
    const $ref = digest('x');
    expect([other({ a: { $hole: 'h1' } }), other(undefined), other({ a: { $ref, bytes: 3 } })]).toEqual([0, 0, 0]);
    expect([other({ a: 1 }), other({ a: { $ref, bytes: 3000 } })]).toEqual([1, 1]);
  });
});

describe('V7 R35 a replay of a record that contradicts itself', () => {
  const program = `async function main(ctx, input) {
    const plan = await ctx.model('plan', { q: input.q });
    const way = ctx.decide('way', plan.way, { alternatives: ['a', 'b'] });
    await ctx.write('order', { part: 'valve', way });
    await ctx.state('case', { way });
    return { way };
  }`;
  let events: readonly HindcastEvent[];

  beforeAll(async () => {
    events = await record(program, {
      input: { q: 1 },
      handlers: { model: () => ({ ok: { way: 'a' } }), write: () => ({ ok: 1 }) },
    });
  });

  it('is identical while nothing is altered', async () => {
    expect((await replay(events)).result).toBe('identical');
  });

  it.each<[string, string, Readonly<Record<string, JsonValue>>, string]>([
    ['the arguments of a call', 'model_call.requested', { args: { q: 2 } }, 'its data.args is not what the digest in'],
    ['the arguments of an effect', 'tool_call.dispatched', { args: { part: 'x', way: 'a' } }, 'command.args says'],
    ['the value of a state', 'state.transitioned', { value: { way: 'b' } }, 'its data.value is not'],
    ['the result of the run', 'run.completed', { result: { way: 'b' } }, 'its data.result is not'],
    ['the answer of a decision', 'decision.made', { result: 'b' }, 'its data.result is not the data.args.chosen'],
  ])('names the record where %s was altered, and blames no program', async (_, type, fields, message) => {
    const event = at(events, type);
    const forged = alter(event, { data: { ...dataOf(event), ...fields } });
    const report = await replay(events.map((one) => (one === event ? forged : one)));
    expect([report.result, divergences(report).length, report.cause]).toEqual(['diverged', 1, undefined]);
    expect(report.sentence).toContain(`The record contradicts itself at "${event.id}"`);
    expect(report.sentence).toContain(message);
  });

  it('tells of a digest that is none', async () => {
    const event = at(events, 'tool_call.dispatched');
    const { command } = event;
    const forged = alter(event, {
      command: {
        path: command?.path ?? '',
        kind: 'write',
        name: 'order',
        args: 'FORGED',
        issued: command?.issued ?? 0,
      },
    });
    const report = await replay(events.map((one) => (one === event ? forged : one)));
    expect([report.result, report.sentence.includes('its command.args is no digest')]).toEqual(['diverged', true]);
  });
});
