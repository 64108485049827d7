/** Texts of claims, each with one thing wrong: the refusal names the place, what stands there and what may; nothing throws. */
import { describe, expect, it } from 'vitest';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { predicatePattern, toTest } from './claim-predicate.ts';
import { claimJsonSchema } from './claim-schema.ts';
import { textToClaim } from './claim-text.ts';

/** Every member that a claim may have. */
const whole: JsonObject = {
  $schema: 'https://example.org/schema/claim-1.json',
  fault: { class: 'process-kill', points: [3, '2late'], effects: ['tickets.create'], repeated: false },
  protects: 'one ticket per case',
  continuation: 'the run completes',
  strategy: 'journal',
  clauses: [
    { id: 'once', text: 'no second ticket', metric: 'duplicates', predicate: '= 0' },
    {
      id: 'soon',
      text: 'it goes on',
      event: { type: 'run.completed', after: 'fault' },
      predicate: { op: '<=', value: 5, ordinal: 1 },
    },
  ],
};

type Step = string | number;

function pathsOf(value: JsonValue): readonly (readonly Step[])[] {
  const found: (readonly Step[])[] = [];
  const todo: (readonly [readonly Step[], JsonValue])[] = [[[], value]];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [path, here] = next;
    if (path.length > 0) found.push(path);
    if (isJsonArray(here)) here.forEach((item, at) => todo.push([[...path, at], item]));
    else if (isJsonObject(here)) for (const [key, item] of Object.entries(here)) todo.push([[...path, key], item]);
  }
  return found;
}

/** With another value at the path, or without any. */
function changed(value: JsonValue, [step, ...rest]: readonly Step[], to: JsonValue | undefined): JsonValue {
  if (step === undefined) return to ?? null;
  const next = (inner: JsonValue | undefined): JsonValue | undefined =>
    rest.length === 0 ? to : changed(inner ?? null, rest, to);
  if (isJsonArray(value))
    return value.flatMap((item, at) => (at === step ? [next(item)].filter((one) => one !== undefined) : [item]));
  const object = isJsonObject(value) ? value : {};
  const own = next(object[String(step)]);
  const others = Object.fromEntries(Object.entries(object).filter(([key]) => key !== step));
  return own === undefined ? others : { ...others, [step]: own };
}

function toName(path: readonly Step[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

function refusal(text: string): string | undefined {
  const read = textToClaim(text);
  return read.ok ? undefined : read.error;
}

function sentence(path: readonly Step[], to: JsonValue | undefined): string | undefined {
  return refusal(JSON.stringify(changed(whole, path, to)));
}

const optional = new Set([
  ...['$schema', 'strategy', 'fault.class', 'fault.points', 'fault.effects', 'fault.repeated', 'fault.points[0]'],
  ...['fault.points[1]', 'clauses[0]', 'clauses[1]', 'clauses[0].metric', 'clauses[0].predicate'],
  ...['clauses[1].event', 'clauses[1].predicate', 'clauses[1].event.after', 'clauses[1].predicate.ordinal'],
]);

describe('the text of a claim', () => {
  it('R87 is read where it is whole, with a mark of its encoding and in any order', () => {
    expect(refusal(`\uFEFF${JSON.stringify(whole, undefined, 2)}`)).toBeUndefined();
    expect(refusal(JSON.stringify(Object.fromEntries(Object.entries(whole).toReversed())))).toBeUndefined();
  });

  it.each([
    ['an empty list of clauses', ['clauses'], [], '"clauses" must have at least one clause, and is an empty list'],
    ['no list', ['clauses'], 5, '"clauses" must be a list, and is 5'],
    ['no clause', ['clauses', 1], 'soon', '"clauses[1]" must be an object, and is "soon"'],
    [
      'a point of none',
      ['fault', 'points', 1],
      '9',
      '"fault.points[1]" must be one of 1, 2, 2late, 3, 4, 5, and is "9"',
    ],
    [
      'a number that is no point',
      ['fault', 'points', 0],
      2.5,
      '"fault.points[0]" must be one of 1, 2, 2late, 3, 4, 5, and is 2.5',
    ],
    ['no point', ['fault', 'points'], [], '"fault.points" must name at least one point, and is an empty list'],
    [
      'no fault',
      ['fault'],
      [3],
      '"fault" must be text, or an object with class, points, effects and repeated, and is a list of 1',
    ],
    ['blank text', ['fault'], ' ', '"fault" must be text that says something, and is " "'],
    [
      'an operator of none',
      ['clauses', 1, 'predicate', 'op'],
      '=>',
      '"clauses[1].predicate.op" must be one of <, <=, =, !=, >=, >, and is "=>"',
    ],
    [
      'no value',
      ['clauses', 1, 'predicate', 'value'],
      undefined,
      '"clauses[1].predicate.value" is missing: it must be a number, true or false',
    ],
    [
      'kill 0',
      ['clauses', 1, 'predicate', 'ordinal'],
      0,
      '"clauses[1].predicate.ordinal" must be a whole number from 1, and is 0',
    ],
    [
      'a predicate of none',
      ['clauses', 0, 'predicate'],
      null,
      '"clauses[0].predicate" must be text such as "= 0", a number, true or false, or an object with op, value and ordinal, and is null',
    ],
    [
      'another moment',
      ['clauses', 1, 'event', 'after'],
      'kill',
      '"clauses[1].event.after" must be "fault", and is "kill"',
    ],
    [
      'one id twice',
      ['clauses', 1, 'id'],
      'once ',
      '"clauses[1].id" must be another one than that of clauses[0], and is "once "',
    ],
    [
      'an unknown member',
      ['notes'],
      'x',
      '"notes" is no known member; there may be fault, protects, continuation, strategy, clauses',
    ],
    [
      'one of a clause',
      ['clauses', 1, 'metrics'],
      'x',
      '"clauses[1].metrics" is no known member; there may be id, text, event, metric, predicate',
    ],
    [
      'one of the fault',
      ['fault', 'point'],
      3,
      '"fault.point" is no known member; there may be class, points, effects, repeated',
    ],
    [
      'one of a predicate',
      ['clauses', 1, 'predicate', 'oper'],
      '=',
      '"clauses[1].predicate.oper" is no known member; there may be op, value, ordinal',
    ],
  ] as const)('R88 %s is refused by its path, with what is there and what may be', (_what, path, to, expected) => {
    expect(sentence(path, to)).toBe(
      `The claim cannot be evaluated: ${expected}. A claim is {"fault", "protects", "continuation", "clauses": [{"id", "text", …}]}.`,
    );
  });

  const forms = '"= 0", "!= 0", "<= 500", "< 500", ">= 1", "> 1", "= true", "holds", "violated"';
  const unread = [
    'about zero',
    'few',
    'zero',
    '~ 0',
    '=> 5',
    '<',
    '= ',
    '<= 5 s',
    '5..9',
    '1e3',
    'holds not',
    'never once',
  ];

  it.each(unread)(
    'R88 the predicate "%s", which nothing reads, is refused with the forms, and by the schema',
    (text) => {
      for (const at of [0, 1]) {
        expect(sentence(['clauses', at, 'predicate'], text)).toContain(
          `"clauses[${String(at)}].predicate" must be one of ${forms}, "never", "once", "at least once", "at most once", and is ${JSON.stringify(text)}`,
        );
      }
      expect(published().test(text)).toBe(false);
    },
  );

  it.each(['= 0', '0', ' <= 500 ms', '!= -2.5', '=== true', 'Holds', 'hold', 'violated', 'FALSE', '> false'])(
    'R88 the predicate "%s" is read of a number and of events, and let through by the schema',
    (text) => {
      for (const at of [0, 1]) expect(sentence(['clauses', at, 'predicate'], text)).toBeUndefined();
      expect(published().test(text)).toBe(true);
    },
  );

  it.each(['never', 'Absent', 'once', 'exactly once', 'present', 'occurs', 'At least once', 'at most once'])(
    'R88 the word "%s" counts events, and is refused beside a metric',
    (text) => {
      expect(sentence(['clauses', 1, 'predicate'], text)).toBeUndefined();
      expect(sentence(['clauses', 0, 'predicate'], text)).toContain(
        `"clauses[0].predicate" must be one of ${forms} for a metric: the word counts events, and is "${text}"`,
      );
      expect(published().test(text)).toBe(true);
    },
  );

  /** The pattern that the published schema has for a predicate that is text. */
  function published(): RegExp {
    const text = JSON.stringify(claimJsonSchema());
    const [, pattern = ''] = /"predicate":\{"anyOf":\[\{"type":"string","pattern":"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
    expect(pattern).not.toBe('');
    return new RegExp(String(JSON.parse(`"${pattern}"`)));
  }

  it('R88 any member taken away or given another kind is refused by its path, or is one that may be so', () => {
    const paths = pathsOf(whole);
    expect(paths.length).toBeGreaterThan(25);
    const kinds: readonly JsonValue[] = [null, 7.5, true, [], [[]], {}, { x: 1 }, 'x'.repeat(100_000), '\u0000\u202e'];
    const accepted: string[] = [];
    for (const path of paths) {
      const name = toName(path);
      const without = sentence(path, undefined);
      if (without === undefined) expect(optional, name).toContain(name);
      // Of a list the last item cannot go.
      else if (typeof path.at(-1) === 'number') expect(without).toContain(`"${toName(path.slice(0, -1))}" must`);
      else expect(without).toContain(`"${name}" is missing`);
      for (const to of kinds) {
        const told = sentence(path, to);
        if (told === undefined) accepted.push(`${name} ${typeof to}`);
        else expect(told, JSON.stringify(to).slice(0, 50)).toContain(`: "${name}`);
        expect(told?.length ?? 0, name).toBeLessThan(500);
      }
    }
    // What may be text may be any text; the others of one kind take that kind alone.
    expect([...new Set(accepted)].filter((one) => !one.endsWith(' string')).sort()).toEqual([
      'clauses[0].predicate boolean',
      'clauses[0].predicate number',
      'clauses[1].predicate boolean',
      'clauses[1].predicate number',
      'clauses[1].predicate.value boolean',
      'clauses[1].predicate.value number',
      'fault object',
      'fault.repeated boolean',
    ]);
  });

  it('R88 a member that stands twice in its object is refused: programs differ in which they take', () => {
    for (const path of pathsOf(whole).filter((steps) => typeof steps.at(-1) === 'string')) {
      const key = JSON.stringify(path.at(-1));
      const name = toName(path);
      const marked = JSON.stringify(changed(whole, path, '@'));
      const text = marked.replace(`${key}:"@"`, `${key}:"a",${key}:"b"`);
      expect(refusal(text), text).toContain(`"${name}" stands more than once in its object`);
    }
  });

  it('says where a text stops being JSON, and that there is none', () => {
    expect(refusal('{"fault": "kill",\n  "protects" "x"}')).toMatch(
      /^The claim is not JSON: .*, at line 2, character 14\. Mend it there\.$/,
    );
    expect(refusal(' \n')).toMatch(/^The claim is empty\./);
    expect(refusal('['.repeat(50_000))).toContain('The claim is not JSON');
    for (const text of ['null', '[]', '7', '"claim"'])
      expect(refusal(text)).toContain('The claim cannot be evaluated: it must be an object, and is ');
    const beyond = JSON.stringify(changed(whole, ['fault'], '@')).replace('"@"', '1e999');
    expect(refusal(beyond)).toContain('"fault" cannot be a number that large or exact, and is 1e999');
    const names = ['__proto__', 'constructor', 'toString'];
    for (const name of names) {
      const text = JSON.stringify(whole).replace('{', `{"${name}":{"x":1},`);
      expect(refusal(text), name).toContain(`"${name}" is no known member`);
    }
  });
});

describe('a predicate of a hostile length', () => {
  const spaces = ' '.repeat(300_000);

  // A pattern that goes back over the spaces from each of them would not end within the time of a test.
  it.each([`${spaces}!`, `= 0${spaces}!`, `${spaces}= 0${spaces}!`, `never${spaces}!`])(
    'R87 is refused, however many spaces stand in it',
    (text) => {
      expect(predicatePattern.test(text)).toBe(false);
    },
  );

  it('R87 is read with spaces around it, and a number that cannot be held exactly is none', () => {
    for (const text of [' = 0 ', '<= 500 ms', '=1', '< -2.5', ' At most once '])
      expect([text, predicatePattern.test(text)]).toEqual([text, true]);
    for (const text of [`< ${'9'.repeat(400)}`, '< 1e400', '= ', 'about zero'])
      expect([text, predicatePattern.test(text)]).toEqual([text, false]);
    expect(toTest(`< ${'9'.repeat(400)}`)).toBeUndefined();
  });
});
