import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { sha256Hex } from '../base/hash.ts';
import { knownEventTypes, parseEvent } from '../model/index.ts';
import { closedPolicy, openClasses, parsePolicy, redact } from './index.ts';
import { createCanaries, envelope, everyType, parsed } from './testing/canaries.ts';

const secret = 'a'.repeat(32);

describe('closed default', () => {
  it('R73 R75 no canary from any field of any event type is in the copy', () => {
    const canaries = createCanaries();
    const copy = redact({ events: everyType(canaries), policy: closedPolicy, secret });
    const text = copy.lines.join('\n');
    expect(canaries.planted.length).toBeGreaterThan(knownEventTypes.length * 30);
    expect(canaries.planted.filter((canary) => text.includes(canary))).toEqual([]);
    expect(text).not.toContain('2031');
  });

  it('R75 no digest of an original value or identifier is in the copy', () => {
    const canaries = createCanaries();
    const copy = redact({ events: everyType(canaries), policy: closedPolicy, secret });
    const text = copy.lines.join('\n');
    for (const canary of canaries.planted) expect(text).not.toContain(sha256Hex(canary));
    for (const canary of canaries.planted) expect(text).not.toContain(sha256Hex(JSON.stringify(canary)));
  });

  it('every line of the copy is a valid event', () => {
    const copy = redact({ events: everyType(createCanaries()), policy: closedPolicy, secret });
    const failures = copy.lines
      .map((line) => parseEvent(JSON.parse(line) as JsonValue))
      .flatMap((result) => (result.ok ? [] : [result.error.message]));
    expect(failures).toEqual([]);
  });

  it('every withheld value is a hole in its place or a counted note', () => {
    const event = parsed({
      ...envelope(createCanaries()),
      type: 'tool_call.dispatched',
      data: { tool: 't', args: { title: 'secret' }, effect: 'external' },
    });
    const copy = redact({ events: [event], policy: closedPolicy, secret });
    const line = JSON.parse(copy.lines[1] ?? '') as { data: { args: JsonObject; effect: string } };
    expect(line.data.effect).toBe('external');
    const hole = copy.holes.find(({ id }) => id === line.data.args['$hole']);
    expect(hole).toMatchObject({ pointer: '/data/args', class: 'arguments', size: '64 B' });
  });

  it.each(['deny', 'allow', 'granted'])(
    'R75 the verdict "%s" of a policy is withheld, known word or not',
    (verdict) => {
      const event = parsed({
        ...envelope(createCanaries()),
        type: 'policy.evaluated',
        data: { policy: 'refund-limit', verdict },
      });
      const copy = redact({ events: [event], policy: closedPolicy, secret });
      const line = JSON.parse(copy.lines[1] ?? '') as { data: { verdict: JsonObject } };
      expect(copy.holes.find(({ id }) => id === line.data.verdict['$hole'])).toMatchObject({
        pointer: '/data/verdict',
        class: 'governance',
      });
      const kept = redact({ events: [event], policy: openClasses(closedPolicy, ['governance']), secret });
      expect(JSON.parse(kept.lines[1] ?? '')).toMatchObject({ data: { verdict } });
    },
  );
});

describe('the digest of a program', () => {
  const started = (source: string) =>
    parsed({
      ...envelope(createCanaries()),
      type: 'run.started',
      data: { program: { name: 'desk', language: 'js', source, digest: `sha256:${sha256Hex(source)}` } },
    });
  const programOf = (source: string) => {
    const copy = redact({ events: [started(source)], policy: openClasses(closedPolicy, ['program']), secret });
    return (JSON.parse(copy.lines[1] ?? '') as { data: { program: Record<string, unknown> } }).data.program;
  };

  it('R75 stays with a whole text, and leaves with the smallest part of it that is masked', () => {
    const plain = 'async function main(ctx) { return 1; }';
    expect(programOf(plain)).toMatchObject({ source: plain, digest: `sha256:${sha256Hex(plain)}` });
    const masked = `${plain} // ask ada.park@example.org`;
    const program = programOf(masked);
    expect(program['source']).not.toBe(masked);
    expect(JSON.stringify(program)).not.toContain(sha256Hex(masked));
    expect(program['digest']).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

describe('joins', () => {
  it('R73 equal identifiers stay equal and different ones stay different', () => {
    const base = envelope(createCanaries());
    const events = ['a', 'b', 'a'].map((key, n) =>
      parsed({
        ...base,
        id: `e-${String(n)}`,
        type: 'effect.committed',
        causes: n === 0 ? [] : [`e-${String(n - 1)}`],
        data: { idempotency_key: key, effect: { id: `8${key}` } },
      }),
    );
    const lines = redact({ events, policy: closedPolicy, secret })
      .lines.slice(1)
      .map(
        (line) =>
          JSON.parse(line) as {
            id: string;
            causes: { event: string }[];
            data: { idempotency_key: string; effect: { id: string } };
          },
      );
    const [first, second, third] = lines.map((line) => line.data);
    expect(first).toEqual(third);
    expect(first?.idempotency_key).not.toBe(second?.idempotency_key);
    expect(lines[1]?.causes[0]?.event).toBe(lines[0]?.id);
  });

  it('two copies of one trace share no pseudonym', () => {
    const events = everyType(createCanaries());
    const [one, two] = ['1', '2'].map(
      (n): readonly string[] =>
        redact({ events, policy: closedPolicy, secret: n.repeat(32) })
          .lines.join('\n')
          .match(/"(?!human-input)[a-z]+-[b-z2-9]{4,}"/g) ?? [],
    );
    expect(one?.length).toBeGreaterThan(50);
    expect(one?.filter((label) => two?.includes(label))).toEqual([]);
  });

  it('records of one id are told apart by their place, and each is counted', () => {
    const base = envelope(createCanaries());
    const events = ['a', 'a', 'a'].map((id) => parsed({ ...base, id, type: 'step.started', causes: [], data: {} }));
    const copy = redact({ events, include: new Set([0, 2]), policy: closedPolicy, secret });
    expect([copy.events, copy.omitted, copy.lines.length]).toEqual([2, 1, 4]);
  });

  it('what stays behind is one counted anchor', () => {
    const base = envelope(createCanaries());
    const events = ['a', 'b', 'c'].map((id, n, ids) =>
      parsed({ ...base, id, type: 'step.started', causes: n === 0 ? [] : [ids[n - 1] ?? ''], data: {} }),
    );
    const copy = redact({ events, include: new Set([2]), policy: closedPolicy, secret });
    const [, anchor, kept] = copy.lines.map(
      (line) => JSON.parse(line) as { id: string; type: string; causes: { event: string }[]; data: JsonObject },
    );
    expect(anchor).toMatchObject({ type: 'share.omitted', data: { events: 2 } });
    expect(kept?.causes[0]?.event).toBe(anchor?.id);
  });
});

describe('opened classes', () => {
  it('detected secrets become holes with the rest as the statement of the owner', () => {
    const event = parsed({
      ...envelope(createCanaries()),
      type: 'tool_call.completed',
      data: { result: { note: 'write to ann@example.org please', n: 3 } },
    });
    const copy = redact({ events: [event], policy: openClasses(closedPolicy, ['results']), secret });
    const line = JSON.parse(copy.lines[1] ?? '') as { data: { result: { note: JsonObject; n: number } } };
    expect(line.data.result.n).toBe(3);
    const hole = copy.holes.find(({ id }) => id === line.data.result.note['$hole']);
    expect(hole?.masked).toBe('write to [e-mail address withheld] please');
    expect(copy.lines.join('')).not.toContain('ann@example.org');
  });
});

describe('policy files', () => {
  it('leaves classes closed that the file does not name', () => {
    const result = parsePolicy({ v: 1, name: 'mine', classes: { results: 'keep' }, times: 'keep', detectors: true });
    expect(result.ok && result.value.classes.results).toBe('keep');
    expect(result.ok && result.value.classes.messages).toBe('withhold');
  });

  it('refuses classes and actions that do not exist, by name', () => {
    const unknown = parsePolicy({ v: 1, name: 'm', classes: { nonsense: 'keep' }, times: 'keep', detectors: true });
    expect(unknown.ok ? '' : unknown.error).toContain('"nonsense"');
    const wrong = parsePolicy({ v: 1, name: 'm', classes: { people: 'withhold' }, times: 'keep', detectors: true });
    expect(wrong.ok ? '' : wrong.error).toContain('"classes.people" can be keep or pseudonym');
  });

  it('says what is wrong where, and what a policy is', () => {
    const whole = { v: 1, name: 'm', classes: {}, times: 'keep', detectors: true };
    const cases: readonly (readonly [unknown, string])[] = [
      [{ ...whole, v: 2 }, '"v" must be 1.'],
      [{ ...whole, wish: 1 }, 'it has the member "wish", which is not known.'],
      [{ ...whole, classes: { results: 'open' } }, '"classes.results" must be one of "keep"|"pseudonym"|"withhold".'],
      [{ v: 1 }, '"name" is missing.'],
      [[], 'it must be an object, not a list.'],
    ];
    for (const [value, told] of cases) {
      const result = parsePolicy(value);
      expect(result.ok ? '' : result.error).toContain(`The redaction policy cannot be used: ${told} A policy is {`);
    }
  });
});
