import { type Hash, createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { sha256Hex } from '../base/hash.ts';
import { type HindcastEvent, digest, knownEventTypes, parseEvent } from '../model/index.ts';
import { type ValueClass, closedPolicy, openClasses, parsePolicy, redact } from './index.ts';
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

  it('what says that nobody gave a name stays, and gets no stand-in that reads as a name', () => {
    const canaries = createCanaries();
    const [named, unnamed] = ['ada', 'not named'].map((id) =>
      parsed({ ...envelope(canaries), type: 'run.started', principal: { id, kind: 'human' }, data: {} }),
    );
    if (named === undefined || unnamed === undefined) throw new Error('two events');
    const copy = redact({ events: [named, unnamed], policy: closedPolicy, secret });
    const [, first, second] = copy.lines.map((line) => JSON.parse(line) as { principal?: { id: string } });
    expect(first?.principal?.id).toMatch(/^person-/);
    expect(second?.principal?.id).toBe('not named');
  });

  it('R73 counts every name that was replaced, also where no payload has it, and none that is no name', () => {
    const step = { session: 's-1', step: 'plan', span: 'b'.repeat(16), agent: 'ada' };
    const event = parsed({ ...envelope(createCanaries()), ...step, branch: 'main', type: 'run.started', data: {} });
    const own = { ...event, source: { component: 'worker' }, principal: { id: 'not named' } };
    const { leaves } = redact({ events: [own], policy: closedPolicy, secret });
    const counts = new Map(leaves.map(({ class: cls, kept, pseudonyms }) => [cls, { kept, pseudonyms }]));
    // Run, session, step and span.
    expect(counts.get('sessions')).toEqual({ kept: 0, pseudonyms: 4 });
    expect(counts.get('agents')).toEqual({ kept: 0, pseudonyms: 1 });
    expect(counts.get('components')?.kept).toBe(0);
    expect(counts.get('people')).toBeUndefined();
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

describe('a value in the place of an identifier', () => {
  const copied = (type: string, data: JsonObject): unknown => {
    const base = { v: 1, id: 'e', run: '0af7651916cd43dd8448eb211c80319c', branch: 'main', source: { component: 'c' } };
    const { lines } = redact({ events: [parsed({ ...base, type, data })], policy: closedPolicy, secret });
    return (JSON.parse(lines[1] ?? '') as { readonly data: unknown }).data;
  };

  it('R73 no number and no yes or no leaves in a reference, unless it is a count by rule', () => {
    const texts = [
      copied('checkpoint.written', { version: 4111.1111 }),
      copied('invariant.checked', { invariant: 'i', evidence: [8005551212, 19.99, 4711, true, -3] }),
      copied('annotation.made', { annotator: { id: 'a', kind: 'human' }, target: 3.14159 }),
      copied('run.started', { continued_from: 0.777 }),
      copied('fault.injected', { target: { path: 4711.5, event: 4712, attempt: 2.5, segment: -4 } }),

      copied('agent.spawned', { child: { run: 4714, scope: true } }),
    ].map((data) => JSON.stringify(data));
    const secrets = /4111|8005551212|19\.99|471\d|true|false|-3|-4|3\.14|0\.777|2\.5/;
    expect(texts.filter((text) => secrets.test(text.replaceAll(/"\$hole":"[^"]*"/g, '')))).toEqual([]);
  });

  it('R74 what is a count by rule stays', () => {
    expect(copied('checkpoint.written', { version: 4 })).toEqual({ version: 4 });
    expect(copied('fault.injected', { target: { attempt: 2, segment: 0 } })).toEqual({
      target: { attempt: 2, segment: 0 },
    });
  });
});

describe('figures', () => {
  it('R73 R75 texts in lists and structures of a usage that is shared do not leave with its numbers', () => {
    const usage = {
      input_tokens: 5,
      nested: [[1, 'of dee'], []],
      details: ['of ada', 7, { note: 'of bob', count: 8, deep: ['of cy', 9] }],
    };
    const event = parsed({ ...envelope(createCanaries()), type: 'model_call.completed', data: { usage } });
    const copy = redact({ events: [event], policy: openClasses(closedPolicy, ['usage']), secret });
    const line = copy.lines[1] ?? '';
    for (const text of ['of ada', 'of bob', 'of cy', 'of dee']) expect(line).not.toContain(text);
    const hole = { $hole: expect.any(String) as string };
    expect((JSON.parse(line) as { readonly data: unknown }).data).toMatchObject({
      usage: {
        input_tokens: 5,
        nested: [[1, hole], []],
        details: [hole, 7, { note: hole, count: 8, deep: [hole, 9] }],
      },
    });
    const lists = copy.holes.filter(({ pointer }) => pointer.startsWith('/data/usage/'));
    expect(lists.map(({ pointer, class: cls }) => `${pointer} ${cls}`)).toEqual([
      '/data/usage/nested/0/1 attributes',
      '/data/usage/details/0 attributes',
      '/data/usage/details/2/note attributes',
      '/data/usage/details/2/deep/0 attributes',
    ]);
  });
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

interface CopiedLine {
  readonly id: string;
  readonly type: string;
  readonly branch: string;
  readonly clock?: string;
  readonly step?: string;
  readonly agent?: string;
  readonly source?: { readonly component: string };
  readonly principal?: { readonly id: string };
  readonly replay?: string;
  readonly command?: { readonly path: string; readonly name: string; readonly vt?: number };
  readonly data: JsonObject;
}

function copyOf(events: readonly HindcastEvent[], opened: readonly ValueClass[] = [], over = {}) {
  const copy = redact({ events, policy: { ...openClasses(closedPolicy, opened), ...over }, secret });
  return { copy, lines: copy.lines.slice(1).map((line) => JSON.parse(line) as CopiedLine) };
}

/** An event without canaries. */
function hashOf(name: string): Hash {
  return createHash(name).update('what is withheld');
}

function plain(type: string, data: JsonObject, over: JsonObject = {}): HindcastEvent {
  const run = '0af7651916cd43dd8448eb211c80319c';
  return parsed({ v: 1, id: `${type} of`, run, type, branch: 'main', source: { component: 'w' }, data, ...over });
}

describe('names in more than one place', () => {
  it('R73 a tool that is called, declared and part of a path is one tool in the copy, and a clock one clock', () => {
    const { lines } = copyOf([
      plain('stream.declared', {
        clocks: [{ id: 'mono-a' }],
        tools: [{ name: 'tickets.create', service: 'desk' }],
        producers: [{ component: 'w' }],
      }),
      plain(
        'tool_call.dispatched',
        { tool: 'tickets.create' },
        { clock: 'mono-a', command: { path: '/write:tickets.create#0', kind: 'write', name: 'tickets.create' } },
      ),
      plain('effect.committed', { reported_by: 'desk' }),
    ]);
    const [declared, called, committed] = lines;
    const [tool] = declared?.data['tools'] as readonly JsonObject[];
    const [clock] = declared?.data['clocks'] as readonly JsonObject[];
    expect(called?.clock).toBe(clock?.['id']);
    expect(new Set([tool?.['name'], called?.data['tool'], called?.command?.name]).size).toBe(1);
    expect(called?.command?.path).toBe(`/write:${called?.command?.name ?? ''}#0`);
    expect(committed?.data['reported_by']).toBe(tool?.['service']);
    expect(JSON.stringify(lines)).not.toMatch(/mono-a|tickets|desk/);
  });

  it('R73 one thing that is told from several sides is one: a service and the target of its effect, the id and the name of a step', () => {
    const { lines } = copyOf([
      plain('artifact.used', { name: 'desk' }),
      plain('step.started', { name: 'open-ticket' }, { step: 'open-ticket', agent: 'desk' }),
      plain(
        'effect.committed',
        { effect: { kind: 'ticket', id: 'T-1', target: 'desk' }, reported_by: 'desk' },
        { source: { component: 'desk' }, principal: { id: 'desk', kind: 'human' } },
      ),
    ]);
    const [, step, committed] = lines;
    expect(step?.data['name']).toMatch(/^step-/);
    // Who acts is called so, also where the name was met as another thing before.
    expect(step?.agent).toMatch(/^agent-/);
    expect(step?.data['name']).toBe(step?.step);
    const { target } = committed?.data['effect'] as { readonly target: string };
    expect(new Set([target, committed?.data['reported_by'], committed?.source?.component, step?.agent]).size).toBe(1);
    // A person who is called like a thing is not told to be it.
    expect(committed?.principal?.id).not.toBe(target);
    expect(JSON.stringify(lines)).not.toMatch(/open-ticket|desk/);
  });

  it('R73 R75 what a service claims twice names the effects of the copy, and no digest leaves under any name', () => {
    const digest = `sha256:${'cd'.repeat(32)}`;
    const claim = {
      kind: 'ticket',
      effects: ['T-1', 'T-2'],
      request_digest: digest,
      seen: [digest, { [digest]: 'x' }],
    };
    const { lines } = copyOf(
      [
        plain('effect.committed', { effect: { kind: 'ticket', id: 'T-1' }, request_digest: digest }),
        plain('duplicate.detected', claim),
        plain('com.example.own', { of: digest.slice('sha256:'.length) }),
      ],
      ['attributes'],
    );
    const [committed, claimed] = lines;
    const effect = committed?.data['effect'] as { readonly kind: string; readonly id: string };
    expect(claimed?.data['kind']).toBe(effect.kind);
    expect((claimed?.data['effects'] as readonly string[])[0]).toBe(effect.id);
    expect(claimed?.data['request_digest']).toBe(committed?.data['request_digest']);
    const seen = claimed?.data['request_digest'] as string;
    expect(claimed?.data['seen']).toEqual([seen, { [seen]: 'x' }]);
    expect(JSON.stringify(lines)).not.toMatch(/T-1|T-2|(?:cd){32}/);
  });

  const digests = {
    hex: ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'].map((name) => hashOf(name).digest('hex')),
    base64: ['sha1', 'sha256', 'sha512'].map((name) => hashOf(name).digest('base64')),
    base64url: ['sha256', 'sha512'].map((name) => hashOf(name).digest('base64url')),
  };

  it.each([
    ...digests.hex,
    ...digests.hex.map((hex) => `0x${hex}`),
    ...digests.hex.map((hex) => hex.toUpperCase()),
    ...digests.base64,
    ...digests.base64url,
    ...digests.base64.map((text) => `sha-512=${text}`),
    ...digests.base64.map((text) => `sha256-${text.replace(/=+$/, '')}`),
  ])('R73 R75 no digest leaves with the attributes, whatever its form and wherever it stands: %s', (digest) => {
    const own = {
      whole: digest,
      within: `seen as "${digest}", kept`,
      url: `https://x.example/?of=${digest}&a=b`,
      [digest]: 1,
    };
    const { lines } = copyOf([plain('com.example.own', own)], ['attributes']);
    const bare = digest.replace(/^(?:0x|sha-?\d+[=-])/, '');
    expect(JSON.stringify(lines)).not.toContain(bare);
    const data = lines[0]?.data;
    expect(data?.['within']).toBe(`seen as "${data?.['whole'] as string}", kept`);
  });

  it.each([
    'a plain sentence of words, 1234567890 and deadbeef',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    'src/core/redaction/payload.ts',
    'x'.repeat(40),
    'https://example.com/a/long/path/of/many/small/words/without/any/end',
  ])('keeps a text that is no digest: %s', (text) => {
    expect(copyOf([plain('com.example.own', { text })], ['attributes']).lines[0]?.data['text']).toBe(text);
  });

  it.each([[{ effect: 'T-1' }], [{ effects: [{ id: 'T-1', kind: 'ticket' }] }], [{ effects: 'T-1' }], [{ id: 'T-1' }]])(
    'R73 R75 a claim of the form %j names the effect of the copy',
    (form) => {
      for (const opened of [[], ['attributes']] as const) {
        const { lines } = copyOf(
          [plain('effect.committed', { effect: { kind: 'ticket', id: 'T-1' } }), plain('duplicate.detected', form)],
          opened,
        );
        const [committed, claimed] = lines;
        const { id } = committed?.data['effect'] as { readonly id: string };
        expect(JSON.stringify(claimed?.data)).toContain(`"${id}"`);
        expect(JSON.stringify(lines)).not.toContain('T-1');
      }
    },
  );

  it('R75 ids made of the digest of an operation do not leave, though branch names are kept', () => {
    const op = `sha256:${'ab'.repeat(32)}`;
    const own = { branch: 'b-abababababab', replay: op, id: 'b-abababababab:0' };
    const { lines, copy } = copyOf(
      [plain('replay.started', { operation: { op_id: op, kind: 'edit' } }, own)],
      ['sessions'],
    );
    expect(copy.lines.join('')).not.toContain('abababababab');
    expect(lines[0]?.replay).toBe((lines[0]?.data['operation'] as JsonObject)['op_id']);
  });

  it('a command that is moved keeps its new place, though no event names it but the one that reuses', () => {
    const { lines } = copyOf([
      plain('model_call.requested', {}, { command: { path: '/model:plan#0', kind: 'model', name: 'plan' } }),
      plain('observation.reused', {
        path: '/par:side/model:plan#3',
        event: 'model_call.requested of',
        rule: 'segment',
      }),
    ]);
    const path = JSON.stringify(lines[1]?.data['path']);
    expect(path).toMatch(/^"\/par:name-\w+\/model:name-\w+#3"$/);
    expect(path).toContain(lines[0]?.command?.name);
    expect(lines[1]?.data['rule']).toBe('segment');
    for (const status of ['aborted-by-host', 'complete'])
      expect(copyOf([plain('replay.completed', { status })]).lines[0]?.data).toEqual({ status });
  });
});

describe('digests of what a run came to', () => {
  const outcomes = [
    ['run.completed', 'result', { total: 3 }, 'results'],
    ['run.failed', 'error', { name: 'Error', message: 'boom' }, 'errors'],
    ['run.rolled_over', 'carried', { n: 1 }, 'states'],
  ] as const;

  it.each(outcomes)(
    'R75 %s has that of what the copy holds, and none where a part is withheld',
    (type, key, value, cls) => {
      const event = plain(type, { [key]: value, digest: digest(value) });
      expect(copyOf([event], [cls]).lines[0]?.data).toEqual({ [key]: value, digest: digest(value) });
      const closed = copyOf([event]).lines[0]?.data ?? {};
      expect(Object.keys(closed)).toEqual(type === 'run.failed' ? [] : [key]);
      expect(JSON.stringify(closed)).not.toContain('sha256');
    },
  );

  it('a value recorded by its digest alone is a hole, not the value null', () => {
    const { lines } = copyOf([plain('run.completed', { digest: digest('x') })], ['results']);
    expect(lines[0]?.data).toEqual({ result: { $hole: 'h1' } });
  });

  it('the digest of a program leaves with no event that lacks its text, unless the text leaves whole elsewhere', () => {
    const source = 'async function main() { return 1; } // ask ann@example.org';
    const of = `sha256:${sha256Hex(source)}`;
    const events = [
      plain('run.started', { program: { name: 'desk', source, digest: of } }),
      plain('replay.started', { operation: { program_before: { name: 'desk', digest: of } } }),
    ];
    expect(copyOf(events, ['program']).copy.lines.join('')).not.toContain(of);
    const whole = copyOf(events, ['program'], { detectors: false }).lines;
    expect(whole[1]?.data).toMatchObject({ operation: { program_before: { digest: of } } });
  });
});

describe('times', () => {
  it('a wall clock that is read does not leave where virtual time counts from zero, and distances do', () => {
    const read = (value: number, vt: number, id: string) =>
      plain('clock.read', { value }, { id, command: { path: `/clock#${id}`, kind: 'draw', name: 'clock', vt } });
    const { lines } = copyOf([
      plain('run.started', { start: 0 }),
      read(1_700_000_000_000, 0, '0'),
      read(1_700_000_005_000, 5_000, '1'),
      read(1_700_000_000, 6_000, '2'),
      read(6_500, 6_500, '3'),
    ]);
    expect(lines.slice(1).map(({ data, command }) => [data['value'], command?.vt])).toEqual([
      [0, 0],
      [5_000, 5_000],
      [0, 6_000],
      [6_500, 6_500],
    ]);
  });

  it('virtual time that begins at zero and goes on as wall time does not leave as recorded', () => {
    const at = (vt: number) => plain('step.started', {}, { command: { path: '/model:a#0', vt } });
    const { lines } = copyOf([plain('run.started', { start: 0 }), at(1_700_000_000_000), at(1_700_000_000_400)]);
    expect(lines.map(({ command }) => command?.vt)).toEqual([undefined, 0, 400]);
  });
});

describe('a failure', () => {
  it('with a detected message is withheld whole: half a failure is no event', () => {
    const error = { name: 'Error', message: 'no mailbox ann@example.org' };
    const { copy, lines } = copyOf([plain('model_call.failed', { error })], ['errors']);
    expect(lines[0]?.data).toEqual({});
    expect(copy.holes.map(({ pointer }) => pointer)).toContain('/data/error');
    for (const line of copy.lines) expect(parseEvent(JSON.parse(line) as JsonValue).ok).toBe(true);
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

describe('processes that records tell of', () => {
  const source = { component: 'worker', instance: 'w1', incarnation: 'ce659a' };
  const started = plain('worker.started', {}, { source });

  it.each([
    ['worker.exited', { signal: 'SIGKILL', worker: source }],
    ['worker.spawned', { worker: source }],
    ['fault.injected', { class: 'kill', ...source }],
  ])('R73 %s names the life as its own records do', (type, data) => {
    const [own, told] = copyOf([started, plain(type, data)]).lines;
    expect(told?.data['worker'] ?? told?.data).toMatchObject({ ...own?.source });
  });

  it('R73 the version of a state that is a text is a name, and a count stays', () => {
    const { lines } = copyOf([
      plain('state.transitioned', { from: 'v1', to: 'v2' }),
      plain('state.transitioned', { from: 1, to: 2 }),
    ]);
    const [named, counted] = lines.map(({ data }) => [data['from'], data['to']]);
    expect(named).toEqual([expect.stringMatching(/^version-/), expect.stringMatching(/^version-/)]);
    expect(named?.[0]).not.toBe(named?.[1]);
    expect(counted).toEqual([1, 2]);
  });

  it('R73 R110 a fault of another class than a kill stays one', () => {
    const { lines } = copyOf([
      plain('fault.injected', { class: 'expired credential' }),
      plain('fault.injected', { class: 'kill' }),
    ]);
    expect(lines.map(({ data }) => data['class'])).toEqual([expect.stringMatching(/^fault-/), 'kill']);
  });
});
